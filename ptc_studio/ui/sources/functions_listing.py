"""What can be chosen of a folder of functions."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.source import SourceFailed
from ptc_studio.ui.sources.background import in_thread

if TYPE_CHECKING:
    from ptc_studio.app import Studio


async def functions_in(studio: "Studio", values: Mapping[str, Any]) -> list[str]:
    """`module:All` and `module:function`, all of them; raises SourceFailed if there is nothing to be had."""
    from ptc_studio.app import UNTRUSTED
    from ptc_studio.sources.functions.source import FunctionsSource

    if not studio.trusted:
        raise SourceFailed(UNTRUSTED)
    kept = {key: values[key] for key in ("path", "isolation") if key in values}
    source = FunctionsSource(FunctionsEntry.model_validate(kept), folder=studio.folder)

    def read() -> list[str]:
        loaded = source.refresh()
        names = source.catalog.listing()
        if not names and loaded.errors:
            raise SourceFailed(loaded.errors[0].message)
        return names

    try:
        return await in_thread(studio, read)
    finally:
        studio.executor.workers.submit(source.close)
