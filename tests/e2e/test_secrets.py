"""A canary of every kind of secret, sent every way a secret can go, is found nowhere."""

import json
import textwrap
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script

RANDOM = "q7Zk29XbLm4Tn8Rv6Wc1Yd3Pf5Hg0JsA2Be4Du6Ko8Mi"
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{RANDOM}\n{RANDOM[::-1]}\n-----END RSA PRIVATE KEY-----"
CANARIES = {
    "openai": f"sk-{RANDOM}",
    "openai project": f"sk-proj-{RANDOM}",
    "anthropic api": f"sk-ant-api03-{RANDOM}",
    "anthropic oauth": f"sk-ant-oat01-{RANDOM}",
    "openrouter": f"sk-or-v1-{RANDOM}",
    "groq": f"gsk_{RANDOM}",
    "aws": "AKIAQ7ZK29XBLM4TN8RV",
    "google": f"AIza{RANDOM[:35]}",
    "github": f"ghp_{RANDOM[:36]}",
    "github oauth": f"gho_{RANDOM[:36]}",
    "github user": f"ghu_{RANDOM[:36]}",
    "github server": f"ghs_{RANDOM[:36]}",
    "github refresh": f"ghr_{RANDOM[:36]}",
    "github fine": f"github_pat_{RANDOM}",
    "stripe live": f"sk_live_{RANDOM[:24]}",
    "stripe test": f"sk_test_{RANDOM[:24]}",
    "slack": f"xoxb-123456789012-{RANDOM[:24]}",
    "twilio": "SK0123456789abcdef0123456789abcdef",
    "sendgrid": f"SG.{RANDOM[:22]}.{RANDOM[:43]}",
    "telegram": f"123456789:{RANDOM[:35]}",
    "bearer": f"Bearer {RANDOM}",
    "authorization": f"Authorization: Basic {RANDOM[:24]}==",
    "jwt": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{RANDOM}",
    "pem": PEM,
    "ssh": PEM.replace("RSA", "OPENSSH"),
    "pgp": PEM.replace("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"),
}
TOOLS = """
from pathlib import Path

def give(value): return value
def nest(value): return {"deep": [{"list": [value]}]}
def fail(value): raise ValueError(f"it failed with {value}")
def inner(value): return value
def outer(value, *, _context): return {"inner": _context["call_tool"]("inner", {"value": value})}
def chatty(value):
    print("a tool says", value)
"""
SENDS = """
assert give(secret) == secret
assert nest(value=secret) == {"deep": [{"list": [secret]}]}
assert outer(secret) == {"inner": secret}
give([{"key": secret}, (secret,)])
chatty(secret)
try:
    fail(secret)
except ValueError as error:
    print("caught", error, file=sys.stderr)
half = len(secret) // 2
sys.stdout.write("in two halves: " + secret[:half])
sys.stdout.flush()
time.sleep(0.05)
print(secret[half:], "end")
"""
BLOWS = """
def blow(value):
    raise RuntimeError("blown by " + value)
blow(secret)
"""
PARTS = 12
"""So many characters of a secret in a row are a leak."""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "tools.py").write_text(TOOLS)
    return folder


@pytest.fixture
async def studio(tools: Path) -> AsyncIterator[Studio]:
    made = Studio(Setup(functions=tools, spare_processes=0))
    yield made
    await made.close()


@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
@pytest.mark.parametrize("kind", CANARIES)
async def test_a_canary_is_found_nowhere(kind: str, runtime: str, studio: Studio):
    secret = CANARIES[kind]
    script = Script(f"import sys, time\nsecret = {secret!r}{SENDS}{BLOWS}", "script.py")
    record = await studio.run(studio.session(), script, await studio.choose_runtime(runtime, "script.py"))
    assert record["error"]["line"] == script.code.count("\n") - 1
    _check(record, [secret], json.dumps(record))


@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
def test_no_canary_is_found_in_what_the_command_writes(
    runtime: str, tools: Path, tmp_path: Path, run_record: Callable[..., Any]
):
    secrets = list(CANARIES.values())
    script = tmp_path / "script.py"
    # The script holds the secrets itself; it is not written by the run.
    loop = f"for secret in {secrets!r}:{textwrap.indent(SENDS, '    ')}"
    script.write_text(f"import sys, time\n{loop}{BLOWS}")
    home = tmp_path / "home"
    home.mkdir()
    record = run_record(script, "--runtime", runtime, "--functions", tools, cwd=home)
    written = "".join(path.read_text(errors="replace") for path in home.rglob("*") if path.is_file())
    _check(record, secrets, json.dumps(record) + written)


def _check(record: dict[str, Any], secrets: list[str], text: str) -> None:
    assert (record["status"], record["error"]["type"]) == ("error", "RuntimeError")
    assert record["stdout"].endswith("end\n")
    assert len(record["calls"]) == 7 * len(secrets)
    assert not [part for secret in secrets for part in _telling_parts(secret) if part in text]
    assert all(
        {"rule", "where", "path"} == set(redaction) for call in record["calls"] for redaction in call["redactions"]
    )
    assert all(call["redactions"] for call in record["calls"])


def _telling_parts(secret: str) -> list[str]:
    random_part = max(secret.replace("\n", " ").split(), key=len)
    return [random_part[i : i + PARTS] for i in range(12, len(random_part) - PARTS + 1)] or [secret[-PARTS:]]


def test_two_hundred_kilobytes_of_prose_and_code_come_back_unchanged(tmp_path: Path, run_record: Callable[..., Any]):
    text = _corpus()
    assert len(text) > 200_000
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "texts.py").write_text("def echo(text: str) -> str:\n    return text\n")
    (tmp_path / "corpus.txt").write_text(text)
    script = tmp_path / "script.py"
    script.write_text("text = open('corpus.txt').read()\nprint(echo(text), end='')\n")
    record = run_record(script, "--functions", tmp_path / "tools")
    assert record["calls"][0]["result"] == text
    assert record["stdout"] == text
    assert record["calls"][0]["redactions"] == []


def _corpus() -> str:
    """Our own sources, which are code and prose about secrets, and what looks like secrets to a careless eye."""
    root = Path(__file__).resolve().parents[2]
    sources = [*sorted((root / "ptc_studio").rglob("*.py")), *sorted((root / "runtimes").rglob("*.md"))]
    lookalikes = """
commit 3f786850e387550fdab836ed7e6dc881de23001b
index 89e6c98..d92368f 100644
id: 123e4567-e89b-12d3-a456-426614174000 sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==">
The bearer of this letter has an authorization: see below. Bearer tokens are explained in RFC 6750.
.sk-fading-circle-animation-delay-class-name { color: red }  task-12345678901234567890 sk-learn
password = get_password()  api_key=os.environ["API_KEY"]  def login(password: str, token: str) -> None: ...
"""
    text = "".join(path.read_text() for path in sources if "redaction" not in path.relative_to(root).parts) + lookalikes
    return (text * 2)[: max(len(text), 210_000)]
