"""JSON values: keys, paths, depth, sharing, limits, and the prefilter that must not change anything."""

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from ptc_studio.core.redaction import KnownSecrets, Redacted, Redaction, Redactor

KEY = "sk-ant-api03-" + "a1B2c3D4" * 6


def test_the_value_of_a_secret_key_is_replaced_at_any_depth() -> None:
    value = {"user": {"name": "Ada", "password": "x y"}, "items": [{"apiKey": 7}], "Set-Cookie": ["a=b"]}
    redacted = Redactor().value(value, "result")
    assert redacted.value == {
        "user": {"name": "Ada", "password": "[REDACTED:password]"},
        "items": [{"apiKey": "[REDACTED:api_key]"}],
        "Set-Cookie": "[REDACTED:set_cookie]",
    }
    assert redacted.redactions == (
        Redaction("password", "result", "$.user.password"),
        Redaction("api_key", "result", "$.items[0].apiKey"),
        Redaction("set_cookie", "result", "$['Set-Cookie']"),
    )
    assert not redacted.truncated


SECRET_KEYS = [
    "password", "PASSWORD", "pass_word", "passwd", "pwd", "passphrase", "secret", "client_secret",
    "clientSecret", "api-key", "X-API-Key", "apiSecret", "api_token", "token", "access_token", "refreshToken",
    "auth_token", "bearer_token", "id_token", "session_token", "Authorization", "Proxy-Authorization",
    "Cookie", "cookies", "set-cookie", "private_key", "secretKey", "SECRET_ACCESS_KEY", "access_key",
    "credentials",
]  # fmt: skip
HARMLESS_KEYS = [
    "tokens", "max_tokens", "next_token", "page_token", "key", "public_key", "monkey", "keys", "author",
    "passed",
]  # fmt: skip


@pytest.mark.parametrize("key", SECRET_KEYS)
def test_a_secret_key_is_known_in_every_spelling(key: str) -> None:
    redacted = Redactor().value({key: "x y"}, "arguments", json_text=json.dumps({key: "x y"}))
    assert redacted.value[key].startswith("[REDACTED:")


@pytest.mark.parametrize("key", HARMLESS_KEYS)
def test_a_harmless_key_keeps_its_value(key: str) -> None:
    value = {key: "x y"}
    assert Redactor().value(value, "arguments").value is value


@pytest.mark.parametrize("empty", [None, True, False, ""])
def test_a_secret_key_without_a_value_hides_nothing(empty: Any) -> None:
    value = {"password": empty}
    assert Redactor().value(value, "arguments").value is value


def test_the_users_own_keys_count_and_an_extension_leaves_the_first_redactor_as_it_was() -> None:
    redactor = Redactor(keys=["IBAN"])
    extended = redactor.extended(keys=["tax id"], patterns=[("ticket", "TCK-[0-9]+")])
    value = {"iban": "DE 1", "taxId": "1 2", "note": "TCK-1"}
    assert redactor.value(value, "x").value == {"iban": "[REDACTED:iban]", "taxId": "1 2", "note": "TCK-1"}
    assert list(extended.value(value, "x").value.values()) == [
        "[REDACTED:iban]",
        "[REDACTED:tax_id]",
        "[REDACTED:ticket]",
    ]
    assert extended.secrets is redactor.secrets


def test_a_key_that_is_not_plain_ascii_is_found_past_the_prefilter_too() -> None:
    value = {"GRÖSSE": "x y"}
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        assert Redactor(keys=["größe", "grösse"]).value(value, "x", json_text=text).redactions


def test_a_secret_used_as_a_key_is_hidden_there_and_in_the_path() -> None:
    other = KEY[:-1] + "x"
    redacted = Redactor().value({KEY: {"password": 1}, other: 2, "odd 'key'": KEY}, "result")
    assert redacted.value == {
        "[REDACTED:anthropic_key]": {"password": "[REDACTED:password]"},
        "[REDACTED:anthropic_key]#2": 2,
        "odd 'key'": "[REDACTED:anthropic_key]",
    }
    assert [found.path for found in redacted.redactions] == [
        "$['[REDACTED:anthropic_key]']",
        "$['[REDACTED:anthropic_key]'].password",
        "$['odd \\'key\\'']",
    ]


def test_untouched_parts_are_shared_and_the_original_is_not_changed() -> None:
    value = {"a": {"b": [1, 2]}, "password": "hunter2"}
    before = copy.deepcopy(value)
    redacted = Redactor().value(value, "result").value
    assert value == before
    assert redacted["a"] is value["a"]


@pytest.mark.parametrize("make", [lambda inner: [inner], lambda inner: {"a": inner}], ids=["lists", "dicts"])
def test_a_very_deep_value_is_cut_and_does_not_crash(make: Any) -> None:
    value: Any = KEY
    for _ in range(10_000):
        value = make(value)
    redacted = Redactor().value(value, "result")
    assert "[too deep to show]" in json.dumps(redacted.value)
    assert KEY not in json.dumps(redacted.value)
    limited = Redactor().value(value, "result", limit=300)
    assert limited.truncated
    assert len(limited.value) == 300


