"""The endpoint's document, and the endpoint held against it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.gateway.http.served import Served, environment


@pytest.mark.timeout(300)
def test_schemathesis_finds_no_server_error_and_no_undocumented_answer(served: Served, tmp_path: Path):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{served.url}/openapi.json"),
            *("--header", f"Authorization: Bearer {served.token}", "--max-examples", "5", "--seed", "1", "--no-color"),
            *("--phases", "coverage,fuzzing", "--checks", "not_a_server_error,status_code_conformance,content_type_conformance"),
            # A stream of events has no end to wait for.
            *("--exclude-path-regex", "events$", "--request-timeout", "10", "--suppress-health-check", "all"),
        ],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert served.request("GET", "/health")[0] == 200
