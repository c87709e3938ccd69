"""Who works at the shop, and who answers for whom."""

from typing import Annotated, Any, Literal, TypedDict

from _data import PEOPLE
from utils.function_catalog import ParamMeta


class Manager(TypedDict):
    name: str
    title: str
    email: str


class Message(TypedDict):
    to: str
    subject: str
    text: str


def team_members(team: Literal["engineering", "sales", "support"]) -> list[str]:
    """List the first names of a team, its heads first."""
    return [name for name, person in PEOPLE.items() if person.team == team]


def lookup_manager(person: str) -> Manager:
    """Find the manager of a person."""
    if person not in PEOPLE:
        raise LookupError(f"nobody here is called {person!r}")
    name = PEOPLE[person].manager
    if name is None:
        raise LookupError(f"{person} answers to nobody")
    return {"name": name, "title": PEOPLE[name].title, "email": f"{name.lower()}@lantern-oak.example"}


def notify_manager(
    person: str,
    over: Annotated[float, ParamMeta(description="Euros spent beyond the budget.")],
    *,
    _context: dict[str, Any],
) -> Message:
    """Write to the manager of a person who spent more than the budget allows.

    The message is returned, not sent: this is a demo.
    """
    if over <= 0:
        raise ValueError(f"{person} is within budget: there is nothing to report")
    manager = _context["call_tool"]("lookup_manager", {"person": person})
    return {
        "to": manager["email"],
        "subject": f"{person} is over budget",
        "text": f"Hello {manager['name']}, {person} spent {over:.2f} euros more than the budget allows.",
    }
