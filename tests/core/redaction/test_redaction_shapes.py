"""Every shape is caught, in every surrounding."""

import json
import random
import string

import pytest

from ptc_studio.core.redaction import Redactor
from ptc_studio.core.redaction.shapes import GATE_PATTERNS, SHAPES, SHORTEST

REDACTOR = Redactor()

SURROUNDINGS = {
    "alone": "{}",
    "prose": "Please use {} for the demo, and tell nobody.",
    "end of a sentence": "The key is {}. It works.",
    "assignment": "API_KEY={}\nDEBUG=1\n",
    "code": 'client = Client(api_key="{}", retries=3)',
    "code with single quotes": "x = ['{}', 'b']",
    "shell": "export KEY='{}' && run",
    "yaml": "key: {}\nother: 1",
    "query": "https://api.example.com/v1/items?key={}&page=2",
    "path": "https://api.example.com/hooks/{}/send",
    "url-encoded": "redirect=https%3A%2F%2Fx.y%2F%3Fkey%3D{}%26page%3D2",
    "escaped line ends": r"first line\n{}\nlast line",
    "html": "<td>{}</td>",
    "markdown": "`{}`",
    "colours": "\x1b[32m{}\x1b[0m",
    "brackets": "({})",
    "not ASCII": "ключ: {} — İstanbul",
}


@pytest.mark.parametrize("surrounding", SURROUNDINGS.values(), ids=SURROUNDINGS.keys())
def test_a_canary_is_replaced_and_nothing_else(rule: str, canary: str, surrounding: str) -> None:
    redacted = REDACTOR.text(surrounding.replace("{}", canary), "stdout")
    assert redacted.value == surrounding.replace("{}", f"[REDACTED:{rule}]")
    assert [(found.rule, found.where, found.path) for found in redacted.redactions] == [(rule, "stdout", "$")]


def test_a_canary_is_caught_in_json_text_and_in_json_within_json(rule: str, canary: str) -> None:
    once = json.dumps({"a": f"x {canary} y", "b": [1, 2]})
    twice = json.dumps({"body": once})
    for text in (once, twice):
        redacted = REDACTOR.text(text, "result").value
        assert f"[REDACTED:{rule}]" in redacted
        assert canary[12:40] not in redacted
        json.loads(redacted)


def test_two_canaries_side_by_side_are_both_caught(rule: str, canary: str) -> None:
    redacted = REDACTOR.text(f"{canary} {canary}", "stdout").value
    assert redacted == f"[REDACTED:{rule}] [REDACTED:{rule}]"


def test_a_canary_inside_a_longer_word_is_none(rule: str, canary: str) -> None:
    # Hyphens are no part of a word: a private key begins with them wherever it stands.
    shown = "[REDACTED:private_key]" if rule == "private_key" else canary
    assert REDACTOR.text(f"aGVsbG8{canary}", "stdout").value == f"aGVsbG8{shown}"


def test_a_telegram_token_is_caught_in_the_address_of_its_bot() -> None:
    url = "https://api.telegram.org/bot{}/sendMessage"
    assert REDACTOR.text(url.format("123456789:" + "Ab1" * 11 + "cd"), "x").value == url.format(
        "[REDACTED:telegram_token]"
    )


@pytest.mark.parametrize("prefix", ["sk-", "sk-proj-", "sk-ant-api03-", "sk-or-v1-", "gsk_", "sk_live_", "xoxb-"])
def test_random_alphanumerics_of_realistic_length_are_always_caught(prefix: str) -> None:
    rng = random.Random(prefix)
    for _ in range(3000):
        token = prefix + "".join(rng.choices(string.ascii_letters + string.digits, k=rng.randint(24, 60)))
        assert token not in REDACTOR.text(f"key {token}", "stdout").value


