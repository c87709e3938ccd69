"""A text in pieces: nothing of a secret gets out, and what is harmless is not held back."""

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptc_studio.core.redaction import KnownSecrets, Redactor, StreamRedactor

KEY = "sk-ant-api03-" + "a1B2c3D4" * 6
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7bq9q8Zk+/x1MIIEpAIBAAKCAQEA7bq9q8Zk+/x1abcd\n" * 3
PEM_END = "q8Zk12==\n-----END RSA PRIVATE KEY-----"


def joined(stream: StreamRedactor, pieces: list[str]) -> str:
    return "".join([*(stream.feed(piece).value for piece in pieces), stream.flush().value])


def test_a_secret_in_single_characters_is_caught(rule: str, canary: str) -> None:
    text = f"start {canary} end\nnext {canary}"
    assert joined(Redactor().stream(), list(text)) == f"start [REDACTED:{rule}] end\nnext [REDACTED:{rule}]"


def test_no_prefix_of_a_secret_is_shown_before_the_rest_comes(canary: str, rule: str) -> None:
    for at in range(1, len(canary), 3):
        stream = Redactor().stream()
        shown = stream.feed("key: " + canary[:at]).value
        assert canary[:at][:12] not in shown or at < 3
        assert shown + stream.feed(canary[at:] + " end").value + stream.flush().value == f"key: [REDACTED:{rule}] end"


@pytest.mark.parametrize(
    "text",
    [
        ".",
        ".....",
        "working",
        "working...",
        "50%",
        "a line\n",
        "two words ",
        "██▌",
        "task: done,",
        "\r 12 of 20 files\r",
        "é…",
    ],
)
def test_what_cannot_become_a_secret_goes_out_at_once(text: str) -> None:
    assert Redactor().stream().feed(text).value == text


def test_only_the_word_in_doubt_is_held_back() -> None:
    stream = Redactor().stream()
    assert stream.feed("the key is sk-").value == "the key is "
    assert stream.feed("learn, of course").value == "sk-learn, of course"


def test_a_bearer_token_is_caught_though_its_line_comes_in_words() -> None:
    stream = Redactor().stream("stderr")
    assert stream.feed("send Bearer ").value == "send "
    assert stream.feed("a1b2c3").value == ""
    released = stream.feed("d4e5f6\n")
    assert released.value == "Bearer [REDACTED:bearer_token]\n"
    assert [(found.rule, found.where, found.path) for found in released.redactions] == [("bearer_token", "stderr", "$")]


def test_a_secret_with_spaces_and_line_ends_is_caught() -> None:
    secrets = KnownSecrets()
    secrets.add("PHRASE", "correct horse\nbattery staple")
    stream = Redactor(secrets=secrets).stream()
    assert stream.feed("it is correct horse\n").value == "it is "
    assert stream.feed("battery staple, ok\n").value == "[REDACTED:secret:PHRASE], ok\n"
    assert joined(stream, ["correct ", "horses ", "eat"]) == "correct horses eat"


def test_a_pattern_of_one_word_holds_back_a_word_and_any_other_a_line() -> None:
    words = Redactor(patterns=[("ticket", "TCK-[0-9]{6}")]).stream()
    assert words.feed("see TCK-12").value == "see "
    assert words.feed("3456 ok").value == "[REDACTED:ticket] "
    lines = Redactor(patterns=[("name", "name: .*$")]).stream()
    assert lines.feed("my name: Ada").value == ""
    assert lines.feed(" L.\n").value == "my [REDACTED:name]\n"


def test_an_open_private_key_is_held_back_and_released_when_it_ends() -> None:
    stream = Redactor().stream()
    assert stream.feed("key:\n" + PEM).value == "key:\n"
    assert stream.feed(PEM_END + "\nafter\n").value == "[REDACTED:private_key]\nafter\n"


def test_an_endless_private_key_is_never_shown_and_never_fills_the_memory() -> None:
    stream = Redactor().stream()
    line = "MIIEpAIBAAKCAQEA7bq9q8Zk+/x1MIIEpAIBAAKCAQEA7bq9q8Zk+/x1abcd\n"
    shown = [stream.feed("-----BEGIN PGP PRIVATE KEY BLOCK-----\n").value]
    for _ in range(6000):
        shown.append(stream.feed(line).value)
        assert stream.held < 70_000
    shown += [stream.feed("-----END PGP PRIVATE KEY BLOCK-----\nafter\n").value, stream.flush().value]
    assert "".join(shown) == "[REDACTED:private_key]\nafter\n"


