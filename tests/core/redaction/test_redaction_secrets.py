"""Known secrets are caught in every form in which they travel."""

import base64
import json
import threading
from urllib.parse import quote, quote_plus

import pytest

from ptc_studio.core.redaction import KnownSecrets, Redactor
from ptc_studio.core.redaction.secrets import MOST_LEARNED

SECRET = 'p/ss w?rd+"é\\\n~1234'


@pytest.fixture
def redactor() -> Redactor:
    secrets = KnownSecrets()
    secrets.add("DB", SECRET)
    return Redactor(secrets=secrets)


FORMS = {
    "raw": SECRET,
    "quote": quote(SECRET),
    "quote all": quote(SECRET, safe=""),
    "quote_plus": quote_plus(SECRET),
    "lower-case hex": quote(SECRET, safe="").lower(),
    "json": json.dumps(SECRET)[1:-1],
    "json, not ascii": json.dumps(SECRET, ensure_ascii=False)[1:-1],
    "base64": base64.b64encode(SECRET.encode()).decode(),
    "urlsafe base64": base64.urlsafe_b64encode(SECRET.encode()).decode(),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_a_known_secret_is_caught_in_each_of_its_forms(redactor: Redactor, form: str) -> None:
    redacted = redactor.text(f"value: {form} end", "stdout")
    assert redacted.value == "value: [REDACTED:secret:DB] end"
    assert redacted.redactions[0].rule == "secret:DB"


@pytest.mark.parametrize("before", ["", "u", "us", "use", "user:"])
@pytest.mark.parametrize("after", ["", "1", "12", "123"])
def test_a_known_secret_is_caught_inside_a_longer_base64_text(before: str, after: str) -> None:
    secrets = KnownSecrets()
    secrets.add("PW", "correct-horse-7")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        text = encode(f"{before}correct-horse-7{after}".encode()).decode()
        shown = Redactor(secrets=secrets).text(text, "stdout").value
        assert "[REDACTED:secret:PW]" in shown
        assert len(shown.replace("[REDACTED:secret:PW]", "")) <= (len(before) + len(after)) * 4 // 3 + 6


def test_too_short_a_value_is_ignored() -> None:
    secrets = KnownSecrets()
    secrets.add("PIN", "12345")
    assert Redactor(secrets=secrets).text("12345", "stdout").value == "12345"


def test_white_space_around_a_value_does_not_count() -> None:
    secrets = KnownSecrets()
    secrets.add("K", "  hunter22\n")
    assert Redactor(secrets=secrets).text("<hunter22>", "stdout").value == "<[REDACTED:secret:K]>"


def test_of_two_secrets_the_longer_one_gives_the_name() -> None:
    secrets = KnownSecrets()
    secrets.add("SHORT", "hunter22")
    secrets.add("LONG", "hunter22-and-more")
    shown = Redactor(secrets=secrets).text("hunter22-and-more hunter22", "stdout").value
    assert shown == "[REDACTED:secret:LONG] [REDACTED:secret:SHORT]"


def test_a_secret_added_later_is_caught_at_once_also_after_many_questions() -> None:
    redactor = Redactor()
    redactor.secrets.add("A", "first-secret-1")
    for _ in range(200):
        assert redactor.text("nothing here at all", "stdout").redactions == ()
    assert redactor.text("a first-secret-1", "stdout").value == "a [REDACTED:secret:A]"
    redactor.secrets.add("B", "second-secret-2")
    assert redactor.text("a second-secret-2", "stdout").value == "a [REDACTED:secret:B]"


def test_of_the_learned_values_the_older_are_known_as_whole_words() -> None:
    secrets = KnownSecrets()
    secrets.add("VAULT", "vault-value-0")
    for number in range(MOST_LEARNED + 1):
        secrets.learn("token", f"learned-value-{number}x")
    redactor = Redactor(secrets=secrets)
    assert redactor.text("vault-value-0", "x").value == "[REDACTED:secret:VAULT]"
    assert redactor.text(f"learned-value-{MOST_LEARNED}x", "x").value == "[REDACTED:secret:token]"
    assert redactor.text("see learned-value-0x.", "x").value == "see [REDACTED:secret:token]."
    assert redactor.text("learned-value-0xyz", "x").value == "learned-value-0xyz"


def test_threads_may_add_and_look_at_once() -> None:
    secrets = KnownSecrets()
    redactor = Redactor(secrets=secrets)
    missed: list[str] = []

    def work(worker: int) -> None:
        for number in range(40):
            value = f"secret-{worker}-{number}-value"
            secrets.add("T", value)
            if value in redactor.text(f"x {value} y", "stdout").value:
                missed.append(value)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missed == []
