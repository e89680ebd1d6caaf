"""What tee.py recorded, and how two recordings of the same talk are compared.

Between bridge ends every message must arrive byte for byte. SkillGate judges messages side by side, so those that have
nothing to do with each other may change places; within a lane (a request and its cancellation, its answer with its
progress, notifications of one method) the order must hold too, and nothing may overtake `notifications/initialized`.
"""

import base64
import collections
import json
import re

# What servers make vary from run to run, and nothing else.
VARYING = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(Z|[+-]\d\d:\d\d)"), "<instant>"),
    (re.compile(r"\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4} \([^)]*\)"), "<date>"),
    (re.compile(r"\d{1,2}:\d\d:\d\d(\s[AP]M)?"), "<time>"),
    (re.compile(r"listen-\d+"), "<subscription>"),  # Counted by the client's process.
    (re.compile(r"\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b"), "<random id>"),
]


BLOB = re.compile(r'("blob": *")([A-Za-z0-9+/]+=*)"')


def normalise(text):
    """The text without what servers make vary, in blobs of text too."""
    for pattern, word in VARYING:
        text = pattern.sub(word, text)
    return BLOB.sub(lambda blob: f'{blob[1]}{_normalise_blob(blob[2])}"', text)


def _normalise_blob(blob):
    try:
        return json.dumps(normalise(base64.b64decode(blob).decode()))[1:-1]
    except ValueError:
        return blob


def streams(log):
    """The bytes that went each way: name of the end that wrote -> bytes."""
    found = collections.defaultdict(bytes)
    for line in log.read_text().splitlines():
        name, chunk = json.loads(line)
        found[name] += chunk.encode("latin-1")
    return found


def messages(stream):
    """The lines of a stream; a broken last one is a line too."""
    return [line for line in stream.split(b"\n") if line.strip()]


def progress_tokens(client_stream):
    """Request id -> the progress token it asked to be told under."""
    found = {}
    for line in messages(client_stream):
        message = json.loads(line)
        params = message.get("params")
        token = params.get("_meta", {}).get("progressToken") if isinstance(params, dict) else None
        if "id" in message and token is not None:
            found[json.dumps(message["id"])] = token
    return found


def lanes_of(message, tokens):
    """The lanes a message stands in; every message stands in one at least."""
    params = message.get("params") or {}
    if "method" in message and "id" in message:
        return [("request", json.dumps(message["id"]))]
    if message.get("method") == "notifications/cancelled":
        return [("request", json.dumps(params["requestId"]))]
    if "method" in message:
        lanes = [("notification", message["method"])]
        if "progressToken" in params:
            lanes.append(("progress", json.dumps(params["progressToken"])))
        return lanes
    id = json.dumps(message.get("id"))
    return [("answer", id)] + ([("progress", json.dumps(tokens[id]))] if id in tokens else [])


def lanes(stream, client_stream):
    """Lane -> the lines in it, in order."""
    tokens, found = progress_tokens(client_stream), collections.defaultdict(list)
    for line in messages(stream):
        for lane in lanes_of(json.loads(line), tokens):
            found[lane].append(line)
    return dict(found)


def opening(stream):
    """The messages up to `notifications/initialized`; none where the client does not say that."""
    lines = messages(stream)
    methods = [json.loads(line).get("method") for line in lines]
    ready = "notifications/initialized"
    return lines[: methods.index(ready) + 1] if ready in methods else []


def assert_nothing_changed(test, outer, inner):
    """Fails where a message that one end wrote is not what the other end got."""
    test.assertTrue(outer["server"] and outer["client"], "nothing was recorded")
    for name, sent, received in (("server", inner, outer), ("client", outer, inner)):
        sent, received = (lanes(end[name], outer["client"]) for end in (sent, received))
        test.assertEqual(sent, received, f"what the {name} wrote")
    test.assertEqual(opening(outer["client"]), opening(inner["client"]), "the client's opening")
