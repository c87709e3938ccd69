"""Tools as they may be shown, with nothing of what an alias hides, in the tree of their dotted names."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ptc_studio.core.registry import Target
from ptc_studio.core.tools import JsonSchema, Parameter
from ptc_studio.exports.schemas import object_schema, pruned, without


@dataclass(frozen=True, slots=True)
class Shown:
    """One tool."""

    name: str
    description: str
    doc: str
    parameters: dict[str, Any]
    """Of type `object`, with everything that it refers to and nothing else."""
    signature: tuple[Parameter, ...]
    output: JsonSchema | None
    also: tuple[str, ...] = ()
    """Further names of its, such as `calc.add` beside `add`."""


def shown(target: Target) -> Shown:
    """The target without what its alias presets or hides."""
    spec = target.spec
    hidden = target.alias.unseen if target.alias else frozenset[str]()
    # The documentation of the tool tells of all its parameters; the description of the first paragraph does not.
    doc = spec.description if hidden else spec.doc or spec.description
    return Shown(
        spec.name,
        spec.description,
        doc,
        pruned(object_schema(without(spec.parameters, hidden))),
        tuple(parameter for parameter in spec.signature if parameter.name not in hidden),
        spec.output,
        spec.also,
    )


T = TypeVar("T")


@dataclass(slots=True)
class Branch(Generic[T]):
    """A namespace, a tool, or both in one."""

    tool: T | None = None
    below: "dict[str, Branch[T]]" = field(default_factory=dict)

    def put(self, path: Sequence[str], tool: T) -> None:
        """Hangs the tool under the path."""
        branch = self
        for step in path:
            branch = branch.below.setdefault(step, Branch())
        branch.tool = tool


def placed(
    tools: Iterable[T], name_of: Callable[[T], str], spelled: Callable[[str], str | None]
) -> tuple[Branch[T], list[T]]:
    """The tree, and the tools that have no place in it: those whose name cannot be spelled, or is another's too."""
    wanted: dict[str, list[T]] = {}
    homeless: list[T] = []
    for tool in tools:
        spelling = spelled(name_of(tool))
        if spelling is None:
            homeless.append(tool)
        else:
            wanted.setdefault(spelling, []).append(tool)
    tree: Branch[T] = Branch()
    for spelling, rivals in wanted.items():
        # Of two that would be alike the one whose own name it is has it.
        owner = rivals[0] if len(rivals) == 1 else next((tool for tool in rivals if name_of(tool) == spelling), None)
        homeless.extend(tool for tool in rivals if tool is not owner)
        if owner is not None:
            tree.put(spelling.split("."), owner)
    return tree, homeless


def steps_in(tree: Branch[T]) -> Iterator[str]:
    """Every name in the tree, of tools and namespaces."""
    for name, branch in tree.below.items():
        yield name
        yield from steps_in(branch)
