"""What the user says is no secret is shown; what he gave as one never is. And the lens: what was hidden, and where."""

import pytest

from ptc_studio.core.originals import Originals
from ptc_studio.core.redaction import KnownSecrets, Redactor
from ptc_studio.core.redaction.keys import Exceptions, fingerprint
from ptc_studio.core.redaction.redacted import findings, original

KEY = "sk-proj-" + "a1B2c3D4e5" * 5
OTHER = "ghp_" + "Zx9Yw8Vu7T" * 4
ADDED, LEARNED = "s3cr3t-added-1", "s3cr3t-learned-2"


def shown(redactor: Redactor, value: object) -> object:
    return redactor.value(value, "result").value


def test_one_value_is_shown_and_others_of_its_rule_are_not():
    excepted = Redactor(exceptions=Exceptions.of(values=[fingerprint(KEY)]))
    assert shown(excepted, {"note": f"use {KEY} or {OTHER}"}) == {"note": f"use {KEY} or [REDACTED:github_token]"}
    stream = excepted.stream()
    pieces = [stream.feed(text).value for text in (f"use {KEY[:9]}", f"{KEY[9:]} or", f" {OTHER}\n")]
    assert "".join([*pieces, stream.flush().value]) == f"use {KEY} or [REDACTED:github_token]\n"


def test_a_value_under_a_secret_key_is_shown_and_not_learned():
    value = "abc-def-1234567"
    excepted = Redactor(exceptions=Exceptions.of(values=[fingerprint(value)]))
    excepted.learn(b'{"token": "abc-def-1234567"}', lambda: {"token": value})
    assert shown(excepted, {"token": value, "password": "another-one-9"}) == {
        "token": value,
        "password": "[REDACTED:password]",
    }
    assert excepted.text(f"it is {value}", "stdout").value == f"it is {value}"


def test_what_stands_under_a_key_is_shown_unless_it_is_a_secret_by_itself():
    excepted = Redactor(exceptions=Exceptions.of(keys=["card_token"]))
    assert shown(excepted, {"cardToken": "visa-4242", "token": "visa-4242x"}) == {
        "cardToken": "visa-4242",
        "token": "[REDACTED:token]",
    }
    assert shown(excepted, {"card_token": OTHER}) == {"card_token": "[REDACTED:github_token]"}


def test_what_was_learned_under_a_key_before_is_shown_with_it():
    known = KnownSecrets()
    assert Redactor(secrets=known).value({"card_token": LEARNED}, "result").redactions
    assert Redactor(secrets=known).text(LEARNED, "x").value == "[REDACTED:secret:card_token]"
    assert Redactor(secrets=known, exceptions=Exceptions.of(keys=["cardToken"])).text(LEARNED, "x").value == LEARNED


def test_all_that_a_rule_finds_is_shown():
    excepted = Redactor(exceptions=Exceptions.of(rules=["github_token"]))
    assert excepted.text(f"{OTHER} {KEY}", "x").value == f"{OTHER} [REDACTED:openai_key]"


def test_a_secret_that_the_user_gave_is_hidden_whatever_the_exceptions_say():
    known = KnownSecrets()
    known.add("MINE", ADDED)
    known.learn("token", LEARNED)
    values, rules = [fingerprint(ADDED), fingerprint(LEARNED)], ["secret:MINE", "secret:token"]
    for exceptions in (Exceptions.of(values=values), Exceptions.of(rules=rules)):
        excepted = Redactor(secrets=known, exceptions=exceptions)
        assert excepted.text(f"{ADDED} {LEARNED}", "x").value == f"[REDACTED:secret:MINE] {LEARNED}"
        assert excepted.extended(keys=["iban"]).text(ADDED, "x").value == "[REDACTED:secret:MINE]"


def test_the_lens_tells_which_rule_hides_what_and_where():
    value = {"user": {"password": "hunter2-and-more"}, "list": [f"a {KEY} b"], "pin": {"secret": [1, 2]}}
    found = findings(Redactor(), value)
    assert [(each.rule, each.path, each.text, each.start) for each in found] == [
        ("password", "$.user.password", "hunter2-and-more", 0),
        ("openai_key", "$.list[0]", KEY, 2),
        ("secret", "$.pin.secret", "[1, 2]", 0),
    ]
    assert KEY not in repr(found)
    assert original(Redactor(), value, "openai_key", "$.list[0]") == KEY
    assert original(Redactor(), value, "openai_key", "$.list[1]") is None


def test_originals_are_bounded_and_forgotten():
    kept, redactor = Originals(most_bytes=40), Redactor()

    def revealed(number: int, started: float = 1.5) -> str | None:
        hidden = {"rule": "password", "where": "result", "path": "$.password"}
        return kept.reveal({"id": str(number), "started_ms": started}, hidden)  # type: ignore[typeddict-item]

    for number in range(3):
        kept.keep(str(number), 1.5, "result", b'{"password":"number-%d"}' % number, redactor)
    assert [revealed(number) for number in range(3)] == [None, None, "number-2"]
    assert revealed(2, started=1.6) is None, "that is a call of another run"
    kept.keep("huge", 1.5, "result", b"x" * 41, redactor)
    assert revealed(2) == "number-2"
    kept.forget()
    assert revealed(2) is None


@pytest.mark.parametrize("where", ["arguments", "result"])
def test_what_a_call_hid_can_be_had_from_the_executor_alone(engine, where):
    engine.add(lambda password: {"password": password[::-1]}, name="turn")
    engine.executor.originals = Originals()
    engine.call("turn", password="first-Secret-1")
    [record] = engine.records()
    assert "first" not in str(record)
    [hidden] = [each for each in record["redactions"] if each["where"] == where]
    assert engine.executor.originals.reveal(record, hidden) == (
        "first-Secret-1" if where == "arguments" else "1-terceS-tsrif"
    )
