"""What to copy: the lines by which scripts and MCP clients find the tools."""

import json
import shlex
from pathlib import Path
from typing import Any

from ptc_studio.locations import RUNTIMES, STUDIO_COMMAND
from ptc_studio.serving.tool_service import MCP_PATH, Address

SDK, NODE_SDK = RUNTIMES / "python" / "ptc_tools.py", RUNTIMES / "node" / "ptc_tools.mjs"
OURS = ("PTC_URL", "PTC_JOB_ID", "PTC_TOKEN")


def shell_lines(address: Address) -> str:
    """For a shell, before a script is started in it."""
    lines = [f"export {name}={shlex.quote(value)}" for name, value in _variables(address)]
    return "\n".join([*lines, f"cp {shlex.quote(str(SDK))} .  # what a script imports; for Node.js {NODE_SDK}"])


def docker_line(address: Address) -> str:
    """For a container on this machine; it shares the network, for the endpoint is on the loopback address alone."""
    given = " ".join(f"-e {name}={shlex.quote(value)}" for name, value in _variables(address))
    return f'docker run --rm --network host {given} -v "$PWD":/work -w /work python:3 python script.py'


def env_file(address: Address) -> str:
    """For an `.env` file; with IronClaw's names for the same, too."""
    return "\n".join(f"{name}={value}" for name, value in address.variables().items())


def mcp_entries(address: Address, workspace: Path | None) -> str:
    """Both ways for MCP clients, as far as there are two."""
    served = f"// as long as it is served, for clients that take an address\n{mcp_http_entry(address)}"
    if workspace is None:
        return served
    return f"// any time, for clients that start a program\n{mcp_command_entry(workspace)}\n\n{served}"


def mcp_http_entry(address: Address) -> str:
    """For clients that take an address, as long as the tools are served."""
    server = {
        "type": "http",
        "url": f"{address.url}{MCP_PATH}",
        "headers": {"Authorization": f"Bearer {address.token}"},
    }
    return _entry(server)


def mcp_command_entry(workspace: Path | None, functions: Path | None = None) -> str:
    """For clients that start a program: Claude Desktop and Code, Cursor, Windsurf, Gemini, and others."""
    named = [("--workspace", workspace), ("--functions", functions)]
    places = [word for option, folder in named if folder for word in (option, str(folder.resolve()))]
    # The very program that made the entry: a client's PATH may lead to another, or to none.
    return _entry({"command": STUDIO_COMMAND[0], "args": [*STUDIO_COMMAND[1:], "mcp", *places]})


def _entry(server: dict[str, Any]) -> str:
    return json.dumps({"mcpServers": {"ptc-studio": server}}, indent=2)


def _variables(address: Address) -> list[tuple[str, str]]:
    values = address.variables()
    return [(name, values[name]) for name in OURS]
