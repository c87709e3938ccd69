"""The workspace file under the forms: a change shows as just that change, whatever the file looks like."""

import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from ptc_studio.storage.workspace import WorkspaceError, read_workspace
from ptc_studio.storage.workspace_editor import WorkspaceEditor

Operation = Callable[[WorkspaceEditor], object]

FILE = """\
# My workspace
version: 1

# Where tools come from
sources:
  # all of them are mine
  - kind: functions   # functions | mcp
    name: shop        # optional
    path: 'tools'
    # isolation: process

  # the node server
  - kind: mcp
    name: everything
    command: node
    args: [server.js,   stdio]
    env: {TOKEN: "${secret:NAME}"}   # never in clear
aliases:
  - name: cheap
    tool: shop.price
    preset: {qty: 3}    # fixed
  - {name: dear, tool: shop.price}
grants:
  readonly: [cheap, "everything.*"]

limits: {timeout: 30}
# the end
"""


def edited(folder: Path, before: str | bytes, operation: Operation) -> bytes:
    (folder / "studio.yaml").write_bytes(before if isinstance(before, bytes) else before.encode())
    operation(WorkspaceEditor(folder))
    read_workspace(folder)
    return (folder / "studio.yaml").read_bytes()


GOLDEN: dict[str, tuple[str, str, Operation]] = {
    "a value keeps its quotes": ("path: 'tools'", "path: 'tools2'", lambda e: e.replace_source("shop", {"path": "tools2"})),
    "a new key comes behind the one before it in the form": (
        "    path: 'tools'\n",
        "    path: 'tools'\n    isolation: process\n",
        lambda e: e.replace_source(0, {"kind": "functions", "name": "shop", "path": "tools", "isolation": "process"}),
    ),
    "a default is not written": ("", "", lambda e: e.replace_source(0, {"path": "tools", "isolation": "thread", "timeout": None})),
    "keys that the form does not know stay": ("node\n", "deno\n", lambda e: e.replace_source("everything", {"command": "deno"})),
    "a nested mapping changes in its own place": (
        '{TOKEN: "${secret:NAME}"}   #',
        '{TOKEN: "${secret:OTHER}", B: "yes"}   #',
        lambda e: e.replace_source(1, {"env": {"TOKEN": "${secret:OTHER}", "B": "yes"}}),
    ),
    "a list within brackets": ("stdio]", 'stdio, "-x", a b]', lambda e: e.replace_source(1, {"args": ["server.js", "stdio", "-x", "a b"]})),
    "an item in the middle of a list goes": ("[server.js,   stdio]", "[stdio]", lambda e: e.replace_source(1, {"args": ["stdio"]})),
    "what becomes empty goes": (
        '    env: {TOKEN: "${secret:NAME}"}   # never in clear\n', "", lambda e: e.replace_source(1, {"env": {}}),
    ),
    "a key is removed by name": ("    args: [server.js,   stdio]\n", "", lambda e: e.replace_source(1, {}, remove=["args"])),
    "the first source goes without what is said of all": (
        "  - kind: functions   # functions | mcp\n    name: shop        # optional\n    path: 'tools'\n    # isolation: process\n\n",
        "",
        lambda e: e.remove_source("shop"),
    ),
    "a source goes with its own comment": (
        "\n  # the node server\n  - kind: mcp\n    name: everything\n    command: node\n    args: [server.js,   stdio]\n    env: {TOKEN: \"${secret:NAME}\"}   # never in clear\n",
        "",
        lambda e: e.remove_source(1),
    ),
    "a source is added with an empty line as the others have": (
        "   # never in clear\n",
        "   # never in clear\n\n  - kind: functions\n    name: more\n    path: ./more\n",
        lambda e: e.add_source({"kind": "functions", "name": "more", "path": "./more", "isolation": "thread"}),
    ),
    "a source is added in front": (
        "  # all of them are mine\n",
        "  # all of them are mine\n  - kind: functions\n    name: more\n    path: more\n\n",
        lambda e: e.add_source({"kind": "functions", "name": "more", "path": "more"}, 0),
    ),
    "an alias is added in one line as the last one is": (
        "  - {name: dear, tool: shop.price}\n",
        "  - {name: dear, tool: shop.price}\n  - {name: x, tool: shop.y, preset: {a: 1}}\n",
        lambda e: e.add_alias({"name": "x", "tool": "shop.y", "preset": {"a": 1}}),
    ),
    "an alias in one line gets a key": (
        "tool: shop.price}", "tool: shop.price, timeout: 2.5}", lambda e: e.replace_alias("dear", {"name": "dear", "tool": "shop.price", "timeout": 2.5}),
    ),
    "an alias goes": ("  - {name: dear, tool: shop.price}\n", "", lambda e: e.remove_alias("dear")),
    "an alias is renamed wherever it is named": (
        "  - name: cheap\n    tool: shop.price\n    preset: {qty: 3}    # fixed\n  - {name: dear, tool: shop.price}\ngrants:\n  readonly: [cheap,",
        "  - name: low\n    tool: shop.price\n    preset: {qty: 3}    # fixed\n  - {name: dear, tool: shop.price}\ngrants:\n  readonly: [low,",
        lambda e: e.rename_alias("cheap", "low"),
    ),
    "an alias alone is renamed": ("name: cheap", "name: low", lambda e: e.rename_alias(0, "low", everywhere=False)),
    "aliases change places": (
        "  - name: cheap\n    tool: shop.price\n    preset: {qty: 3}    # fixed\n  - {name: dear, tool: shop.price}\n",
        "  - {name: dear, tool: shop.price}\n  - name: cheap\n    tool: shop.price\n    preset: {qty: 3}    # fixed\n",
        lambda e: e.move_alias("dear", 0),
    ),
    "a grant changes": ('"everything.*"]', '"everything.*", dear]', lambda e: e.set_grant("readonly", ["cheap", "everything.*", "dear"])),
    "a grant is added": (
        '"everything.*"]\n', '"everything.*"]\n  all: ["*"]\n', lambda e: e.set_grant("all", ["*"]),
    ),
    "a grant is renamed": ("  readonly:", '  "on":', lambda e: e.rename_grant("readonly", "on")),
    "the last grant goes": ('grants:\n  readonly: [cheap, "everything.*"]\n', "grants: {}\n", lambda e: e.remove_grant("readonly")),
    "a limit is added": ("{timeout: 30}", "{timeout: 30, max_depth: 5}", lambda e: e.set_limit("max_depth", 5)),
    "a limit that is the same changes nothing": ("", "", lambda e: e.set_limit("timeout", 30.0)),
    "the last limit goes": ("{timeout: 30}", "{}", lambda e: e.set_limit("timeout", None)),
    "a limit that is not there goes": ("", "", lambda e: e.set_limit("max_depth", None)),
    "a new section comes in its place": (
        "\nlimits:", "\nruntimes:\n  bash: {network: true}\n\nlimits:", lambda e: e.set_runtime("bash", "network", True),
    ),
    "the last section is added at the end": (
        "limits: {timeout: 30}\n",
        'limits: {timeout: 30}\n\nredaction:\n  patterns: [{name: t, pattern: "T-[0-9]{6}"}]\n',
        lambda e: e.set_redaction("patterns", [{"name": "t", "pattern": "T-[0-9]{6}"}]),
    ),
    "a permission of a source": (
        "never in clear\n", "never in clear\n    permission: ask\n", lambda e: e.set_source_permission("everything", "ask"),
    ),
    "a permission of a tool": (
        "never in clear\n", "never in clear\n    permissions: {echo: deny}\n", lambda e: e.set_tool_permission("everything", "echo", "deny"),
    ),
    "a permission of an alias": ("shop.price}", "shop.price, permission: allow}", lambda e: e.set_alias_permission("dear", "allow")),
}  # fmt: skip


