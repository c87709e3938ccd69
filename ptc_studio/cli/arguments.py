"""The command line as the help shows it."""

import argparse
from typing import NoReturn

from ptc_studio import __version__
from ptc_studio.exports import FORMATS

REPORTS = ("json", "html", "markdown", "chrome", "otlp", "pytest", "bundle", "conversation")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def parsed(given: list[str]) -> argparse.Namespace:
    """What the user asks for; ends the program with a line if that makes no sense, or if he asks for help."""
    parser = _build_parser()
    options = parser.parse_args(given)
    if options.command == "run" and options.script is None:
        _find_script(options, parser)
    return options


def _build_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="ptc-studio",
        description="Run scripts that call tools, and watch every call. Without a command the window opens, on a "
        "workspace or script if one is named.",
    )
    parser.add_argument("--version", action="version", version=f"ptc-studio {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _add_run(commands)
    tools = commands.add_parser("tools", help="list the tools and what did not load")
    tools.add_argument("names", metavar="NAME", nargs="*", help="a grant set, tool, alias or pattern; all without it")
    tools.add_argument(
        "--format", metavar="FORMAT", choices=tuple(FORMATS), help=f"as definitions: {', '.join(FORMATS)}"
    )
    tools.add_argument("--target", metavar="ID", help="with --format pyi or dts: as its scripts see them")
    _add_places(tools)
    _add_mcp_log(tools)
    call = commands.add_parser("call", help="call one tool")
    call.add_argument("name", metavar="NAME")
    call.add_argument("--args", metavar="JSON", help="the arguments, as a JSON object")
    _add_places(call)
    _add_servers(call)
    _add_no_history(call)
    trust = commands.add_parser("trust", help="have the tools of a folder loaded wherever it is opened")
    trust.add_argument("folder", metavar="DIR")
    trust.add_argument("--revoke", action="store_true", help="stop that")
    _add_history(commands)
    importing = commands.add_parser("import", help="make scripts and cassettes of a conversation with a model")
    importing.add_argument("file", metavar="FILE", help="the conversation: JSON, JSON lines or an SSE dump")
    importing.add_argument("--into", metavar="DIR", required=True, help="the folder for them; it is made if need be")
    importing.add_argument("--json", action="store_true", help="print one JSON document")
    runtimes = commands.add_parser("runtimes", help="list the runtimes")
    runtimes.add_argument("--json", action="store_true", help="print one JSON document")
    targets = commands.add_parser("targets", help="list where scripts are deployed, and what is known of each")
    targets.add_argument("--json", action="store_true", help="print one JSON document")
    check = commands.add_parser("check", help="tell what fails where a script is going, without running it")
    check.add_argument("script", metavar="SCRIPT", help="the file to look at; - reads standard input")
    check.add_argument("--target", metavar="ID", default="auto", help="one target, all, or auto (the default)")
    _add_given(check)
    _add_places(check)
    _add_serve(commands)
    _add_secrets(commands)
    _add_sign_ins(commands)
    commands.add_parser("doctor", help="tell what is installed and what is missing")
    return parser


def _add_run(commands: "argparse._SubParsersAction[_Parser]") -> None:
    run = commands.add_parser("run", help="run a script")
    # Optional only to the parser: see `_find_script`.
    run.add_argument("script", metavar="SCRIPT", nargs="?", help="the file to run; - reads standard input")
    run.add_argument("--runtime", metavar="ID", help="what executes it; without this the file's ending decides")
    run.add_argument("--matrix", action="store_true", help="run it in every runtime for its ending, and compare")
    run.add_argument("--target", metavar="ID", help="where the script is going; auto tells it from the text")
    _add_given(run)
    _add_places(run)
    run.add_argument("--timeout", metavar="S", type=_seconds, help="seconds for the whole run")
    run.add_argument("--max-depth", metavar="N", type=_depth, help="how deep calls may nest")
    run.add_argument("--grant", metavar="NAME", action="append", nargs="+", help="a grant set, tool, alias or pattern")
    _add_answers(run)
    _add_servers(run)
    _add_no_history(run)


def _add_servers(command: argparse.ArgumentParser) -> None:
    """What MCP servers ask, and what they say."""
    _add_elicit(command)
    _add_mcp_log(command)


def _add_elicit(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--elicit",
        metavar="NAME=JSON",
        action="append",
        help="what a server, or one tool of it, is given when it asks a person; refused without this",
    )


def _add_mcp_log(command: argparse.ArgumentParser) -> None:
    command.add_argument("--mcp-log", action="store_true", help="print the messages to and from MCP servers at the end")


def _add_no_history(command: argparse.ArgumentParser) -> None:
    command.add_argument("--no-history", action="store_true", help="keep nothing of it in the history")


def _add_given(command: argparse.ArgumentParser) -> None:
    command.add_argument("--input", metavar="NAME=JSON", action="append", help="a variable that the script finds")
    command.add_argument("--env", metavar="NAME=VALUE", action="append", help="a variable of its environment")


def _add_serve(commands: "argparse._SubParsersAction[_Parser]") -> None:
    serve = commands.add_parser("serve", help="serve the tools over HTTP to scripts elsewhere on this machine")
    _add_folders(serve)
    serve.add_argument("--port", metavar="N", type=_port, default=0, help="of 127.0.0.1; a free one without this")
    serve.add_argument(
        "--grant", metavar="NAME", action="append", nargs="+", help="a grant set, tool, alias or pattern"
    )
    serve.add_argument("--raw", action="store_true", help="give callers results with the secrets that are in them")
    mcp = commands.add_parser("mcp", help="be an MCP server over standard input and output, with the tools")
    _add_folders(mcp)
    mcp.add_argument("--grant", metavar="NAME", action="append", nargs="+", help="what may be called; all without it")
    mcp.add_argument("--raw", action="store_true", help="give clients results with the secrets that are in them")
    for command in (serve, mcp):
        _add_elicit(command)
        _add_no_history(command)
    mcp.add_argument("--alone", action="store_true", help="do not call through the window of this workspace")
    mcp.add_argument("--config", action="store_true", help="print the entry for the settings of MCP clients, and end")


def _add_secrets(commands: "argparse._SubParsersAction[_Parser]") -> None:
    secrets = commands.add_parser(
        "secrets", help="list the secrets by name, or add, rotate, rename, delete, import them"
    )
    actions = secrets.add_subparsers(dest="action", metavar="ACTION", parser_class=_Parser)
    for name, about in (("add", "keep a value, typed or from standard input"), ("rotate", "give it a new value")):
        actions.add_parser(name, help=about).add_argument("name", metavar="NAME")
    rename = actions.add_parser("rename", help="have it under another name")
    rename.add_argument("name", metavar="NAME")
    rename.add_argument("to", metavar="NEW")
    actions.add_parser("delete", help="forget it").add_argument("name", metavar="NAME")
    importing = actions.add_parser("import", help="keep the values of a .env file")
    importing.add_argument("file", metavar="FILE")
    importing.add_argument("names", metavar="NAME", nargs="*", help="these alone")
    importing.add_argument("--replace", action="store_true", help="also of names that have a value")
    actions.add_parser("passphrase", help="change that of the encrypted file")
    for command in (secrets, *actions.choices.values()):
        # At the action, too; there without a default, which would win over what was said before it.
        workspace = command.add_argument("--workspace", metavar="DIR", help="those of this folder")
        user = command.add_argument("--user", action="store_true", help="the user's, also in a workspace")
        if command is not secrets:
            workspace.default = user.default = argparse.SUPPRESS
    secrets.add_argument("--json", action="store_true", help="print one JSON document")


def _add_sign_ins(commands: "argparse._SubParsersAction[_Parser]") -> None:
    sign_in = commands.add_parser("sign-in", help="sign in to a server that a source uses, with a browser")
    sign_in.add_argument("name", metavar="SOURCE")
    sign_in.add_argument("--no-browser", action="store_true", help="only print the address to open")
    sign_out = commands.add_parser("sign-out", help="forget the tokens of a sign-in")
    sign_out.add_argument("name", metavar="SOURCE")
    for command in (sign_in, sign_out):
        _add_folders(command)


def _add_answers(run: argparse.ArgumentParser) -> None:
    """Who answers the calls, if not the tools; and keeping what was answered."""
    run.add_argument("--record", metavar="FILE", help="keep the run's calls as a cassette")
    run.add_argument("--replay", metavar="FILE", help="answer the calls from a cassette; needs no source of tools")
    run.add_argument(
        "--replay-mode",
        choices=("match", "strict"),
        help="match: any recorded call with equal arguments answers (the default); strict: in the recorded order",
    )
    run.add_argument(
        "--miss", choices=("fail", "tool"), help="what is not in the cassette fails (the default), or uses its tool"
    )
    run.add_argument(
        "--mock", metavar="NAME=JSON", action="append", help="answer calls of a tool or alias with this value"
    )


def _add_history(commands: "argparse._SubParsersAction[_Parser]") -> None:
    """Past runs: listed, compared, exported."""
    history = commands.add_parser("history", help="list past runs, the newest first")
    history.add_argument("--search", metavar="TEXT", default="", help="words in the script, its output or its calls")
    history.add_argument("--limit", metavar="N", type=_count, default=50, help="how many (50)")
    history.add_argument("--json", action="store_true", help="print one JSON document")
    diff = commands.add_parser("diff", help="compare two runs; exit status 0 if they are equal, 1 if not")
    for name in ("a", "b"):
        diff.add_argument(name, metavar=name.upper(), help="the id of a past run, last, or a cassette or record file")
    diff.add_argument("--json", action="store_true", help="print one JSON document")
    export = commands.add_parser("export", help="hand a past run on: as a report, a trace, a test or a bundle")
    export.add_argument("run", metavar="RUN", help="the id of a past run, or last")
    export.add_argument("--format", metavar="FORMAT", choices=REPORTS, required=True, help=", ".join(REPORTS))
    export.add_argument("--out", metavar="FILE", help="where to write it; for otlp the address of a collector, too")


def _find_script(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """In `run --grant add script.py` the parser takes the script for one more name of the grant."""
    if not options.grant or len(options.grant[-1]) < 2:
        parser.error("run needs a SCRIPT")
    options.script = options.grant[-1].pop()


def _add_places(command: argparse.ArgumentParser) -> None:
    _add_folders(command)
    command.add_argument("--json", action="store_true", help="print one JSON document")


def _add_folders(command: argparse.ArgumentParser) -> None:
    command.add_argument("--workspace", metavar="DIR", help="a folder to work in; to name it is to trust its tools")
    command.add_argument(
        "--functions", metavar="DIR", help="a folder of Python functions, which is trusted; needs no workspace"
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 1000000")
    return int(text)


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def _depth(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 100")
    return int(text)
