"""Looks for known dangers: in our code by bandit, in what it uses by pip-audit. usage: audit.py [--offline]

Where the database of known holes cannot be reached nothing is known of the dependencies, and that is a failure, unless
`--offline` says that it is meant.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
OURS = ("ptc_studio", "runtimes/python", "packaging")


def main(offline: bool) -> int:
    bandit = subprocess.run(
        [BIN / "bandit", "-q", "-c", "pyproject.toml", "-r", *OURS], cwd=ROOT, check=False
    ).returncode
    print(f"our code: {'see above' if bandit else 'nothing dangerous that is not argued in pyproject.toml'}")
    return 1 if bandit or not (offline or _dependencies()) else 0


def _dependencies() -> bool:
    command = [BIN / "pip-audit", "--local", "--skip-editable", "--progress-spinner", "off", "--format", "json"]
    said = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    try:
        packages = json.loads(said.stdout)["dependencies"]
    except (ValueError, KeyError):
        print(f"dependencies: not audited: {said.stderr.strip().splitlines()[-1:]}")
        return False
    looked_up = [each for each in packages if "skip_reason" not in each]
    holes = [(each["name"], each["version"], hole["id"]) for each in looked_up for hole in each["vulns"]]
    for name, version, hole in holes:
        print(f"{name} {version}: {hole}")
    missed = len(packages) - len(looked_up)
    print(f"dependencies: {len(holes)} known holes in {len(looked_up)} packages; {missed} could not be looked up")
    return not holes and not missed


if __name__ == "__main__":
    sys.exit(main("--offline" in sys.argv[1:]))
