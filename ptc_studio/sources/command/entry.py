"""Commands as the workspace file has them: one, which is one tool, or several under `commands`."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from ptc_studio.sources.entry_fields import (
    CallTime,
    Count,
    Environment,
    Folder,
    Holds,
    Items,
    Name,
    PermissionsByName,
    Prose,
    ToolsPermission,
    WorkspaceEntry,
)
from ptc_studio.sources.placeholders import check_braces, slots_in

Argv = Annotated[tuple[str | tuple[str, ...], ...], Holds("words")]


class CommandFields(WorkspaceEntry):
    """What a command is made of. `{name}` is a parameter, `{name?}` one that may be left out with its argument."""

    description: Prose = Field(default="", title="Description", description="What it does, for people and models.")
    stdin: Prose | None = Field(default=None, title="Input", description="What the program reads, such as `{text}`.")
    env: Environment = Field(default={})
    cwd: Folder | None = Field(
        default=None, title="Working folder", description="Seen from the workspace; the workspace's folder if empty."
    )
    ok: Annotated[tuple[int, ...], Holds("items")] = Field(
        default=(0,), title="Fine exit statuses", description="All others are errors."
    )
    output: Literal["text", "lines", "json"] = Field(
        default="text", title="Output", description="What the tool gives of it."
    )
    max_output: Count = Field(default=10_000_000, title="Longest output", description="Bytes; more is an error.")
    dashes: Items = Field(
        default=(),
        title="May begin with a dash",
        description="Parameters whose value may look like an option, because the program does not take it for one.",
    )
    parameters: dict[str, Any] = Field(
        default={},
        title="Parameters",
        description="Their JSON Schema by name; made of the places in the texts if empty.",
    )
    timeout: CallTime = None

    @field_validator("argv", check_fields=False)
    @classmethod
    def _fixed_program(cls, argv: Argv) -> Argv:
        if argv and (not isinstance(argv[0], str) or not argv[0].strip() or any(slots_in(argv[0]))):
            raise ValueError("must begin with the program, which cannot be a parameter")
        check_braces(argv)
        return argv


class OneCommand(CommandFields):
    """One of several commands."""

    name: Name = Field(title="Name", description="The tool is `source.name`.")
    argv: Argv = Field(min_length=1, title="Command", description="The program and its arguments; no shell sees them.")


class CommandEntry(CommandFields):
    """A command that is one tool, of the source's own name; or several, each `name.command`."""

    kind: Literal["command"] = "command"
    name: Name = Field(title="Name", description="Of the tool; of its namespace if there are several commands.")
    argv: Argv = Field(
        default=(),
        title="Command",
        description="The program and its arguments; no shell sees them. What may be left out together is a list in it: "
        "`[git, log, [-n, '{count?}']]`. `{all:--all}` is `--all` if the parameter is true.",
    )
    commands: tuple[OneCommand, ...] = Field(default=(), title="Commands", description="Several tools.")
    permission: ToolsPermission = None
    permissions: PermissionsByName = Field(default={})

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.argv) == bool(self.commands):
            raise ValueError("needs either an `argv` or `commands`: give one of the two")
        if self.commands:
            own = {"description", "stdin", "ok", "output", "max_output", "dashes", "parameters"}
            if found := sorted(own & self.model_fields_set):
                raise ValueError(f"has `commands`: move `{found[0]}` into one of them")
        names = [command.name for command in self.commands]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"has two commands named {twice!r}: rename one")
        return self

    def named_commands(self) -> Iterator[tuple[str, Argv, CommandFields]]:
        """The name of each tool, its command and the rest."""
        if self.argv:
            yield self.name, self.argv, self
        for command in self.commands:
            yield f"{self.name}.{command.name}", command.argv, command