@pytest.mark.parametrize("alphabet", [string.ascii_letters + string.digits, string.ascii_letters, "0123456789abcdef"])
def test_bearer_tokens_are_always_caught(alphabet: str) -> None:
    rng = random.Random(alphabet)
    for word in ("Bearer", "bearer", "BEARER", "bEaReR"):
        for _ in range(500):
            token = "".join(rng.choices(alphabet, k=rng.randint(20, 60)))
            assert REDACTOR.text(f"{word} {token}", "stdout").value == f"{word} [REDACTED:bearer_token]"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [REDACTED:authorization_header]"),
        ("authorization: basic YTpi", None),
        ("Proxy-Authorization: Basic dXNlcjpwYXNzMQ==", "Proxy-Authorization: Basic [REDACTED:authorization_header]"),
        ("Authorization: a1b2c3d4e5f6 trailing words", "Authorization: [REDACTED:authorization_header] trailing words"),
        ('{"Authorization": "Token 9944b09199c62bcf"}', '{"Authorization": "Token [REDACTED:authorization_header]"}'),
        (
            "h['Authorization'] = 'Token 9944b09199c62bcf'",
            "h['Authorization'] = 'Token [REDACTED:authorization_header]'",
        ),
        (
            'setHeader("Authorization", "ApiKey 9944b099c6")',
            'setHeader("Authorization", "ApiKey [REDACTED:authorization_header]")',
        ),
        ("-H 'Authorization: Bearer 9944b099c6ab'", "-H 'Authorization: Bearer [REDACTED:bearer_token]'"),
        ("?authorization=9944b099c6ab&x=1", "?authorization=[REDACTED:authorization_header]&x=1"),
        (
            'Authorization: Digest username="Mufasa", nonce="a1", response="6629fae49393"\nHost: x',
            "Authorization: Digest [REDACTED:authorization_header]\nHost: x",
        ),
        (
            "Authorization: AWS4-HMAC-SHA256 Credential=AKIAABCDEFGHIJKLMNOP/20130524/us-east-1/s3, Signature=fe5f80",
            "Authorization: AWS4-HMAC-SHA256 [REDACTED:authorization_header]",
        ),
        ("Authorization: Bearer%209944b099c6ab", "Authorization: Bearer%20[REDACTED:bearer_token]"),
    ],
)
def test_a_header_keeps_its_name_and_scheme(text: str, shown: str | None) -> None:
    assert REDACTOR.text(text, "stdout").value == (text if shown is None else shown)


def test_a_telling_rule_names_what_a_general_one_finds_too() -> None:
    key = "sk-ant-api03-" + "a1B2c3D4" * 6
    assert REDACTOR.text(f"Authorization: Bearer {key}", "x").value == "Authorization: Bearer [REDACTED:anthropic_key]"


def test_no_shape_is_shorter_than_the_shortest(all_canaries: list[str]) -> None:
    assert min(map(len, all_canaries)) >= SHORTEST
    assert len(SHAPES) >= 16
    assert GATE_PATTERNS


PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + ("MIIEpAIBAAKCAQEA7bq9" * 4)[:64] + "\n" + ("q8Zk+/x1" * 8) + "\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (PEM, "[REDACTED:private_key]\n"),
        (PEM + "abc123==\nNext line of the log\n", "[REDACTED:private_key]\nNext line of the log\n"),
        (PEM + "Done\nmore", "[REDACTED:private_key]\nDone\nmore"),
        (PEM + "MIIEcut", "[REDACTED:private_key]"),
        (PEM.replace("\n", "\\n") + 'MIIEcut"}', '[REDACTED:private_key]"}'),
        ("-----BEGIN PRIVATE KEY-----\nMIIEpAIB", "[REDACTED:private_key]"),
        ("> -----BEGIN PRIVATE KEY-----\n> MIIEpAIBAAKC\n> -----END PRIVATE KEY-----", "> [REDACTED:private_key]"),
        ("a\n" + PEM + PEM + "b", "a\n[REDACTED:private_key]\n[REDACTED:private_key]\nb"),
    ],
)
def test_a_private_key_that_was_cut_is_hidden_to_its_end(text: str, shown: str) -> None:
    assert REDACTOR.text(text, "stdout").value == shown


def test_a_private_key_with_header_fields_is_hidden_though_it_was_cut() -> None:
    fields = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n"
    text = PEM.replace("-----\n", "-----\n" + fields)
    assert REDACTOR.text(text, "stdout").value == "[REDACTED:private_key]\n"


def test_a_block_longer_than_what_is_searched_is_hidden_whole() -> None:
    body = "\n".join(["A1b2" * 16] * 3000)
    text = f"x\n-----BEGIN PGP PRIVATE KEY BLOCK-----\n{body}\n-----END PGP PRIVATE KEY BLOCK-----\ny"
    assert REDACTOR.text(text, "stdout").value == "x\n[REDACTED:private_key]\ny"


def test_a_word_like_the_first_of_a_block_does_not_hide_the_block() -> None:
    text = "BEGIN the day\n" + PEM + "-----END RSA PRIVATE KEY-----\nEND of it"
    assert REDACTOR.text(text, "stdout").value == "BEGIN the day\n[REDACTED:private_key]\nEND of it"


def test_a_time_right_before_a_telegram_token_does_not_hide_it() -> None:
    token = "123456789:" + "Ab1" * 11 + "cd"
    assert REDACTOR.text(f"12:30 {token}", "stdout").value == "12:30 [REDACTED:telegram_token]"
    assert REDACTOR.text(f"12:30 {token}ef", "stdout").value == f"12:30 {token}ef"
