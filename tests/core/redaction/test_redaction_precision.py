"""What is no secret stays whole."""

import base64
import inspect
import random
import smtplib
import ssl
import textwrap
import urllib.request
import uuid

import pytest

from ptc_studio.core.redaction import Redactor

REDACTOR = Redactor()

LINES = [
    "Bearer of good news",
    "the bearer authentication-mechanism of RFC 6750",
    "Bearer tokens are described in RFC6750, section 2.1.",
    "Bearer <token>, Bearer {token}, Bearer ${TOKEN}, Bearer YOUR_ACCESS_TOKEN, Bearer $ACCESS_TOKEN",
    "Authorization: required for admins",
    "Authorization: Basic authentication is not enough",
    "Authorization: Bearer <your token here>",
    "authorization, authentication and accounting",
    "    authorization: AsymmetricPropertyWithDelete",
    "from sklearn import sk-learn, task-12345, risk-assessment-2024-q3-final-version-number-12",
    ".sk-fading-circle-animation-delay-class-name { animation-delay: -1.1s }",
    ".sk-circle-fade-dot, .sk-cube-grid-animation-duration-1500ms { }",
    "sk-estimator-id-12 sk-toggleable__label-arrow",
    "def sk_test_helper_function_for_all_the_things(): ...",
    "gsk_some_function_name_that_is_quite_long()",
    "AKIA is a prefix; AKIAB is too short; BAKIAABCDEFGHIJKLMNOPQ is a word",
    "SKU-12345 SKIP SKELETON SK8ER SG.io AIza eyJ xoxo xox-",
    "SG.Tests.Integration.Something",
    "2024-05-01T10:11:12.123456Z 12:34:56 10.0.0.1:8080 [::1]:443 1714558272:abc",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "1714558272:da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "The file begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQ\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "if line.startswith('-----BEGIN PRIVATE KEY-----'): return parse(line)",
    "BEGIN TRANSACTION; UPDATE t SET a = 1; END ",
    "max_tokens=4096 next_token=None page_token='' monkey=1 public_key=ssh-ed25519",
    "git push --force-with-lease origin feature/ask-me-later-please-2024",
]


def _git_log(rng: random.Random) -> str:
    commits = [f"commit {rng.randbytes(20).hex()}\nAuthor: A <a@b.c>\n\n    Fix the thing\n" for _ in range(150)]
    return "\n".join(commits)


def _base64_image(rng: random.Random) -> str:
    return f'<img src="data:image/png;base64,{base64.b64encode(rng.randbytes(30_000)).decode()}">'


def _wrapped_base64(rng: random.Random) -> str:
    return "\n".join(textwrap.wrap(base64.b64encode(rng.randbytes(15_000)).decode(), 76))


def _uuids(rng: random.Random) -> str:
    return "\n".join(str(uuid.UUID(int=rng.getrandbits(128))) for _ in range(500))


def _traceback() -> str:
    frame = '  File "/usr/lib/python3.11/asyncio/tasks.py", line 479, in wait_for\n    return fut.result()\n'
    return "Traceback (most recent call last):\n" + frame * 60 + "KeyError: 'task-12345'\n"


def test_a_mixed_corpus_is_left_as_it_is() -> None:
    rng = random.Random(1)
    code = [inspect.getsource(module) for module in (urllib.request, smtplib, ssl)]
    parts = [*LINES, *code, _git_log(rng), _base64_image(rng), _wrapped_base64(rng), _uuids(rng), _traceback()]
    corpus = "\n".join(parts)
    assert len(corpus) > 200_000
    redacted = REDACTOR.text(corpus, "result")
    assert redacted.redactions == ()
    assert redacted.value is corpus or redacted.value == corpus


@pytest.mark.parametrize("line", LINES)
def test_a_harmless_line_is_left_as_it_is(line: str) -> None:
    assert REDACTOR.text(line, "stdout").value == line


def test_megabytes_of_random_base64_are_left_as_they_are() -> None:
    rng = random.Random(2)
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        text = encode(rng.randbytes(1_500_000)).decode()
        assert REDACTOR.text(text, "result").redactions == ()
