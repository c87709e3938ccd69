"""`ptc-studio sign-in` and `sign-out`: the tokens of a source whose server asks for a sign-in."""

import asyncio
import webbrowser
from argparse import Namespace

from ptc_studio.app import Studio
from ptc_studio.cli.open_studio import UsageError, open_studio
from ptc_studio.cli.terminal import Terminal
from ptc_studio.processes.process_tree import unmarked
from ptc_studio.sources.sign_in import OpenBrowser
from ptc_studio.sources.source_set import LoadedSource


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
