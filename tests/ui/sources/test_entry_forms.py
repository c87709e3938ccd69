"""Every entry can be shown in its form, and comes back from it as it was."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ptc_studio.sources.kinds import KINDS
from ptc_studio.ui.sources.entry_form import EntryForm
from ptc_studio.ui.sources.entry_schema import NoWords, line_of, list_of

# fmt: off
ENTRIES: list[dict[str, Any]] = [
    {"kind": "functions", "path": "tools", "tools": ["a:All", {"name": "b:c", "description": "Other."}]},
    {"kind": "functions", "path": "tools", "name": "shop", "tools": ["a:All", "b:c"], "permissions": {"x": "ask"}},
    {"kind": "mcp", "name": "a", "command": "x", "args": ["-c", "two words", "it's", ""], "env": {"A": "1"}},
    {"kind": "mcp", "name": "a", "url": "https://x.example", "headers": {"H": "${secret:X}"}, "start_timeout": 3.5},
    {"kind": "openapi", "name": "a", "document": "x.yaml", "include": ["GET /a", "tag:b"], "server": 1},
    {"kind": "http", "name": "a", "url": "https://x.example/{b}", "expect": [200, "3xx"], "query": {"n": 1, "s": "t"}},
    {"kind": "http", "name": "a", "requests": [{"name": "b", "url": "https://x.example", "expect": [204]}]},
    {
        "kind": "http", "name": "a", "url": "https://x.example",
        "auth": {"type": "api_key", "key_name": "X-Key", "key": "${secret:K}", "place": "query"},
    },
    {
        "kind": "http", "name": "a", "url": "https://x.example",
        "auth": {
            "type": "authorization_code", "client_id": "me", "token_url": "https://x.example/t",
            "authorization_url": "https://x.example/a", "scope": "read write",
        },
    },
    {"kind": "command", "name": "a", "argv": ["git", "log", ["-n", "{count?}"]], "ok": [0, 1]},
    {"kind": "command", "name": "a", "commands": [{"name": "b", "argv": ["x", "{y}"]}], "env": {"A": "b"}},
    {"kind": "script", "name": "a.b", "path": "x.py", "parameters": {"n": {"type": "integer"}}, "output": {}},
    {"kind": "wasm", "name": "a", "path": "x.wasm", "aliases": ["b", "c"], "memory_mb": 32},
    {"kind": "toolregistry", "name": "a", "module": "x.py", "object": "registry"},
    {"kind": "builtin", "tools": ["time", "echo"], "http_hosts": ["a.example", "localhost:80"], "max_bytes": 5},
]
# fmt: on


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["kind"])
def test_an_entry_comes_back_from_its_form_as_it_was(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, entry: dict[str, Any]
):
    form = EntryForm(entry["kind"], entry, folder=tmp_path)
    qtbot.addWidget(form)
    form.show()
    model = KINDS[entry["kind"]].entry
    assert model.model_validate(form.values()) == model.model_validate(entry)
    assert set(form.values()) == set(entry)
    assert form.is_valid(), form.main.faults() + form.rare.faults()


SCHEMES = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "login": {"type": "http", "scheme": "basic"},
    "token": {"type": "http", "scheme": "bearer"},
    "oauth": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://x.example/t"}}},
}
AUTH = {
    "key": "${secret:KEY}",
    "login": "ann:${secret:PASSWORD}",
    "token": "${secret:TOKEN}",
    "oauth": "client_id=me client_secret=${secret:CLIENT} scope=read,write",
}


def test_the_schemes_of_a_document_have_fields_for_their_parts(qtbot: QtBot, tmp_path: Path):
    entry = {"kind": "openapi", "name": "a", "document": "x.yaml", "auth": AUTH}
    form = EntryForm("openapi", entry, folder=tmp_path, schemes=SCHEMES)
    qtbot.addWidget(form)
    form.show()
    assert form.values() == entry
    assert form.is_valid()
    parts = form.main.value()["auth"]
    assert parts["login"] == {"user": "ann", "password": "${secret:PASSWORD}"}
    assert parts["oauth"] == {"client_id": "me", "client_secret": "${secret:CLIENT}", "scope": "read,write"}
    empty = EntryForm("openapi", {"name": "a", "document": "x.yaml"}, folder=tmp_path, schemes=SCHEMES)
    qtbot.addWidget(empty)
    assert "auth" not in empty.values()


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_every_kind_is_in_one_of_its_forms(kind: str):
    shown = [{*way.fields, *KINDS[kind].rare_fields(way)} for way in KINDS[kind].form.ways]
    # Without ways the form has all fields in the order of the entry.
    assert not shown or set.union(*shown) == set(KINDS[kind].entry.model_fields) - {"kind"}


@pytest.mark.parametrize(
    ("role", "value", "line"),
    [
        ("words", ["git", "log"], "git log"),
        ("words", ["a b", "", "it's", '"', "{x?}"], "'a b' '' 'it'\"'\"'s' '\"' {x?}"),
        ("words", ["git", ["-n"]], None),
        ("words", ["two\nlines"], None),
        ("items", [200, "2xx"], "200, 2xx"),
        ("items", ["GET /a", "b"], "GET /a, b"),
        ("items", ["a,b"], None),
        ("items", ["12"], None),
        ("functions", [{"name": "a"}], None),
    ],
)
def test_a_list_is_one_line_where_the_line_says_the_same(role: Any, value: list[Any], line: str | None):
    assert line_of(role, value) == line
    if line is not None:
        assert list_of(role, line) == value


def test_a_line_with_an_open_quotation_mark_has_no_words():
    with pytest.raises(NoWords, match="not closed"):
        list_of("words", "git 'log")
