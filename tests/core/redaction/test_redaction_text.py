"""One text: markers, merging, and the user's patterns."""

import pytest

from ptc_studio.core.redaction import KnownSecrets, PatternError, Redactor


def test_what_is_redacted_already_stays_as_it_is(all_canaries: list[str]) -> None:
    secrets = KnownSecrets()
    secrets.add("REDACTED", "REDACTED")
    secrets.add("word", "password")
    redactor = Redactor(patterns=[("upper", "[A-Z]{4,}"), ("key", "openai_key")], secrets=secrets)
    text = "\n".join([*all_canaries, "Authorization: Bearer a1b2c3d4e5f6", "my password, TICKET"])
    once = redactor.text(text, "stdout").value
    again = redactor.text(once, "stdout")
    assert again.value == once
    assert again.redactions == ()


def test_a_marker_of_an_unknown_rule_shelters_nothing() -> None:
    key = "sk-ant-api03-" + "a1B2c3D4" * 6
    assert key not in Redactor().text(f"[REDACTED:{key}]", "stdout").value


def test_overlapping_finds_become_one_under_the_name_of_the_longest() -> None:
    redactor = Redactor(patterns=[("short", "bcd"), ("long", "abcde")])
    assert redactor.text("xabcdey", "stdout").value == "x[REDACTED:long]y"


def test_rules_are_told_once_in_the_order_of_the_text() -> None:
    redactor = Redactor(patterns=[("b", "b+"), ("a", "a+")])
    assert [found.rule for found in redactor.text("a b a b", "stderr").redactions] == ["a", "b"]


def test_a_users_pattern_matches_line_by_line() -> None:
    redactor = Redactor(patterns=[("ticket", "TCK-[0-9]{6}"), ("whole line", "^secret .*$")])
    shown = redactor.text("see TCK-123456.\nsecret stuff é\nno secret stuff", "stdout").value
    assert shown == "see [REDACTED:ticket].\n[REDACTED:whole_line]\nno secret stuff"


def test_a_users_pattern_counts_characters_not_bytes_and_bears_half_surrogates() -> None:
    redactor = Redactor(patterns=[("ticket", "TCK-[0-9]{6}")])
    assert redactor.text("é\ud800€ TCK-123456 ñ", "stdout").value == "é\ud800€ [REDACTED:ticket] ñ"


def test_a_users_pattern_is_found_everywhere_in_a_very_long_line() -> None:
    redactor = Redactor(patterns=[("ticket", r"\bTCK-[0-9]{6}\b"), ("start", "^x+")])
    text = ("x" * 9973 + " TCK-123456 ") * 30
    shown = redactor.text(text, "stdout").value
    assert shown == "[REDACTED:start] [REDACTED:ticket] " + ("x" * 9973 + " [REDACTED:ticket] ") * 29


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("[a", "missing ]"),
        ("(?<=a)b", "look-behind are not supported"),
        ("a(?!b)", "look-ahead"),
        (r"(a)\1", "back-references are not supported"),
        ("a*", "matches the empty text"),
        (r"\b", "matches the empty text"),
        ("", "matches the empty text"),
        ("\ud800", "cannot be used"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_named_with_its_reason(
    pattern: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PatternError, match="'mine'") as caught:
        Redactor(patterns=[("mine", pattern)])
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_rules_name_fits_into_a_marker() -> None:
    assert Redactor(patterns=[("my [odd] name", "abc")]).text("abc", "x").value == "[REDACTED:my_odd_name]"
