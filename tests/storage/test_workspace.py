"""The workspace file, and the errors that name its lines."""

import textwrap
from pathlib import Path

import pytest

from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.storage.workspace import WorkspaceError, WorkspaceFile, believed, read_workspace

EXAMPLE = """\
version: 1
sources:
  - kind: functions            # functions | mcp | openapi | http | command | script | wasm | toolregistry | builtin
    name: shop                 # optional for functions; the namespace for the others
    path: tools
  - kind: mcp
    name: everything
    command: node
    args: [server.js, stdio]
    env: {TOKEN: "${secret:NAME}"}
aliases:
  - name: cheap_price
    tool: shop.price
    description: Price of three units.
    preset: {qty: 3}           # fixed, hidden from the script
    defaults: {currency: EUR}  # the script may override
    timeout: 10
    permission: allow          # allow | ask | deny
    redact: [iban]
    enabled: true
grants:
  readonly: [cheap_price, "everything.*"]
limits: {timeout: 30, max_depth: 5}
redaction:
  keys: [iban]
  patterns: [{name: ticket, pattern: "TCK-[0-9]{6}"}]
  to_script: false
"""


def read(folder: Path, text: str | bytes) -> WorkspaceFile:
    (folder / "studio.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_workspace(folder)


def fault(folder: Path, text: str | bytes) -> str:
    """The error without the folder, which it must begin with; one line."""
    with pytest.raises(WorkspaceError) as raised:
        read(folder, text)
    message = str(raised.value)
    assert message.startswith(f"{folder}/studio.yaml:")
    assert "\n" not in message
    return message.removeprefix(f"{folder}/studio.yaml:")


# What is read


def test_the_example_of_the_contract_is_read_whole(tmp_path: Path):
    file = read(tmp_path, EXAMPLE)
    functions, mcp = file.sources
    assert isinstance(functions, FunctionsEntry)
    assert (functions.name, functions.path, functions.isolation) == ("shop", Path("tools"), "thread")
    assert isinstance(mcp, McpEntry)
    assert (mcp.kind, mcp.name) == ("mcp", "everything")
    assert (mcp.command, mcp.args, mcp.env) == ("node", ("server.js", "stdio"), {"TOKEN": "${secret:NAME}"})
    (alias,) = file.aliases
    assert (alias.name, alias.tool, alias.description) == ("cheap_price", "shop.price", "Price of three units.")
    assert (alias.preset, alias.defaults, alias.timeout) == ({"qty": 3}, {"currency": "EUR"}, 10)
    assert (alias.permission, alias.redact, alias.enabled) == ("allow", ("iban",), True)
    assert file.grants == {"readonly": ("cheap_price", "everything.*")}
    assert (file.limits.timeout, file.limits.max_depth) == (30, 5)
    assert (file.redaction.keys, file.redaction.to_script) == (("iban",), False)
    assert [(rule.name, rule.pattern) for rule in file.redaction.patterns] == [("ticket", "TCK-[0-9]{6}")]


@pytest.mark.parametrize(
    "text", ["", "\n", "# nothing yet\n", "version: 1", "\ufeffversion: 1\n", "---\nversion: 1\n...\n"]
)
def test_a_file_that_says_little_has_the_defaults(tmp_path: Path, text: str):
    assert read(tmp_path, text).model_dump() == WorkspaceFile().model_dump()


ENTRIES = {
    "mcp": "command: node",
    "openapi": "document: api.yaml",
    "http": "url: http://localhost/x",
    "command": "argv: [date]",
    "script": "path: a.py",
    "wasm": "path: a.wasm",
    "toolregistry": "module: a",
    "builtin": "tools: [time]",
}


@pytest.mark.parametrize("kind", ENTRIES)
def test_every_kind_of_source_is_read_and_a_key_that_it_has_not_is_told(tmp_path: Path, kind: str):
    text = f"sources:\n  - kind: {kind}\n    name: n\n    {ENTRIES[kind]}\n"
    (entry,) = read(tmp_path, text).sources
    assert (entry.kind, entry.name) == (kind, "n")
    assert fault(tmp_path, text + "    colour: red\n").startswith("5: sources.0.colour: unknown key 'colour'")


def test_values_are_plain_data_as_json_has_it(tmp_path: Path):
    text = """
    aliases:
      - name: a
        tool: b
        preset: {day: 2024-02-30, at: 2024-01-01 10:00, list: [1, 1.5, 0x10, true, null, "x"], map: {k: {}}, tag: !t v}
    """
    preset = read(tmp_path, textwrap.dedent(text)).aliases[0].preset
    assert preset == {
        "day": "2024-02-30",
        "at": "2024-01-01 10:00",
        "list": [1, 1.5, 16, True, None, "x"],
        "map": {"k": {}},
        "tag": "v",
    }
    kinds = {type(value) for value in (*preset.values(), *preset["list"])}
    assert kinds == {str, list, dict, int, float, bool, type(None)}


def test_anchors_and_merges_are_understood(tmp_path: Path):
    text = "aliases:\n  - &first {name: a, tool: t, timeout: 5}\n  - {<<: *first, name: b}\n"
    assert [(alias.name, alias.timeout) for alias in read(tmp_path, text).aliases] == [("a", 5), ("b", 5)]


def test_an_entry_makes_its_alias(tmp_path: Path):
    text = "aliases:\n  - {name: a, tool: t, preset: {x: [1]}, redact: [k], enabled: false, notes: mine}\n"
    alias = read(tmp_path, text).aliases[0].alias()
    assert (alias.name, alias.tool, alias.preset, alias.redact, alias.enabled) == ("a", "t", {"x": [1]}, ("k",), False)


def test_every_entry_knows_its_line(tmp_path: Path):
    file = read(tmp_path, EXAMPLE)
    assert [file.line_of("sources", 0), file.line_of("sources", 1)] == [3, 6]
    assert [file.line_of("aliases", 0), file.line_of("aliases", 0, "timeout")] == [12, 17]
    assert file.line_of("nosuch", 3) == 1
    assert WorkspaceFile().line_of("aliases", 0) is None


# What is wrong with the content


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version: 1\n\nsauces: []\n", "3: sauces: unknown key 'sauces'; remove it or correct its spelling"),
        ("sources:\n  - kind: functions\n    path: a\n    pth: b\n", "4: sources.0.pth: unknown key 'pth'"),
        ("sources:\n- {kind: functions, path: a}\n- kind: functions\n  path: b\n  x: 1\n", "5: sources.1.x: unknown"),
        ("aliases:\n  - name: a\n    tool: b\n    presets: {}\n", "4: aliases.0.presets: unknown key 'presets'"),
        ("limits:\n  timeout: 1\n  depth: 2\n", "3: limits.depth: unknown key 'depth'"),
        ("redaction:\n  key: [a]\n", "2: redaction.key: unknown key 'key'"),
        (
            "redaction:\n  patterns:\n    - name: a\n      pattern: b\n      flags: i\n",
            "5: redaction.patterns.0.flags: unknown key 'flags'",
        ),
    ],
)
def test_an_unknown_key_is_named_with_its_line(tmp_path: Path, text: str, told: str):
    assert fault(tmp_path, text).startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sources:\n  - kind: functions\n    name: a\n", "2: sources.0.path: the key 'path' is missing"),
        ("sources:\n  - name: a\n", "2: sources.0.kind: the key 'kind' is missing"),
        ("aliases:\n\n  - name: a\n", "3: aliases.0.tool: the key 'tool' is missing"),
        ("redaction:\n  patterns:\n    - name: a\n", "3: redaction.patterns.0.pattern: the key 'pattern' is missing"),
    ],
)
def test_a_missing_key_is_named_with_the_line_of_its_entry(tmp_path: Path, text: str, told: str):
    assert fault(tmp_path, text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version: 2", "1: version: must be 1, for this studio knows no version 2 of the file"),
        ("version: '1'", "1: version: must be a whole number, not '1'"),
        ("version: true", "1: version: must be a whole number, not true"),
        ("\nsources: tools", "2: sources: must be a list, not 'tools'"),
        ("sources:", "1: sources: must be a list, not nothing"),
        ("sources: {kind: functions}", "1: sources: must be a list, not a mapping"),
        ("sources:\n  - tools\n", "2: sources.0: must be a mapping, not 'tools'"),
        ("sources:\n  - kind: functoins\n", "2: sources.0.kind: must be one of 'functions', 'mcp'"),
        ("sources:\n  - kind: functions\n    path: 5\n", "3: sources.0.path: must be a path, not 5"),
        ("sources:\n  - kind: functions\n    path: a\n    name: 5\n", "4: sources.0.name: must be text"),
        ("sources:\n  - {kind: functions, path: a,\n     isolation: vm}\n", "3: sources.0.isolation: input should be"),
        ("sources:\n- kind: functions\n  path: a\n  permissions:\n    add: maybe\n", "5: sources.0.permissions.add: "),
        ("sources:\n- kind: functions\n  path: a\n  timeout: '5'\n", "4: sources.0.timeout: must be a number, not '5'"),
        (
            "aliases:\n  - name: a\n    tool: b\n    timeout: -1\n",
            "4: aliases.0.timeout: input should be greater than 0",
        ),
        ("aliases:\n  - name: a\n    tool: b\n    timeout: .inf\n", "4: aliases.0.timeout: input should be a finite"),
        ("aliases:\n  - name: a\n    tool: b\n    timeout: true\n", "4: aliases.0.timeout: must be a number, not true"),
        ("aliases:\n  - name: a\n    tool: b\n    enabled: 'yes'\n", "4: aliases.0.enabled: must be true or false"),
        ("aliases:\n  - name: a\n    tool: b\n    preset: [1]\n", "4: aliases.0.preset: must be a mapping, not a list"),
        ("aliases:\n  - name: a\n    tool: b\n    redact: iban\n", "4: aliases.0.redact: must be a list, not 'iban'"),
        ("aliases:\n  - name: a\n    tool: b\n    redact:\n      - 5\n", "5: aliases.0.redact.0: must be text"),
        (
            "aliases:\n  - name: a\n    tool: b\n    permission: no\n",
            "4: aliases.0.permission: input should be 'allow'",
        ),
        ("aliases:\n  - name: ''\n    tool: b\n", "2: aliases.0.name: string should have at least 1 character"),
        ("grants:\n  a: b\n", "2: grants.a: must be a list, not 'b'"),
        ("grants:\n  1: [b]\n", "2: grants.1: must be text"),
        ("grants: [a]\n", "1: grants: must be a mapping, not a list"),
        ("runtimes: 1\n", "1: runtimes: must be a mapping, not 1"),
        ("limits:\n  max_depth: 0\n", "2: limits.max_depth: input should be greater than or equal to 1"),
        ("limits:\n  max_depth: 101\n", "2: limits.max_depth: input should be less than or equal to 100"),
        ("limits:\n  max_depth: 5.0\n", "2: limits.max_depth: must be a whole number, not 5.0"),
        ("limits:\n  max_depth: '5'\n", "2: limits.max_depth: must be a whole number, not '5'"),
        ("limits: 30\n", "1: limits: must be a mapping, not 30"),
        ("redaction:\n  to_script: 1\n", "2: redaction.to_script: must be true or false, not 1"),
        ("redaction:\n  keys: iban\n", "2: redaction.keys: must be a list, not 'iban'"),
        ("1: 2", "1: 1: must be text (put the key in quotes)"),
    ],
)
def test_a_wrong_type_is_told_with_key_and_line(tmp_path: Path, text: str, told: str):
    assert fault(tmp_path, text).startswith(told)


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("(", "3: redaction.patterns.0.pattern: Pattern 'mine' cannot be used: "),
        ("(?=a)", "3: redaction.patterns.0.pattern: Pattern 'mine' cannot be used: look-ahead"),
        ("a*", "3: redaction.patterns.0.pattern: Pattern 'mine' matches the empty text"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_named_with_its_line(tmp_path: Path, pattern: str, told: str):
    assert fault(tmp_path, f"redaction:\n  patterns:\n    - {{name: mine, pattern: '{pattern}'}}\n").startswith(told)


def test_an_error_shows_nothing_of_what_a_mapping_holds(tmp_path: Path):
    assert "hunter2" not in fault(tmp_path, "aliases:\n  password: hunter2\n")


# What is no YAML, or no text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version: 1\nsources: [\n", "3: not YAML: "),
        ("version: 1\n  limits: {}\n", "2: not YAML: "),
        ("version: 1\nsources:\n\t- kind: mcp\n", "3: not YAML: found character '\\t'"),
        ("version: 1\nlimits: {}\nversion: 1\n", '3: not YAML: found duplicate key "version"'),
        ("aliases:\n  - name: a\n    tool: b\n    name: c\n", '4: not YAML: found duplicate key "name"'),
        ("version: 1\n---\nversion: 1\n", "2: not YAML: "),
        ("version: *nothing\n", "1: not YAML: found undefined alias"),
        ("version: 1\n# \x01\n", "2: not YAML: the character U+0001 is not allowed"),
        ("limits: {timeout: !!int x}\n", "1: not YAML: "),
        ("a: " + "[" * 800, "1: more than 200 brackets in each other"),
        ("- kind: functions\n", "1: must be a mapping of keys such as 'sources' and 'aliases'"),
        ("just text", "1: must be a mapping"),
        ("5", "1: must be a mapping"),
        (b"version: 1\n# caf\xe9\n", "2: not UTF-8 text (byte 0xe9)"),
        ("version: 1\n".encode("utf-16"), "1: not UTF-8 text"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, text: str | bytes, told: str):
    assert fault(tmp_path, text).startswith(told)


def test_a_folder_without_the_file_is_a_workspace_of_its_functions(tmp_path: Path):
    [beside] = read_workspace(tmp_path).sources
    assert (beside.kind, str(beside.path), beside.nested) == ("functions", ".", False)
    (tmp_path / "tools").mkdir()
    [within] = read_workspace(tmp_path).sources
    assert (within.kind, str(within.path), within.nested) == ("functions", "tools", True)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path):
    (tmp_path / "file").touch()
    for name in ("nowhere", "file"):
        with pytest.raises(WorkspaceError) as raised:
            read_workspace(tmp_path / name)
        assert str(raised.value) == f"There is no folder {str(tmp_path / name)!r}."


