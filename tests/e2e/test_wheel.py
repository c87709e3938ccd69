"""A wheel that is built and installed in another place runs the examples."""

import itertools
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from ptc_studio.locations import FONTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The `bin` folder of a fresh environment in which only the wheel is installed."""
    place = tmp_path / "wheel"
    place.mkdir()
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=200)
    wheel = next(place.glob("*.whl"))
    # The dependencies are borrowed from this environment: what is tried here is the wheel, not a registry.
    environment = place / "environment"
    venv.create(environment, with_pip=False)
    target = next(environment.glob("lib/python3*/site-packages"))
    (target / "borrowed.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(wheel)]
    subprocess.run(install, check=True, capture_output=True, timeout=200)
    return environment / "bin"


# One test for both runtimes: what takes longest is to build the wheel.
@pytest.mark.timeout(300)
def test_the_installed_wheel_runs_the_examples(installed: Path, tmp_path: Path):
    code = "from ptc_studio import locations as l; import ptc_studio; print(ptc_studio.__file__, l.EXAMPLES, l.SAMPLE_TOOLS, sep='\\n')"
    python = installed / "python"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    where = subprocess.run(
        [python, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    package, examples, tools = where.stdout.splitlines()
    assert str(installed.parent) in package
    assert str(ROOT) not in where.stdout
    resources = Path(examples).parent
    assert {path.name for path in FONTS.iterdir()} == {path.name for path in (resources / "fonts").iterdir()}
    runs = itertools.product(sorted(Path(examples).glob("*.py")), ("python", "python-inprocess"))
    for example, runtime in runs:
        command = [python, "-m", "ptc_studio", "run", example, "--functions", tools, "--runtime", runtime, "--json"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["status"] == "ok"
