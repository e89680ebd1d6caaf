"""A legacy MCP server of the standard library alone: quick to start, and of bad manners where asked.

    plain_server.py [--banner TEXT] [--deaf]

Tools: `echo` gives its text back, `exit` ends the server with a code, `die` with a signal. `--banner` writes a line
that is no JSON to stdout first, and before each answer; `--deaf` goes on after the end of stdin and on SIGTERM.
"""

import argparse
import json
import os
import signal
import sys
import time


def result(method, params):
    """The result of a request."""
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "plain", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}
    arguments = params.get("arguments", {})
    match params.get("name"):
        case "exit":
            os._exit(arguments["code"])
        case "die":
            os.kill(os.getpid(), arguments["signal"])
    return {"content": [{"type": "text", "text": arguments.get("text", "")}]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--banner")
    parser.add_argument("--deaf", action="store_true")
    options = parser.parse_args()
    if options.deaf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    banner = f"{options.banner}\n" if options.banner else ""
    sys.stdout.write(banner)
    sys.stdout.flush()
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result(message["method"], message["params"])}
        sys.stdout.write(banner + json.dumps(answer) + "\n")
        sys.stdout.flush()
    while options.deaf:
        time.sleep(60)


if __name__ == "__main__":
    main()