@pytest.mark.parametrize("case", GOLDEN)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_change_shows_as_just_that_change(tmp_path: Path, case: str, newline: str):
    old, new, operation = GOLDEN[case]
    assert not old or FILE.count(old) == 1, "the case must be clear"
    before = FILE.replace("\n", newline)
    after = FILE.replace(old, new, 1).replace("\n", newline) if old else before
    assert edited(tmp_path, before, operation).decode() == after


@pytest.mark.parametrize("case", GOLDEN)
def test_every_change_can_be_undone_and_done_again(tmp_path: Path, case: str):
    path = tmp_path / "studio.yaml"
    path.write_text(FILE)
    undo = GOLDEN[case][2](WorkspaceEditor(tmp_path))
    after = path.read_text()
    redo = undo.undo()
    assert path.read_text() == FILE
    redo.undo()
    assert path.read_text() == after


OTHERS: dict[str, tuple[str, str, Operation]] = {
    "dashes below their key": (
        "sources:\n- kind: functions\n  path: a\n# next\nlimits: {}\n",
        "sources:\n- kind: functions\n  path: a\n- kind: functions\n  name: b\n  path: b\n# next\nlimits: {}\n",
        lambda e: e.add_source({"kind": "functions", "name": "b", "path": "b"}),
    ),
    "deep indents": (
        "sources:\n    -   kind: functions\n        path: a\n",
        "sources:\n    -   kind: functions\n        path: a\n    -   kind: functions\n        name: b\n        path: b\n",
        lambda e: e.add_source({"kind": "functions", "name": "b", "path": "b"}),
    ),
    "an empty list": (
        "sources: []  # none yet\naliases:\n",
        "sources:  # none yet\n  - kind: functions\n    path: b\naliases: []\n",
        lambda e: (e.set_value(("aliases",), []), e.add_source({"kind": "functions", "path": "b"})),
    ),
    "a key without a value": (
        "grants: {}\naliases:   # none\n",
        "grants: {}\naliases:   # none\n  - name: a\n    tool: t\n",
        lambda e: e.add_alias({"name": "a", "tool": "t"}),
    ),
    "no newline at the end": (
        "version: 1\nlimits:\n  timeout: 3",
        "version: 1\nlimits:\n  timeout: 3\n  max_depth: 2",
        lambda e: e.set_limit("max_depth", 2),
    ),
    "nothing but comments": ("# hello\n", "# hello\nlimits: {timeout: 2}\n", lambda e: e.set_limit("timeout", 2)),
    "JSON": (
        '{\n  "version": 1,\n  "limits": {"timeout": 3}\n}\n',
        '{\n  "version": 1,\n  "limits": {"timeout": 3, "max_depth": 2}\n}\n',
        lambda e: e.set_limit("max_depth", 2),
    ),
    "a flow over lines": (
        "grants:\n  a: [\n    one,  # first\n    two,  # second\n  ]\n",
        "grants:\n  a: [\n    one,  # first\n  ]\n",
        lambda e: e.set_grant("a", ["one"]),
    ),
    "text of several lines": (
        "aliases:\n  - name: a\n    description: >-\n      one\n      two\n\n    tool: t\n",
        "aliases:\n  - name: a\n    description: |-\n      1\n\n      2\n\n    tool: t\n",
        lambda e: e.replace_alias("a", {"description": "1\n\n2"}),
    ),
    "an anchor elsewhere is written out": (
        "aliases:\n  - &a {name: a, tool: t, timeout: 5}\n  - {<<: *a, name: b}\n",
        "aliases:\n  - &a {name: a, tool: t, timeout: 6}\n  - {tool: t, timeout: 5, name: b}\n",
        lambda e: e.replace_alias("a", {"timeout": 6}),
    ),
    "an alias of YAML is overridden": (
        "aliases:\n  - &a {name: a, tool: t, timeout: 5}\n  - {<<: *a, name: b}\n",
        "aliases:\n  - &a {name: a, tool: t, timeout: 5}\n  - {<<: *a, name: b, timeout: 6}\n",
        lambda e: e.replace_alias("b", {"timeout": 6}),
    ),
    "an entry with an anchor goes": (
        "aliases:\n  - name: a\n    tool: t\n    preset: &p {x: 1}\n  - name: b\n    tool: t\n    preset: *p\n",
        "aliases:\n  - name: b\n    tool: t\n    preset: {x: 1}\n",
        lambda e: e.remove_alias("a"),
    ),
    "a comment with tabs and a very long line": (
        f"version: 1\n#\t{'long ' * 400}\tend\nlimits: {{timeout: 1}}\n",
        f"version: 1\n#\t{'long ' * 400}\tend\nlimits: {{timeout: 2}}\n",
        lambda e: e.set_limit("timeout", 2),
    ),
    "an entry switched off stays": (
        "sources:\n  - {kind: functions, path: a}\n  # - {kind: functions, path: off}\n  - {kind: functions, name: b, path: b}\n",
        "sources:\n  - {kind: functions, path: a}\n  # - {kind: functions, path: off}\n",
        lambda e: e.remove_source("b"),
    ),
    "another kind has none of the old keys": (
        "sources:\n  # mine\n  - kind: functions\n    name: a\n    path: x\n",
        "sources:\n  # mine\n  - kind: mcp\n    name: a\n    command: node\n",
        lambda e: e.replace_source("a", {"kind": "mcp", "name": "a", "command": "node"}),
    ),
    "the first key of an entry goes": (
        "aliases:\n  - timeout: 3\n    name: a\n    tool: t\n",
        "aliases:\n  - name: a\n    tool: t\n",
        lambda e: e.replace_alias("a", {"timeout": None}),
    ),
    "documents with marks": ("---\nversion: 1\n...\n", "---\nversion: 1\nlimits: {timeout: 1}\n...\n", lambda e: e.set_limit("timeout", 1)),
    "block lists of text": (
        "grants:\n  a:\n    - one\n    - two  # second\n",
        "grants:\n  a:\n    - one\n    - new\n    - two  # second\n",
        lambda e: e.set_grant("a", ["one", "new", "two"]),
    ),
    "new collections as the file writes them": (
        "sources:\n  - kind: mcp\n    name: a\n    command: x\n    env:\n      A: b\n",
        "sources:\n  - kind: mcp\n    name: a\n    command: x\n    args:\n      - run\n    env:\n      A: b\n",
        lambda e: e.replace_source("a", {"command": "x", "args": ["run"]}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", OTHERS)
def test_files_of_every_manner_keep_it(tmp_path: Path, case: str):
    before, after, operation = OTHERS[case]
    assert edited(tmp_path, before, operation).decode() == after


def test_a_mark_of_the_byte_order_stays(tmp_path: Path):
    after = edited(tmp_path, b"\xef\xbb\xbfversion: 1\r\n", lambda e: e.set_limit("timeout", 1))
    assert after == b"\xef\xbb\xbfversion: 1\r\nlimits: {timeout: 1}\r\n"


def test_moving_a_source_takes_its_comments_along(tmp_path: Path):
    text = "sources:\n\n  # one\n  - {kind: functions, name: a, path: a}\n\n  # two\n  - {kind: functions, name: b, path: b}\n"
    after = edited(tmp_path, text, lambda e: e.move_source("b", 0)).decode()
    assert after.replace("\n\n", "\n") == (
        "sources:\n  # two\n  - {kind: functions, name: b, path: b}\n  # one\n  - {kind: functions, name: a, path: a}\n"
    )


def test_a_folder_without_a_file_gets_one_and_undoing_takes_it_away(tmp_path: Path):
    undo = WorkspaceEditor(tmp_path).add_source({"kind": "functions", "name": "shop", "path": "tools"})
    text = (tmp_path / "studio.yaml").read_text()
    assert text.startswith("# ")
    assert text.endswith("nested: false\n  - kind: functions\n    name: shop\n    path: tools\n")
    undo.undo()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("has_tools", "source"),
    [
        (False, "  - kind: functions\n    path: .\n    nested: false\n"),
        (True, "  - kind: functions\n    path: tools\n"),
    ],
)
def test_the_file_is_made_with_the_functions_that_the_folder_had_without_it(
    tmp_path: Path, has_tools: bool, source: str
):
    if has_tools:
        (tmp_path / "tools").mkdir()
    before = read_workspace(tmp_path).sources
    WorkspaceEditor(tmp_path).create()
    assert (tmp_path / "studio.yaml").read_text().endswith(f"version: 1\nsources:\n{source}")
    assert read_workspace(tmp_path).sources == before


FULL = """\
sources:
  - kind: http
    name: web
    requests:
      - name: get        # the first
        url: https://a.b/{id}
      - {name: put, url: "https://a.b", method: PUT}
  - {kind: mcp, name: m, command: node, start_timeout: 20}
"""


@pytest.mark.parametrize("which", ["web", "m"])
def test_a_form_that_gives_every_key_back_changes_nothing(tmp_path: Path, which: str):
    (tmp_path / "studio.yaml").write_text(FULL)
    entry = next(each for each in read_workspace(tmp_path).sources if each.name == which)
    editor = WorkspaceEditor(tmp_path)
    editor.replace_source(which, entry.model_dump(mode="json", by_alias=True))
    assert (tmp_path / "studio.yaml").read_text() == FULL


def test_a_form_that_gives_every_key_writes_few_of_them(tmp_path: Path):
    (tmp_path / "studio.yaml").write_text(FULL)
    values = [each.model_dump(mode="json", by_alias=True) for each in read_workspace(tmp_path).sources]
    (tmp_path / "studio.yaml").write_text("version: 1\n")
    editor = WorkspaceEditor(tmp_path)
    for each in values:
        editor.add_source(each)
    assert (tmp_path / "studio.yaml").read_text().partition("version: 1\n")[2] == (
        'sources:\n  - kind: http\n    name: web\n    requests:\n      - {name: get, url: "https://a.b/{id}"}\n'
        '      - {method: PUT, name: put, url: "https://a.b"}\n  - kind: mcp\n    name: m\n    command: node\n'
    )


REFUSED: dict[str, tuple[Operation, str]] = {
    "a wrong type": (lambda e: e.set_limit("timeout", "soon"), "limits.timeout: must be a number"),
    "an unknown key": (lambda e: e.replace_source("shop", {"colour": 1}), "source 'shop', colour: unknown key"),
    "a taken name": (lambda e: e.add_alias({"name": "cheap", "tool": "t"}), "There is already an alias 'cheap'"),
    "a name taken by renaming": (lambda e: e.rename_alias("dear", "cheap"), "There is already an alias 'cheap'"),
    "no such source": (lambda e: e.remove_source("nobody"), "has no source 'nobody'"),
    "no such number": (lambda e: e.remove_source(2), "none with the number 3"),
    "no such grant": (lambda e: e.rename_grant("x", "y"), "has no grant 'x'"),
    "no data": (lambda e: e.set_redaction("keys", [Path("x")]), "redaction.keys.0: a value of type"),
    "no number": (lambda e: e.set_limit("timeout", float("nan")), "nan is no number"),
    "an alias to nothing": (lambda e: e.add_alias({"name": "x"}), "alias 'x', tool: the key 'tool' is missing"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_would_not_do_is_refused_in_a_sentence_and_nothing_is_written(tmp_path: Path, case: str):
    path = tmp_path / "studio.yaml"
    path.write_text(FILE)
    stamp = path.stat().st_mtime_ns
    operation, said = REFUSED[case]
    with pytest.raises(WorkspaceError) as raised:
        operation(WorkspaceEditor(tmp_path))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    assert path.stat().st_mtime_ns == stamp
    assert os.listdir(tmp_path) == ["studio.yaml"]


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "a: [\n", "- 1\n", "\x00"])
def test_a_file_that_is_no_mapping_is_refused_with_its_line(tmp_path: Path, text: str):
    (tmp_path / "studio.yaml").write_text(text)
    with pytest.raises(WorkspaceError, match=r"studio\.yaml:\d+: "):
        WorkspaceEditor(tmp_path)


def test_a_broken_entry_can_be_removed_with_the_others_left(tmp_path: Path):
    text = "sources:\n  - kind: unheard\n    name: bad\n  - {kind: functions, path: a}\n"
    assert (
        edited(tmp_path, text, lambda e: e.remove_source("bad")).decode()
        == "sources:\n  - {kind: functions, path: a}\n"
    )


def test_a_long_file_is_edited_at_once(tmp_path: Path):
    entries = "".join(f"  - name: a{i}\n    tool: shop.t{i}  # {i}\n    preset: {{q: {i}}}\n" for i in range(150))
    before = f"aliases:\n{entries}"
    after = edited(tmp_path, before, lambda e: e.replace_alias("a75", {"preset": {"q": "x"}}))
    assert after.decode() == before.replace("{q: 75}", "{q: x}")


def test_text_with_lines_is_written_as_such(tmp_path: Path):
    values = {"name": "a", "tool": "t", "description": "One.\n\nTwo: three\n"}
    text = edited(tmp_path, "version: 1\n", lambda e: e.add_alias(values)).decode()
    expected = """\
        version: 1
        aliases:
          - name: a
            tool: t
            description: |
              One.

              Two: three
        """
    assert text == textwrap.dedent(expected)
