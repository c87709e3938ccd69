"""Tools as other systems want them described."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, get_args

from ptc_studio.core.registry import Target
from ptc_studio.exports.dts import dts
from ptc_studio.exports.pyi import pyi
from ptc_studio.exports.shown_tools import Shown, shown
from ptc_studio.exports.vendors import anthropic, mcp, openai, plain_schema

Format = Literal["anthropic", "openai", "mcp", "schema", "pyi", "dts"]
FORMATS: tuple[Format, ...] = get_args(Format)
_WRITERS: dict[Format, Callable[[Sequence[Shown]], Any]] = {
    "anthropic": anthropic,
    "openai": openai,
    "mcp": mcp,
    "schema": plain_schema,
    "pyi": pyi,
    "dts": dts,
}


def definitions(targets: Iterable[Target], form: Format) -> str | list[dict[str, Any]]:
    """The tools as scripts see them: a list of definitions, or for `pyi` and `dts` the text of a file."""
    return _WRITERS[form]([shown(target) for target in targets])
