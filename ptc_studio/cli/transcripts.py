"""`ptc-studio import`: a conversation becomes scripts, cassettes and mocks of its tools."""

from argparse import Namespace
from pathlib import Path

from ptc_studio.cli.open_studio import print_json
from ptc_studio.cli.terminal import Terminal
from ptc_studio.core.redaction import Redactor
from ptc_studio.storage.secrets import secrets_of_environment
from ptc_studio.storage.workspace import FILE_NAME, read_workspace
from ptc_studio.transcripts.importing import Import, import_conversation, read_conversation


async def import_file(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio import`"""
    conversation = read_conversation(Path(options.file))
    folder = Path(options.into)
    done = import_conversation(conversation, folder, _redactor(folder))
    if options.json:
        programs = [
            {"script": str(each.script), "cassette": str(each.cassette), "target": each.target, "calls": each.calls}
            for each in done.programs
        ]
        print_json({"programs": programs, "warnings": list(done.warnings)}, terminal)
    else:
        _tell(done, terminal)
    return 0


def _redactor(folder: Path) -> Redactor:
    """By the rules of the workspace that the folder is in, if it is in one."""
    secrets = secrets_of_environment()
    for above in (folder.resolve(), *folder.resolve().parents):
        if (above / FILE_NAME).is_file():
            return read_workspace(above).redaction.redactor(secrets)
    return Redactor(secrets=secrets)


def _tell(done: Import, terminal: Terminal) -> None:
    for program in done.programs:
        calls = f"{program.calls} call{'' if program.calls == 1 else 's'}"
        terminal.write(f"{program.script}  {program.target} · {calls} · {program.cassette.name}\n")
    if done.mocks is not None:
        terminal.write(f"{done.mocks}  its tools, as mocks\n")
    for warning in done.warnings:
        terminal.complain(warning)
