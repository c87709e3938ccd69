"""A whole YAML file as a model that knows its lines."""

from typing import TypeVar

from pydantic import PrivateAttr, ValidationError

from ptc_studio.sources.entry_fields import Entry
from ptc_studio.storage.faults import fault_in
from ptc_studio.storage.lined_yaml import LinedYaml

File = TypeVar("File", bound="LinedFile")


class LinedFile(Entry):
    """The base of the files' models."""

    _text: LinedYaml | None = PrivateAttr(None)

    def model_post_init(self, context: LinedYaml | None) -> None:
        self._text = context

    def line_of(self, *place: str | int) -> int | None:
        """The line of `aliases, 2` and the like; None for what was not read from a file."""
        return self._text.line_of(place) if self._text else None


def understood(model: type[File], document: LinedYaml) -> File:
    """The text as that file; raises YamlFault."""
    try:
        return model.model_validate(document.plain, context=document)
    except ValidationError as error:
        raise fault_in(document, error) from None
