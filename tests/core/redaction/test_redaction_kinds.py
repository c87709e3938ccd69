"""Every kind of secret is caught, also encoded, cut, behind a name and in pieces; what looks like one is left alone."""

import base64
import json
from urllib.parse import quote

import pytest

from ptc_studio.core.redaction import KnownSecrets, Redactor
from ptc_studio.core.redaction.shape import SubstringFilter
from tests.core.redaction.conftest import CANARIES
from tests.core.redaction.kinds import HARMLESS, NAMED, TOKENS

REDACTOR = Redactor()
ALL_TOKENS = [(rule, token) for rule, tokens in TOKENS.items() for token in tokens]
PLAIN = [(rule, canary) for rule, canary in CANARIES if rule not in ("private_key", "telegram_token", "twilio_key")]
AROUND = [
    "{}",
    "Please use {} for the demo.",
    "API_KEY={}\nDEBUG=1\n",
    'client = Client(api_key="{}", retries=3)',
    "https://api.example.com/v1/items?key={}&page=2",
    r"first line\n{}\nlast line",
    "\x1b[32m{}\x1b[0m",
    "ключ: {} — İstanbul",
    "my_key_{}",
    "deploy-{} now",
]


def percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


ENCODINGS = {
    "hex": lambda text: text.encode().hex(),
    "HEX": lambda text: text.encode().hex().upper(),
    "percent": percent,
    "percent, small": lambda text: percent(text).lower(),
    "escapes": lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64, later": lambda text: base64.b64encode(f"user:{text}\nmore".encode()).decode(),
    "base64, last": lambda text: base64.b64encode(f"ab {text}".encode()).decode(),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(f"x={text}".encode()).decode().rstrip("="),
}


@pytest.mark.parametrize("rule", TOKENS)
def test_a_kind_is_hidden_and_nothing_else(rule: str) -> None:
    for token in TOKENS[rule]:
        for around in AROUND:
            assert REDACTOR.text(around.replace("{}", token), "x").value == around.replace("{}", f"[REDACTED:{rule}]")
        value = {"list": [{"note": f"see {token}"}]}
        shown = REDACTOR.value(value, "result", json_text=json.dumps(value))
        assert shown.value == {"list": [{"note": f"see [REDACTED:{rule}]"}]}


@pytest.mark.parametrize(("rule", "around", "secret"), NAMED, ids=[around for _, around, _ in NAMED])
def test_what_a_text_names_as_secret_is_hidden(rule: str, around: str, secret: str) -> None:
    text, shown = around.format(secret), around.format(f"[REDACTED:{rule}]")
    assert REDACTOR.text(f"see {text} end", "x").value == f"see {shown} end"
    value = {"log": text}
    assert REDACTOR.value(value, "result", json_text=json.dumps(value)).value == {"log": shown}


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_one_is_left_alone(text: str) -> None:
    assert REDACTOR.text(text, "x").value == text
    value = {"note": text}
    assert REDACTOR.value(value, "result", json_text=json.dumps(value)).value == value
    stream = REDACTOR.stream()
    assert "".join([*(stream.feed(each).value for each in text), stream.flush().value]) == text


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
def test_a_shape_is_found_in_every_encoding(encode: object) -> None:
    assert callable(encode)
    for rule, token in [*PLAIN, *ALL_TOKENS]:
        if rule in ("mailchimp_key", "jwt"):
            continue
        text = f"value {encode(token)} end"
        shown = REDACTOR.text(text, "x").value
        assert f"[REDACTED:{rule}]" in shown, (rule, text)
        kept = shown.replace(f"[REDACTED:{rule}]", "")
        assert len(kept) < 48, (rule, text, shown)
        assert shown.startswith("value ")
        assert shown.endswith(" end")


def test_a_private_key_in_base64_is_found() -> None:
    key = next(canary for rule, canary in CANARIES if rule == "private_key")
    text = base64.b64encode(f"{key}\n".encode()).decode()
    # The last letter holds bits of the line's end alone.
    assert REDACTOR.text(f"tls.key: {text}\n", "x").value.replace("]K", "]") == "tls.key: [REDACTED:private_key]\n"


@pytest.mark.parametrize("rule", sorted({rule for rule, _ in [*PLAIN, *ALL_TOKENS]}))
def test_a_token_that_lost_its_last_character_is_hidden(rule: str) -> None:
    exact = ("notion_token", "mailchimp_key", "square_token")
    for _, token in [each for each in [*PLAIN, *ALL_TOKENS] if each[0] == rule]:
        if rule in exact and not token.startswith(("ntn_", "sq0")):
            continue
        assert token[:-1] not in REDACTOR.text(f"cut: {token[:-1]}", "x").value


@pytest.mark.parametrize("cut", [slice(0, -1), slice(1, None), slice(0, 31), slice(9, None)])
def test_a_known_secret_that_was_cut_is_hidden(cut: slice) -> None:
    secrets = KnownSecrets()
    value = "correct-horse-battery-staple-and-more-x7"
    assert len(value) == 40
    secrets.add("DB", value)
    redactor = Redactor(secrets=secrets)
    assert redactor.text(f"<{value[cut]}>", "x").value == "<[REDACTED:secret:DB]>"
    stream = redactor.stream()
    shown = "".join([*(stream.feed(each).value for each in value[cut] + " "), stream.flush().value])
    assert shown.endswith("[REDACTED:secret:DB] ")
    assert len(shown) < 32


