"""A small MCP server. usage: mcp_server.py FLAG: waits until the file is there; `fail` ends at once, `now` waits not."""

import json
import sys
import time
from pathlib import Path

if sys.argv[1] == "fail":
    print("TOKEN is missing", file=sys.stderr, flush=True)
    sys.exit(3)
while sys.argv[1] != "now" and not Path(sys.argv[1]).exists():
    time.sleep(0.02)
print("listening", file=sys.stderr, flush=True)


def send(**message: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(method: str) -> dict[str, object]:
    if method == "initialize":
        server = {"name": "small", "version": "1"}
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": server}
    names = ("search_issues", "create_issue")
    return {"tools": [{"name": name, "description": name, "inputSchema": {"type": "object"}} for name in names]}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and message.get("method") in ("initialize", "tools/list"):
        send(id=message["id"], result=answer(message["method"]))
    elif "id" in message:
        send(id=message["id"], result={})