def test_what_is_redacted_already_is_not_redacted_again() -> None:
    once = Redactor().value({"password": "hunter2", "aws_s3_token": 1, "text": KEY, KEY: 1}, "result")
    again = Redactor().value(once.value, "result")
    assert again.value is once.value
    assert again.redactions == ()


def test_a_value_under_a_secret_key_is_learned_for_all_other_texts() -> None:
    redactor = Redactor()
    value = {"echo": "got abcd-1234-efgh", "token": "abcd-1234-efgh"}
    redacted = redactor.value(value, "result")
    assert redacted.value == {"echo": "got [REDACTED:secret:token]", "token": "[REDACTED:token]"}
    assert redactor.text("abcd-1234-efgh", "stderr").value == "[REDACTED:secret:token]"
    assert redactor.value(["abcd-1234-efgh"], "result", json_text='["abcd-1234-efgh"]').redactions


@pytest.mark.parametrize("value", ["short1", "onlyletters", "1234567890", "has space 1", "x1" * 3000])
def test_a_value_that_could_be_anything_is_not_learned(value: str) -> None:
    redactor = Redactor()
    redactor.value({"token": value}, "arguments")
    assert redactor.secrets.needles().texts == ()


def test_too_long_a_value_becomes_the_beginning_of_its_json() -> None:
    value = {"rows": [{"id": number, "name": f"näme {number}"} for number in range(1000)]}
    text = to_json(value)
    for given_text in (None, text, text.decode()):
        redacted = Redactor().value(value, "result", json_text=given_text, limit=500)
        assert redacted.value == text.decode()[:500]
        assert redacted.truncated
    walked = Redactor(patterns=[("never", "zzzz")]).value(value, "result", limit=500)
    assert walked.value == text.decode()[:500]


def test_a_value_that_is_just_short_enough_stays_whole() -> None:
    value = ["é" * 10]
    size = len(to_json(value))
    assert Redactor().value(value, "result", limit=size).value is value
    assert Redactor().value(value, "result", json_text='["' + "é" * 10 + '"]', limit=size).value is value
    assert Redactor().value(value, "result", limit=size - 1).truncated


TOO_LONG: list[Any] = [KEY + " x" * 150, [KEY] * 50, {"password": KEY * 9}, {"a": "b " * 20 + KEY + " x" * 99}]


@pytest.mark.parametrize("limit", [0, 1, 10, 30, 60, 100, 200])
@pytest.mark.parametrize("value", TOO_LONG)
def test_no_part_of_a_secret_is_in_the_beginning_of_too_long_a_value(value: Any, limit: int) -> None:
    redacted = Redactor().value(value, "result", limit=limit)
    assert redacted.truncated
    assert len(redacted.value) <= limit
    assert "sk-" not in redacted.value


def test_a_value_that_has_no_json_is_redacted_as_well() -> None:
    redacted = Redactor().value({"a": "\ud800 " + KEY, "b": KEY.encode(), "c": (KEY,)}, "result", limit=1000)
    assert "a1B2" not in repr(redacted.value)


def test_only_the_redactor_can_make_a_redacted_and_nobody_can_change_it() -> None:
    with pytest.raises(TypeError, match="Only a Redactor"):
        Redacted(object(), "raw")
    redacted = Redactor().text("a", "stdout")
    with pytest.raises(AttributeError):
        redacted.value = "raw"  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(AttributeError):
        del redacted.value
    with pytest.raises(TypeError):
        pickle.dumps(redacted)
    with pytest.raises(AttributeError):
        redacted.more = 1  # pyright: ignore[reportAttributeAccessIssue]
    assert redacted == Redactor().text("a", "stderr")
    assert "'a'" in repr(redacted)


BEARER, BLOCK = "Bearer a1b2c3d4e5", "-----BEGIN PRIVATE KEY-----\nMIIEabc1"
PIECES = [
    KEY, "password", "pass_word", BEARER, "known-secret-1", 'kn"own\\2é/', BLOCK, "apiKey", "API-Key", "max_tokens",
    "12345678:" + "Ab1" * 11 + "cd", "x", " ", "\n", '"', "\\", "é", "\u2028", "bearer",
]  # fmt: skip
TEXTS = st.one_of(st.text(max_size=12), st.lists(st.sampled_from(PIECES), max_size=4).map("".join))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(value=VALUES, known=st.booleans(), ascii_only=st.booleans(), compact=st.booleans())
def test_the_prefilter_changes_nothing(value: Any, known: bool, ascii_only: bool, compact: bool) -> None:
    def redactor() -> Redactor:
        secrets = KnownSecrets()
        if known:
            secrets.add("A", "known-secret-1")
            secrets.add("B", 'kn"own\\2é/')
        return Redactor(secrets=secrets)

    text = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":") if compact else None)
    assert redactor().value(value, "result", json_text=text) == redactor().value(value, "result")


@settings(max_examples=200, deadline=None, derandomize=True)
@given(value=st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join), max_size=3))
def test_redacting_twice_is_redacting_once(value: Any) -> None:
    once = Redactor().value(value, "result")
    assert Redactor().value(once.value, "result") == Redactor().value(once.value, "x")
    assert Redactor().value(once.value, "result").redactions == ()
