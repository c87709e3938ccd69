"""No process that the studio starts has a secret in its environment, but where its entry grants that very name."""

import json
import os
import subprocess
from pathlib import Path

from tests.support import PROGRAM

CANARY, OTHER, PASSPHRASE = "canary-4711-abcdef", "canary-0815-ghijkl", "a passphrase of canaries"
LOOK = """
import os
def look_NAME() -> list[str]:
    "Which variables hold a canary."
    return sorted(name for name, value in os.environ.items() if "canar" in value)
"""
PROGRAM_TEXT = "import os, json; print(json.dumps(sorted(n for n, v in os.environ.items() if 'canar' in v)))"
WORKSPACE = """\
sources:
  - {kind: functions, path: inside}
  - {kind: functions, path: apart, isolation: process}
  - {kind: command, name: bare, argv: [python3, look.py], output: json}
  - {kind: command, name: granted, argv: [python3, look.py], output: json, env: {ONE: "${secret:TOKEN}"}}
"""
SCRIPT = """
import os
print(look_near(), look_far(), bare(), granted(), sorted(n for n, v in os.environ.items() if "canar" in v))
"""


def test_only_the_process_that_is_granted_a_secret_has_it_and_that_one_alone(tmp_path: Path):
    for folder, name in (("inside", "near.py"), ("apart", "far.py")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(LOOK.replace("NAME", name[:-3]))
    (tmp_path / "look.py").write_text(PROGRAM_TEXT)
    (tmp_path / "studio.yaml").write_text(WORKSPACE)
    (tmp_path / "script.py").write_text(SCRIPT)
    given = {"PTC_SECRET_TOKEN": CANARY, "PTC_SECRET_OTHER": OTHER, "PTC_SECRETS_PASSPHRASE": PASSPHRASE}
    for runtime in ("python", "python-inprocess"):
        done = subprocess.run(
            [*PROGRAM, "run", "script.py", "--workspace", ".", "--runtime", runtime, "--json"],
            cwd=tmp_path,
            env={**os.environ, **given, "XDG_DATA_HOME": str(tmp_path / "data")},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        record = json.loads(done.stdout)
        assert record["stdout"] == "[] [] [] ['ONE'] []\n", (record, done.stderr)
