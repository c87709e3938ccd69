"""Tools of ChatDev workflows, taken over."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pydantic import TypeAdapter

from ptc_studio.exports.chatdev import ChatDevError, import_chatdev
from ptc_studio.sources.functions import FunctionCatalog
from ptc_studio.sources.kinds import SourceEntry

WORKFLOW = """
    version: 0.4.0
    graph:
      id: demo
      nodes:
        - id: solver
          type: agent
          config:
            provider: openai
            tooling:
              - type: function
                config:
                  timeout: 20
                  tools:
                    - name: shop:All
                    - name: math/calc:add
                      description: Adds two numbers, carefully.
                    - name: raw
                      auto_fill: false
                      parameters:
                        type: object
                        properties: {n: {type: integer}}
                        required: [n]
              - type: mcp_remote
                prefix: company
                config:
                  server: https://mcp.example.org/mcp
                  headers: {Authorization: "Bearer ${MY_MCP_TOKEN}"}
                  timeout: 15
                  cache_ttl: 30
        - id: artist
          type: agent
          config:
            tooling:
              type: mcp_local
              config:
                command: uvx
                args: [blender-mcp]
                env: {API_KEY: "sk-ant-api03-abcdefghijklmnop"}
                startup_timeout: 8
                wait_for_log: MCP ready
        - id: reader
          type: agent
          config:
            tooling:
              type: function
              config: {tools: [{name: raw, auto_fill: false, parameters: {type: object, properties: {n: {type: integer}}, required: [n]}}, {name: "shop:price"}]}
"""


def _read(text: str, **options: Any) -> Any:
    return import_chatdev(dedent(text), **options)


def test_a_workflow_becomes_sources_and_grants() -> None:
    found = _read(WORKFLOW)
    functions, company, blender = found.sources
    assert functions == {
        "kind": "functions",
        "path": "functions/function_calling",
        "tools": [
            "shop:All",
            {"name": "math/calc:add", "description": "Adds two numbers, carefully."},
            {
                "name": "raw",
                "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
                "auto_fill": False,
            },
            "shop:price",
        ],
        "timeout": 20.0,
    }
    assert company == {
        "kind": "mcp",
        "name": "company",
        "url": "https://mcp.example.org/mcp",
        "headers": {"Authorization": "Bearer ${env:MY_MCP_TOKEN}"},
        "timeout": 15.0,
    }
    assert blender["name"] == "blender_mcp"
    assert blender["start_timeout"] == 8.0
    assert found.grants == {"solver": ("shop.*", "math.calc.add", "raw"), "reader": ("raw", "shop.price")}
    for source in found.sources:
        TypeAdapter(SourceEntry).validate_python(source)


def test_what_is_lost_is_told_and_keys_are_kept_out() -> None:
    found = _read(WORKFLOW)
    assert found.notes == (
        "The tooling of 'solver' loses 'cache_ttl', which the studio does not know.",
        "The tooling of 'artist' loses 'wait_for_log', which the studio does not know.",
    )
    assert "sk-ant" not in str(found.sources)
    assert list(found.secrets.values()) == ["sk-ant-api03-abcdefghijklmnop"]
    assert "sk-ant" not in repr(found)


def test_the_choice_of_functions_is_what_a_folder_takes(tmp_path: Path) -> None:
    folder = tmp_path / "functions"
    (folder / "math").mkdir(parents=True)
    (folder / "shop.py").write_text("def price(item: str) -> int: ...\ndef stock(item: str) -> int: ...\n")
    (folder / "math/calc.py").write_text("def add(a: int, b: int) -> int: ...\ndef sub(a: int, b: int) -> int: ...\n")
    (folder / "other.py").write_text("def raw(n): return n\n")
    [entry, *_] = _read(WORKFLOW, folder="functions").sources
    assert entry["path"] == "functions"
    catalog = FunctionCatalog(folder)
    try:
        catalog.load()
        chosen = {tool.spec.name: tool.spec for tool in catalog.select(entry["tools"])}
    finally:
        catalog.close()
    assert sorted(chosen) == ["add", "price", "raw", "stock"]
    assert chosen["add"].description == "Adds two numbers, carefully."
    assert chosen["raw"].parameters["properties"] == {"n": {"type": "integer"}}


@pytest.mark.parametrize(
    "text",
    [
        "tooling:\n  type: function\n  config: {tools: [{name: add}]}\n",
        "type: function\nconfig:\n  tools: [add]\n",
        "a:\n  tooling: [{type: function, config: {tools: [{name: ' add '}]}}]\n",
    ],
)
def test_a_piece_of_a_workflow_will_do(text: str) -> None:
    found = _read(text)
    assert found.sources[0]["tools"] == ["add"]
    assert list(found.grants.values()) == [("add",)]


def test_parameters_by_hand_are_said_to_be_so() -> None:
    [source] = _read("type: function\nconfig: {tools: [{name: f, parameters: {type: object}}]}\n").sources
    assert source["tools"] == [{"name": "f", "parameters": {"type": "object"}, "auto_fill": False}]


def test_a_whole_module_takes_nothing_more() -> None:
    found = _read("type: function\nconfig: {tools: [{name: 'shop:All', description: x}]}\n")
    assert found.sources[0]["tools"] == ["shop:All"]
    assert found.notes == (
        "The tooling of 'tools' says more of 'shop:All' than which it is, which is for single functions only: it is left out.",
    )


def test_two_servers_of_one_name_differ() -> None:
    one = "{type: mcp_local, config: {command: node, args: [server.js]}}"
    found = _read(f"tooling: [{one}, {one}]\n")
    assert [source["name"] for source in found.sources] == ["server", "server_2"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nodes: []\n", "There are no tools in it"),
        ("", "There are no tools in it"),
        ("- a\n", "The workflow cannot be read, line 1"),
        ("a: [\n", "The workflow cannot be read, line"),
    ],
)
def test_what_is_no_workflow_is_said_to_be_none(text: str, words: str) -> None:
    with pytest.raises(ChatDevError, match=words):
        _read(text)


def test_sections_that_make_no_sense_are_noted() -> None:
    found = _read(
        "tooling: [{type: odd, config: {}}, {type: function}, 7, {type: function, config: {tools: [{}, {name: f}]}}]\n"
    )
    assert found.sources[0]["tools"] == ["f"]
    assert [note.partition(" is ")[2][:8] for note in found.notes[:3]] == ["left out"] * 3
    assert "without a name" in found.notes[3]
