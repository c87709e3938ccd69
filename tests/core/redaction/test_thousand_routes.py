"""A thousand random routes: a canary of any kind, encoded and wrapped, sent any way, is found nowhere."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from ptc_studio.core.redaction import KnownSecrets, Redactor
from tests.core.redaction.conftest import CANARIES
from tests.core.redaction.harmless import HARMLESS_VALUES
from tests.core.redaction.kinds import NAMED
from tests.core.redaction.test_redaction_kinds import ALL_TOKENS, AROUND, ENCODINGS, PLAIN
from tests.support import Engine

KNOWN = "Tr0ub4dor & three horses"
"""A secret of no kind, which the studio was told of."""
UNCODED = ("mailchimp_key", "jwt")
PLAINLY: list[tuple[str, str]] = [
    *((secret, secret) for _, secret in [*CANARIES, *ALL_TOKENS]),
    *((secret, around.format(secret)) for _, around, secret in NAMED),
    (KNOWN, KNOWN),
]
ENCODED = [token for rule, token in [*PLAIN, *ALL_TOKENS] if rule not in UNCODED] + [KNOWN]
ALL_ENCODINGS: dict[str, Callable[[str], str]] = {**ENCODINGS, "quoted": lambda text: quote(text, safe="")}


@st.composite
def canaries(draw: st.DrawFn) -> tuple[str, str]:
    """What must not be found, and the text that it goes out in."""
    if draw(st.booleans()):
        return draw(st.sampled_from(PLAINLY))
    encoded = ALL_ENCODINGS[draw(st.sampled_from(sorted(ALL_ENCODINGS)))](draw(st.sampled_from(ENCODED)))
    return encoded, encoded


def nested(text: str) -> Any:
    return {"list": [{"deep": (text, {"again": [text]})}]}


SHAPES: dict[str, Callable[[str], Any]] = {
    "a text": lambda text: text,
    "in a list": lambda text: [1, [text]],
    "deep": nested,
    "a key": lambda text: {text: 1},
    "JSON in a text": lambda text: json.dumps({"inner": text}),
    "JSON in JSON": lambda text: json.dumps(json.dumps([text])),
    "twice": lambda text: f"{text} and {text}",
    "among much": lambda text: "x " * 5000 + text + " y" * 5000,
    "bytes": lambda text: {"text": text, "more": list(range(50))},
}
ROUTES = ("argument", "named argument", "result", "error", "note", "name", "output", "errors", "nested call", "learned")


def sent(route: str, engine: Engine, text: str, value: Any, cuts: list[int]) -> Iterator[str]:
    """Everything that anybody but the tool gets to see."""
    run = engine.run()
    match route:
        case "name":
            with pytest.raises(LookupError):
                engine.call(text, run=run)
        case "error" | "note":
            with pytest.raises(ValueError, match=".*"):
                engine.call(route, value, run=run)
        case "output" | "errors":
            stream = engine.executor.redactor.stream("stdout" if route == "output" else "stderr")
            places = sorted({0, *(cut % (len(text) + 1) for cut in cuts), len(text)})
            for start, end in pairwise(places):
                yield stream.feed(text[start:end]).value
            yield stream.flush().value
        case "named argument":
            engine.call("give", run=run, value=value)
        case "learned":
            assert engine.call("keyed", text, run=run) == {"password": text}
            yield engine.executor.redactor.text(f"printed at once: {text}", "stdout").value
        case _:
            engine.call({"argument": "take", "result": "give", "nested call": "outer"}[route], value, run=run)
    yield repr(engine.records())
    engine.executor.bus.flush()
    yield repr(engine.events)


def make_engine() -> Engine:
    secrets = KnownSecrets()
    secrets.add("KNOWN", KNOWN)
    engine = Engine(redactor=Redactor(secrets=secrets))

    def error(value: Any) -> Any:
        raise ValueError(value)

    def note(value: Any) -> Any:
        failed = ValueError("it failed")
        failed.add_note(str(value))
        raise failed from KeyError(value)

    engine.add(lambda value: None, name="take")
    engine.add(lambda value: value, name="give")
    engine.add(error)
    engine.add(note)
    engine.add(lambda value: {"password": value}, name="keyed")
    engine.add(lambda value, ticket: ticket.call("give", {"value": value}), name="outer")
    return engine


def windows(secret: str) -> set[str]:
    """Pieces of the secret behind its telling beginning: one of them found is a leak."""
    size = min(16, max(6, len(secret) // 2))
    body = secret[len(secret) // 3 :] if len(secret) > 24 else secret
    return {body[at : at + size] for at in range(max(1, len(body) - size))}


@pytest.mark.slow
@seed(20261118)
@settings(max_examples=1000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    canary=canaries(),
    around=st.sampled_from(AROUND),
    shape=st.sampled_from(sorted(SHAPES)),
    route=st.sampled_from(ROUTES),
    cuts=st.lists(st.integers(0, 400), max_size=6),
)
def test_a_canary_is_found_nowhere(canary: tuple[str, str], around: str, shape: str, route: str, cuts: list[int]):
    secret, text = canary
    # What is told by its surroundings has them already.
    wrapped = around.replace("{}", text) if secret == text else f"see {text} end"
    engine = make_engine()
    for seen in sent(route, engine, wrapped, SHAPES[shape](wrapped), cuts):
        found = [piece for piece in windows(secret) if piece in seen and piece not in around]
        assert not found, (route, shape, wrapped, found[0])


@pytest.mark.parametrize("text", HARMLESS_VALUES)
def test_a_harmless_value_is_untouched_on_every_route(text: str):
    engine = make_engine()
    value = {"list": [text], "json": json.dumps({"inner": text})}
    assert engine.call("give", value) == value
    record = engine.records()[0]
    assert record["result"] == value
    assert record["redactions"] == []
    stream = engine.executor.redactor.stream()
    assert "".join([*(stream.feed(each).value for each in text), stream.flush().value]) == text


def test_there_are_eighty_six_of_them():
    assert len(set(HARMLESS_VALUES)) == 86
