"""What the editor knows of tools, in the form that exports are written from."""

from typing import TYPE_CHECKING

from ptc_studio.ui.language.hints import ToolHint

if TYPE_CHECKING:
    from ptc_studio.exports.shown import Shown


def shown_hint(hint: ToolHint, also: tuple[str, ...] = ()) -> "Shown":
    """The tool, with the further names that it has."""
    from ptc_studio.core.tools import Parameter
    from ptc_studio.exports.shown import Shown

    signature = tuple(
        Parameter(each.name, each.required, annotation=each.annotation, keyword_only=each.keyword_only)
        for each in hint.parameters
    )
    names = {each.name: {} for each in hint.parameters}
    schema = {"type": "object", "properties": names, **(hint.schema or {})}
    return Shown(hint.name, hint.description, hint.description, schema, signature, hint.output, also)


def known_by_name(hint: ToolHint, also: tuple[str, ...] = ()) -> "Shown":
    """The tool as one that takes and gives anything."""
    from ptc_studio.exports.shown import Shown

    return Shown(hint.name, "", "", {"type": "object", "additionalProperties": True}, (), None, also)