def test_a_file_that_cannot_be_opened_says_why(tmp_path: Path):
    (tmp_path / "studio.yaml").mkdir()
    with pytest.raises(WorkspaceError, match=r"studio\.yaml cannot be read: Is a directory\.$"):
        read_workspace(tmp_path)


TOOL = """
import helpers
try:
    import quicker
except ImportError:
    quicker = None
import json, pydantic
"""


def test_what_tools_import_from_above_their_folder_is_believed_be_it_there_or_not(tmp_path: Path):
    for name, text in {
        "deep/tools/shop.py": TOOL,
        "helpers.py": "import lower.x",
        "lower/x.py": "import farther",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    file = read(tmp_path, "sources: [{kind: functions, path: deep/tools}]")
    kept = {str(path.relative_to(tmp_path)) for path in believed(file, tmp_path)}
    wanted = {"helpers.py", "quicker", "quicker.py", "lower", "farther.py", "deep/quicker.py", "deep/helpers"}
    assert wanted <= kept
    assert not {name for name in kept if "json" in name or "pydantic" in name}


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("{kind: mcp, name: a, command: npx, args: [-y, server]}", True),
        ("{kind: mcp, name: a, command: python3.11, args: [-m, server]}", True),
        ("{kind: command, name: a, argv: [make, all]}", True),
        ("{kind: mcp, name: a, command: npx, args: [-y, server], cwd: /}", False),
        ("{kind: command, name: a, argv: [ls]}", False),
    ],
)
def test_the_folder_that_an_interpreter_is_started_in_is_believed(source: str, kept: bool, tmp_path: Path):
    assert (tmp_path in believed(read(tmp_path, f"sources: [{source}]"), tmp_path)) is kept


@pytest.mark.parametrize("word", ["x" * 300, "a/" * 3000, "\0", "loop"])
def test_a_word_of_a_program_that_can_be_no_file_is_none(word: str, tmp_path: Path):
    (tmp_path / "loop").symlink_to("loop")
    entry = McpEntry(name="m", command="python3", args=("-c", word))
    assert tmp_path in believed(WorkspaceFile(sources=(entry,)), tmp_path)
