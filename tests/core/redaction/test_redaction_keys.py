"""Keys by their words: the last ones say what a thing is."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptc_studio.core.redaction import KnownSecrets, Redactor
from ptc_studio.core.redaction.keys import SecretKeys
from ptc_studio.core.redaction.redactor import Prefilter

RULES = {
    "card_token": "card_token",
    "cardToken": "card_token",
    "CARD-TOKEN": "card_token",
    "x-api-key": "x_api_key",
    "STRIPE_API_KEY": "stripe_api_key",
    "openaiAPIKey": "openai_api_key",
    "stripe_apikey": "stripe_apikey",
    "stripeSecretKey": "stripe_secret_key",
    "deploy_private_key": "deploy_private_key",
    "AWS_SECRET_ACCESS_KEY": "aws_secret_access_key",
    "X-Vault-Token": "x_vault_token",
    "github_accesstoken": "github_accesstoken",
    "webhook secret": "webhook_secret",
    "smtp_password": "smtp_password",
    "smtpPassWord": "smtp_pass_word",
    "password2": "password2",
    "hashed_password": "hashed_password",
    "spring.datasource.password": "spring.datasource.password",
    "user[password]": "user_password",
    "aws_credentials": "aws_credentials",
    "next_access_token": "next_access_token",
}
HARMLESS = [
    "tokens", "max_tokens", "maxTokens", "token_count", "tokenCount", "token_type", "token_id", "tokenizer", "token0",
    "access_token_expires_in", "next_token", "nextPageToken", "continuation_token", "eos_token", "cost_per_token",
    "price_per_input_token", "secretary", "secret_name", "secrets_count", "password_policy_url", "password_changed_at",
    "forgot_password", "api_key_id", "access_key_id", "public_key", "primary_key", "sort_key", "cache_key", "monkey",
    "keychain", "cookie_policy", "credentials_url", "betoken", "_", "", "...", "[REDACTED:github_token]",
]  # fmt: skip


@pytest.mark.parametrize(("key", "rule"), RULES.items(), ids=RULES.keys())
def test_a_key_that_ends_like_a_secret_one_is_hidden_under_its_own_name(key: str, rule: str) -> None:
    value = {key: "x y"}
    for text in (None, json.dumps(value), json.dumps(value, separators=(",", ":"))):
        redacted = Redactor().value(value, "result", json_text=text)
        assert redacted.value == {key: f"[REDACTED:{rule}]"}
        assert [found.rule for found in redacted.redactions] == [rule]


@pytest.mark.parametrize("key", HARMLESS)
def test_a_key_that_only_speaks_of_a_secret_is_shown(key: str) -> None:
    value = {key: "x y"}
    for text in (None, json.dumps(value)):
        assert Redactor().value(value, "result", json_text=text).value is value


def test_a_users_own_key_counts_for_whole_keys_alone() -> None:
    value = {"name": "x", "file_name": "y", "Name": "z"}
    shown = Redactor(keys=["name"]).value(value, "result").value
    assert shown == {"name": "[REDACTED:name]", "file_name": "y", "Name": "[REDACTED:name]"}


def test_a_value_of_a_key_with_more_words_is_learned_for_all_other_texts() -> None:
    redactor = Redactor()
    redactor.value({"card_token": "tok_a1b2c3d4"}, "result")
    assert redactor.text("charged tok_a1b2c3d4", "stdout").value == "charged [REDACTED:secret:card_token]"


def test_a_key_is_no_way_out_for_the_secret_in_it() -> None:
    secrets = KnownSecrets()
    secrets.add("A", "known_secret_1")
    redactor = Redactor(secrets=secrets)
    for secret in ("known_secret_1", "ghp_" + "a1b2" * 9):
        redacted = redactor.value({f"{secret}_token": "x", f"{secret}.password": "x"}, "result")
        assert secret not in repr(redacted).lower()
        assert {found.rule for found in redacted.redactions} >= {"token", "password"}
        assert redactor.value(redacted.value, "result").value == redacted.value


def test_a_long_key_gives_its_rule_the_last_words_only() -> None:
    assert SecretKeys().rule("a_" * 30 + "privateKey") == "private_key"


def test_a_marker_with_more_words_is_a_shelter_for_nothing_but_words() -> None:
    secrets = KnownSecrets()
    secrets.add("A", "known_secret_1")
    redactor = Redactor(patterns=[("words", "card_[a-z]+")], secrets=secrets)
    assert redactor.text("[REDACTED:card_token]", "stdout").value == "[REDACTED:card_token]"
    for secret in ("known_secret_1", "ghp_" + "a1b2" * 9):
        assert secret not in redactor.text(f"[REDACTED:{secret}_token]", "stdout").value


def test_what_is_remembered_of_keys_is_bounded() -> None:
    keys = SecretKeys()
    for number in range(10_000):
        assert keys.rule(f"key_{number}") is None
        assert keys.rule(f"{number}_token") == f"{number}_token"
    assert keys.remembered <= 4096


WORDS = [
    "card",
    "next",
    "page",
    "api",
    "key",
    "token",
    "Token",
    "secret",
    "pass",
    "word",
    "password",
    "count",
    "x",
    "é",
]
KEYS = st.lists(st.sampled_from([*WORDS, "_", "-", ".", " ", "[", "]", ":", '"', "\\", "\n"]), max_size=6).map("".join)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    value=st.dictionaries(KEYS, st.one_of(KEYS, st.dictionaries(KEYS, st.integers(), max_size=2)), max_size=4),
    ascii_only=st.booleans(),
    separators=st.sampled_from([(",", ":"), (", ", ": "), (" ,", " \t:\n")]),
)
def test_the_prefilter_finds_every_key_that_a_walk_finds(
    value: Any, ascii_only: bool, separators: tuple[str, str]
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, separators=separators)
    assert Redactor().value(value, "result", json_text=text) == Redactor().value(value, "result")


def test_a_page_of_a_list_is_not_walked_for_its_next_page_token() -> None:
    text = b'{"items":[{"id":1,"name":"Ada"}],":token":0,"next_page_token":"abc"}'
    prefilter = Prefilter(SecretKeys(), KnownSecrets())
    assert not prefilter.clean(text)
    assert prefilter.clean(text.replace(b":token", b"total"))