@pytest.mark.parametrize("encode", [*ENCODINGS.values(), lambda text: quote(text, safe="")])
def test_a_known_secret_is_found_in_every_encoding(encode: object) -> None:
    assert callable(encode)
    secrets = KnownSecrets()
    secrets.add("DB", "plain words, no digit")
    shown = Redactor(secrets=secrets).text(f"<{encode('plain words, no digit')}>", "x").value
    assert "[REDACTED:secret:DB]" in shown


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("size", [1, 7])
def test_nothing_of_any_kind_gets_out_in_pieces(size: int) -> None:
    for rule, text, secret in [(rule, f"see {token} end\n", token) for rule, token in ALL_TOKENS] + [
        (rule, around.format(secret) + " end\n", secret) for rule, around, secret in NAMED
    ]:
        stream = Redactor().stream()
        shown = "".join([*(stream.feed(piece).value for piece in pieces(text, size)), stream.flush().value])
        assert shown == text.replace(secret, f"[REDACTED:{rule}]"), (rule, text)


@pytest.mark.parametrize("size", [1, 5])
def test_nothing_encoded_gets_out_in_pieces(size: int) -> None:
    for rule, token in ALL_TOKENS[::4]:
        if rule == "mailchimp_key":
            continue
        for encode in ENCODINGS.values():
            text = f"value {encode(token)} end\n"
            stream = Redactor().stream()
            shown = "".join([*(stream.feed(piece).value for piece in pieces(text, size)), stream.flush().value])
            assert f"[REDACTED:{rule}]" in shown, (rule, text, shown)
            assert len(shown) < 90, (rule, shown)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("password", "swordfish"),
        ("password", "correct horse battery staple"),
        ("db_password", "20240501"),
        ("client_secret", "abcdefghijkl"),
        ("token", "abcdefghijklmnopqrst"),
        ("token", "a1b2c3d4"),
    ],
)
def test_a_value_under_a_secret_key_is_known_before_it_is_given_away(key: str, value: str) -> None:
    redactor = Redactor()
    redactor.learn(json.dumps({"user": {key: value}}).encode(), lambda: {"user": {key: value}})
    assert redactor.text(f"it is {value}.", "stdout").value == f"it is [REDACTED:secret:{key}]."


@pytest.mark.parametrize(
    "value", ["password", "required", "operator", "identifier", "xxxxxxxx", "your-token", "********"]
)
def test_an_ordinary_word_under_a_secret_key_is_not_hidden_elsewhere(value: str) -> None:
    redactor = Redactor()
    redactor.learn(json.dumps({"token": value}).encode(), lambda: {"token": value})
    assert redactor.text(f"it is {value}.", "stdout").value == f"it is {value}."


@pytest.mark.parametrize(
    ("value", "quiet"),
    [
        ({"name": "Ann", "tags": ["a"]}, True),
        ({"next_page_token": "p2"}, False),
        ({"note": "ghp_" + "a1B2" * 9}, False),
    ],
)
def test_a_value_in_which_nothing_looks_like_a_secret_is_looked_at_once(value: object, quiet: bool) -> None:
    redactor, text = Redactor(), json.dumps(value).encode()
    assert redactor.learn(text, lambda: value) is quiet
    shown = redactor.value(value, "result", json_text=text, quiet=quiet)
    assert shown == redactor.value(value, "result", json_text=text)


def test_a_quiet_value_is_still_searched_for_known_secrets() -> None:
    redactor, value = Redactor(), {"note": "the word is sesame-street"}
    quiet = redactor.learn(json.dumps(value).encode(), lambda: value)
    redactor.secrets.add("DOOR", "sesame-street")
    shown = redactor.value(value, "result", json_text=json.dumps(value).encode(), quiet=quiet)
    assert (quiet, shown.value) == (True, {"note": "the word is [REDACTED:secret:DOOR]"})


@pytest.mark.parametrize("count", [1, 200, 4000])
def test_a_filter_opens_however_many_patterns_it_has(count: int) -> None:
    words = [f"{number:06}-{'ab' * 12}" for number in range(count)]
    gate = SubstringFilter(words)
    assert gate.opens(f"here is {words[-1]}.".encode())
    assert not gate.opens(b"here is none.")


def test_of_a_thousand_values_under_secret_keys_none_is_forgotten() -> None:
    redactor = Redactor()
    rows = [{"name": f"u{number}", "token": f"tk{number:04}abcdefgh"} for number in range(1000)]
    redactor.learn(json.dumps(rows).encode(), lambda: rows)
    for row in rows:
        assert row["token"] not in redactor.text(f"{row['name']}: {row['token']}, ok", "stdout").value
    stream = redactor.stream()
    text = "".join(f"{row['name']}={row['token']}\n" for row in rows)
    shown = "".join([*(stream.feed(piece).value for piece in pieces(text, 11)), stream.flush().value])
    assert "abcdefgh" not in shown
    assert redactor.value(rows[0], "result", json_text=json.dumps(rows[0])).value["token"] == "[REDACTED:token]"
    note = {"note": rows[0]["token"]}
    assert redactor.value(note, "result", json_text=json.dumps(note)).value == {"note": "[REDACTED:secret:token]"}