def test_an_endless_token_is_never_shown_and_never_fills_the_memory() -> None:
    stream = Redactor().stream()
    shown = stream.feed(KEY).value
    for _ in range(300):
        shown += stream.feed("a1B2" * 250).value
        assert stream.held < 70_000
    shown += stream.feed("zz end").value + stream.flush().value
    assert shown == "[REDACTED:anthropic_key] end"


def test_a_line_in_doubt_without_end_is_released_after_a_while() -> None:
    stream = Redactor(patterns=[("any", "secret .*")]).stream()
    size = sum(len(stream.feed("x" * 1000).value) for _ in range(100))
    assert size >= 80_000


def test_after_a_flush_the_stream_is_as_new() -> None:
    stream = Redactor().stream()
    assert stream.feed(PEM).value == ""
    assert stream.flush().value == "[REDACTED:private_key]\n"
    assert joined(stream, ["a ", "b"]) == "a b"


SECRETS = KnownSecrets()
SECRETS.add("PLAIN", "hunter2-hunter2")
SECRETS.add("SPACED", "open sesame\nplease")
REDACTORS = [
    Redactor(),
    Redactor(secrets=SECRETS),
    Redactor(secrets=SECRETS, patterns=[("ticket", r"\bTCK-[0-9]{3,6}\b")]),
    Redactor(secrets=SECRETS, patterns=[("line", "^note: .*$"), ("pair", "a b")]),
]
_RNG = random.Random(5)
WORDS = [
    KEY, KEY[:20], "AKIA" + "ABCD1234" * 2, "ghp_" + "a1B2" * 9, "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    "12345678:" + "Ab1" * 11 + "cd", "bot87654321:" + "Zb1" * 11 + "cd", "SK" + "0a" * 16, "hunter2-hunter2",
    "hunter2-", "open sesame\nplease", "open sesame", "aHVudGVyMi1odW50ZXIy", "[REDACTED:password]", "[REDACTED:",
    "Bearer ", "bearer a1b2c3d4e5", "Authorization: Basic dXNlcjpwYXNz", 'Authorization: Digest a="b1", c="d2"',
    '"Authorization": "Token a1b2c3d4e5"', "authorization", PEM, PEM_END, PEM.replace("\n", "\\n"),
    "-----BEGIN PRIVATE KEY-----", "-----", "BEGIN ", "TCK-123", "TCK-1234567", "note: it", "a b", "sk-",
    "sk-learn", "%3D", "\\n", "\x1b[32m", "\n", "\n", " ", " ", "\t", "\r", ",", ".", "=", "12", "12:30", "é", "İ",
    "\u00a0", "a", "A", "word", "\ud83d\ude00", "".join(_RNG.choices(string.ascii_letters, k=30)),
]  # fmt: skip


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    words=st.lists(st.sampled_from(WORDS), max_size=14),
    cuts=st.lists(st.floats(0, 1), max_size=12),
    which=st.integers(0, len(REDACTORS) - 1),
)
def test_any_split_gives_the_same_as_the_whole(words: list[str], cuts: list[float], which: int) -> None:
    text = "".join(words)
    places = sorted({int(cut * len(text)) for cut in cuts})
    pieces = [text[low:high] for low, high in zip([0, *places], [*places, len(text)], strict=True)]
    redactor = REDACTORS[which]
    assert joined(redactor.stream(), pieces) == redactor.text(text, "stdout").value


@settings(max_examples=150, deadline=None, derandomize=True)
@given(words=st.lists(st.sampled_from(WORDS), max_size=8), which=st.integers(0, len(REDACTORS) - 1))
def test_single_characters_give_the_same_as_the_whole(words: list[str], which: int) -> None:
    text = "".join(words)
    redactor = REDACTORS[which]
    assert joined(redactor.stream(), list(text)) == redactor.text(text, "stdout").value
