"""MCP servers that ask a person, in the terminal: refused, unless the command line answers."""

from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.cli.conftest import COMMAND, only_document
from tests.sources.mcp.conftest import EVERYTHING

CALL = ("call", "all.trigger-elicitation-request", "--workspace", ".", "--no-history")


@pytest.fixture
def asked(project: Any) -> Any:
    server = f"{{kind: mcp, name: all, command: node, args: ['{EVERYTHING}', stdio]}}"
    project.write("studio.yaml", f"version: 1\nsources: [{server}]\n")
    return project


def test_what_a_server_asks_is_refused_without_an_answer_on_the_command_line(asked: Any) -> None:
    done = asked.command(*CALL)
    assert "declined" in done.stdout
    assert "Please provide inputs" in done.stderr
    assert "--elicit all=JSON" in done.stderr


def test_the_command_line_answers_a_server_and_its_messages_are_printed(asked: Any) -> None:
    done = asked.command(*CALL, "--elicit", 'all={"name": "Ann"}', "--mcp-log", "--json")
    assert "Name: Ann" in str(only_document(done.stdout)["result"])
    assert "elicitation/create" in done.stderr
    unfit = asked.command(*CALL, "--elicit", 'all={"name": 7}')
    assert "is not of type 'string'" in unfit.stderr
    assert "declined" in unfit.stdout
    wrong = asked.command(*CALL, "--elicit", "all={")
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr


async def test_what_is_served_over_mcp_is_answered_by_the_command_line_too(asked: Any) -> None:
    given = ["mcp", "--workspace", str(asked.folder), "--no-history", "--alone", "--elicit", 'all={"name": "Ann"}']
    program = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], *given], env=asked.environment)
    async with Client(stdio_client(program)) as client:
        done = await client.call_tool(CALL[1], {})
    assert "Name: Ann" in str(done.content)
