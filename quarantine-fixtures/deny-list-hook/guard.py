import json, re, sys

DENIED = [
    r"rm\s+-rf\s+/",
    r"curl[^|]*\|\s*(ba)?sh",
    r"\.ssh/id_rsa",
    r"nc\s+-e\s+/bin/sh",
]

command = json.load(sys.stdin)["tool_input"]["command"]
for pattern in DENIED:
    if re.search(pattern, command):
        print(json.dumps({"decision": "deny", "reason": pattern}))
        sys.exit(2)
