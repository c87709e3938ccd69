"""`ptc-studio secrets`, `sign-in` and `sign-out`: what is kept for sources, by name. No value is printed."""

import asyncio
import sys
import webbrowser
from argparse import Namespace
from pathlib import Path

from ptc_studio.app import Studio
from ptc_studio.cli.open_studio import UsageError, open_studio, print_json
from ptc_studio.cli.terminal import Terminal
from ptc_studio.processes.process_tree import unmarked
from ptc_studio.sources.sign_in import OpenBrowser
from ptc_studio.sources.source_set import LoadedSource
from ptc_studio.storage.secrets import Secrets
from ptc_studio.storage.secrets.environment import read_dotenv
from ptc_studio.storage.workspace import FILE_NAME

LARGEST = 100_000


async def secrets(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio secrets`"""
    store = _opened(options, terminal)
    match options.action:
        case "add" | "rotate":
            _set(store, options, terminal)
        case "rename":
            store.rename(options.name, options.to)
            terminal.list(f"{options.name} is {options.to} now; write ${{secret:{options.to}}} where it is used.\n")
        case "delete":
            if options.name not in store.names():
                raise UsageError(f"There is no secret {options.name!r}.")
            store.delete(options.name)
            terminal.list(f"{options.name} is deleted.\n")
        case "import":
            _import(store, options, terminal)
        case "passphrase":
            _change_passphrase(store, terminal)
        case _:
            _list(store, options, terminal)
    return 0


def _opened(options: Namespace, terminal: Terminal) -> Secrets:
    """Those of the workspace that is named or that this folder is, else the user's."""
    folder = Path(options.workspace) if options.workspace else Path.cwd()
    if options.workspace and not folder.is_dir():
        raise UsageError(f"There is no folder {str(folder)!r}.")
    is_workspace = bool(options.workspace) or ((folder / FILE_NAME).is_file() and not options.user)
    store = Secrets(folder if is_workspace else "user")
    store.passphrase.ask = terminal.passphrase_asker()
    return store


def _set(store: Secrets, options: Namespace, terminal: Terminal) -> None:
    is_there = options.name in store.names()
    if options.action == "add" and is_there:
        raise UsageError(f"There is already a secret {options.name!r}: ptc-studio secrets rotate gives it a new value.")
    if options.action == "rotate" and not is_there:
        raise UsageError(f"There is no secret {options.name!r}: ptc-studio secrets add makes it.")
    place = store.set(options.name, _value(options.name, terminal))
    terminal.list(f"{options.name} has {'a new' if is_there else 'its'} value. {place.text}\n")


def _value(name: str, terminal: Terminal) -> str:
    """Typed unseen, or from standard input: never from the command line, which every program can read."""
    if terminal.interactive:
        value = terminal.ask_hidden(f"Value of {name}: ") or ""
    else:
        value = sys.stdin.read(LARGEST).removesuffix("\n")
    if not value:
        raise UsageError(f"No value was given for {name!r}: type it, or write it to standard input.")
    return value


def _import(store: Secrets, options: Namespace, terminal: Terminal) -> None:
    found = read_dotenv(Path(options.file))
    if unknown := [name for name in options.names if name not in found.values]:
        raise UsageError(f"{options.file} has no {', '.join(unknown)}.")
    wanted = options.names or list(found.values)
    taken = [name for name in wanted if name in store.names()]
    if taken and not options.replace:
        raise UsageError(f"{', '.join(taken)}: there already; use --replace.")
    for name in wanted:
        store.set(name, found.values[name])
    for line in found.unread:
        terminal.complain(f"{options.file}:{line}: this is no NAME=value, and is left out")
    terminal.list(
        f"{', '.join(wanted)}: kept. {store.location.text} The file still has them: delete it if you need it no more.\n"
    )


def _change_passphrase(store: Secrets, terminal: Terminal) -> None:
    ask = terminal.passphrase_asker()
    if store.vault.state == "absent":
        raise UsageError(f"There is no {store.vault.path}: secrets have a passphrase where there is no keyring.")
    if ask is None:
        raise UsageError("A passphrase is typed at a terminal: run this in one.")
    store.passphrase.unlock()
    chosen = ask("The new passphrase", True)
    if not chosen:
        raise UsageError("Nothing was changed.")
    store.vault.change_passphrase(chosen)
    terminal.list("The passphrase is changed.\n")


def _list(store: Secrets, options: Namespace, terminal: Terminal) -> None:
    known = store.known()
    if options.json:
        rows = [
            {"name": name, "place": each.place, "changed": each.changed or None, "overridden": store.overridden(name)}
            for name, each in known.items()
        ]
        print_json({"secrets": rows, "place": store.location.kind, "text": store.location.text}, terminal)
        return
    width = max(map(len, known), default=0)
    for name, each in known.items():
        note = " · a variable stands for it" if store.overridden(name) else ""
        terminal.list(f"{name:{width}}  {each.place:7}  {each.changed[:10] or '-'}{note}\n")
    terminal.list(f"{'' if known else 'No secrets yet. '}{store.location.text}\n")


async def sign_in(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio sign-in`"""
    studio = open_studio(options, terminal)
    try:
        found = _source(studio, options.name)
        if studio.secrets.location.kind == "vault":
            # Asked now: tokens that cannot be kept are of no use to the next command.
            await studio.in_thread(studio.secrets.passphrase.unlock)

        def open_browser(url: str) -> None:
            terminal.write_error(f"Sign in here, in a browser of this machine: {url}\n")
            if not options.no_browser:
                with unmarked():
                    webbrowser.open(url)

        signing_in = asyncio.ensure_future(_signed_in(studio, found, open_browser))
        told = 0
        while not signing_in.done():
            await asyncio.wait([signing_in], timeout=0.2)
            lines = found.status.log
            for line in lines[told:]:
                terminal.write_error(f"{line}\n")
            told = len(lines)
        await signing_in
        status = found.status
        if status.state != "ready":
            raise UsageError(status.detail or f"{options.name} is not ready.")
        terminal.write(f"{options.name}: {status.detail}\n")
        return 0
    finally:
        await studio.close()


async def sign_out(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio sign-out`"""
    studio = open_studio(options, terminal)
    try:
        found = _source(studio, options.name)
        known = await studio.in_thread(found.source.sign_out)  # type: ignore[attr-defined]
        terminal.write(f"{options.name}: {'signed out' if known else 'nobody was signed in'}\n")
        return 0
    finally:
        await studio.close()


async def _signed_in(studio: Studio, found: LoadedSource, open_browser: OpenBrowser) -> None:
    # What can be signed in to may be in a document, which has to be read first.
    await studio.load()
    await studio.in_thread(lambda: found.source.sign_in(open_browser))  # type: ignore[attr-defined]
    await studio.reload_source(found)


def _source(studio: Studio, name: str) -> LoadedSource:
    for found in studio.source_set.loaded_sources:
        if found.name == name:
            if not hasattr(found.source, "can_sign_in"):
                raise UsageError(f"The source {name!r} asks for no sign-in: it is not a server elsewhere.")
            return found
    known = ", ".join(found.name for found in studio.source_set.loaded_sources) or "none"
    raise UsageError(f"There is no source {name!r} here; there are: {known}.")
