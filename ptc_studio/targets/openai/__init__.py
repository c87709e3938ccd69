"""OpenAI's programmatic tool calling."""

import re
from typing import Any

from ptc_studio.core.trace import RunRecord
from ptc_studio.targets.target import CheckedScript, DeploymentTarget, Note

NOTES = (
    Note("A fresh V8 with top-level await: no Node.js, console, network or files, and no state between programs", "D"),
    Note("`await tools.name({...})` gives an object parsed from the JSON of the output", "D"),
    Note("The model sees `program_output.result`, a string, and completed or incomplete", "D"),
    Note("How several text() are joined, the form of errors and the time limit, nobody has said", "?"),
)


def reply(record: RunRecord, report: Any) -> Any:
    output = (report or {}).get("output", [])
    return {"result": "\n".join(output), "status": "completed" if record["status"] == "ok" else "incomplete"}


def sign(script: CheckedScript) -> str | None:
    if re.search(r"(?<![.\w])text\(", script.code) and re.search(r"(?<![.\w])tools[.\[]", script.code):
        return "`text(` beside `tools.`"
    return None


TARGET = DeploymentTarget(
    id="openai",
    name="OpenAI programmatic tool calling",
    language="javascript",
    runtime="node",
    notes=NOTES,
    frame="frame.mjs",
    reply=reply,
    sign=sign,
)
