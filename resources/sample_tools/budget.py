"""Expenses and budgets, from an accounting service that takes its time to answer."""

import asyncio
from datetime import date, timedelta
from random import Random
from typing import Literal, NotRequired, TypedDict

from _data import FAKE_API_KEY, PEOPLE, SPENDING

Quarter = Literal["Q1", "Q2", "Q3", "Q4"]


class Expense(TypedDict):
    date: str
    category: str
    merchant: str
    amount: float
    card_token: NotRequired[str]
    api_key: NotRequired[str]


class Budget(TypedDict):
    person: str
    limit: float
    currency: str


async def get_expenses(person: str, quarter: Quarter = "Q3") -> list[Expense]:
    """Fetch the expense lines of one person in a quarter, with date, category, merchant and amount in euros.

    The subscription, always the first line, also holds what should never have been filed with it: a card token
    and a key. Both are made up, to show that secrets reach the script and stay out of every record.
    """
    ledger = _ledger(person, quarter)
    await asyncio.sleep(0.08 + 0.07 * ledger.random())
    lines = [_expense(ledger, quarter) for _ in range(24 + int(18 * ledger.random()))]
    return [_subscription(ledger, quarter), *sorted(lines, key=_by_date)]


async def get_budget(person: str) -> Budget:
    """Fetch what a person may spend in one quarter."""
    ledger = _ledger(person, "budget")
    await asyncio.sleep(0.05 + 0.05 * ledger.random())
    return {"person": person, "limit": PEOPLE[person].limit, "currency": "EUR"}


def _ledger(person: str, chapter: str) -> Random:
    """The same numbers for the same person, on every machine and in every run."""
    if person not in PEOPLE:
        raise LookupError(f"nobody here is called {person!r}")
    return Random(f"{person} {chapter}")  # noqa: S311 - demo data


def _expense(ledger: Random, quarter: Quarter) -> Expense:
    category = _pick(ledger, ["meals", "meals", *SPENDING])
    merchants, low, high = SPENDING[category]
    return {
        "date": (_first_day(quarter) + timedelta(days=int(90 * ledger.random()))).isoformat(),
        "category": category,
        "merchant": _pick(ledger, merchants),
        "amount": round(low + (high - low) * ledger.random() ** 2, 2),
    }


def _subscription(ledger: Random, quarter: Quarter) -> Expense:
    return {
        "date": _first_day(quarter).isoformat(),
        "category": "software",
        "merchant": "Cloudfold",
        "amount": 29.0,
        "card_token": f"tok_{ledger.getrandbits(64):016x}",
        "api_key": FAKE_API_KEY,
    }


def _first_day(quarter: Quarter) -> date:
    return date(2025, 3 * int(quarter[1]) - 2, 1)


def _pick(ledger: Random, choices: list[str]) -> str:
    return choices[int(len(choices) * ledger.random())]


def _by_date(line: Expense) -> str:
    return line["date"]
