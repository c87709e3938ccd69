"""Canaries: one secret of every shape, made as the real ones are made, the same at every run."""

import random
import string

import pytest

_RANDOM = random.Random(20240501)
_ALNUM = string.ascii_letters + string.digits


def made(alphabet: str, size: int) -> str:
    return "".join(_RANDOM.choice(alphabet) for _ in range(size))


def _alnum(size: int) -> str:
    return made(_ALNUM, size)


def canaries() -> list[tuple[str, str]]:
    token = _ALNUM + "_-"
    return [
        ("openai_key", "sk-" + _alnum(48)),
        ("openai_key", "sk-" + _alnum(20)),
        ("openai_key", "sk-proj-" + made(token, 156) + "A"),
        ("openai_key", "sk-svcacct-" + _alnum(60)),
        ("anthropic_key", "sk-ant-api03-" + made(token, 93) + "AA"),
        ("anthropic_key", "sk-ant-oat01-" + _alnum(95)),
        ("openrouter_key", "sk-or-v1-" + made("0123456789abcdef", 64)),
        ("groq_key", "gsk_" + _alnum(52)),
        ("aws_access_key", "AKIA" + made(string.ascii_uppercase + string.digits, 16)),
        ("aws_access_key", "ASIA" + made(string.ascii_uppercase + string.digits, 16)),
        ("google_api_key", "AIza" + made(token, 34) + "x"),
        *[("github_token", f"gh{kind}_" + _alnum(36)) for kind in "pousr"],
        ("github_token", "github_pat_" + _alnum(22) + "_" + _alnum(59)),
        ("stripe_key", "sk_live_" + _alnum(24)),
        ("stripe_key", "sk_test_" + _alnum(24)),
        ("stripe_key", "rk_live_" + _alnum(24)),
        *[("slack_token", f"xox{kind}-" + made(string.digits, 12) + "-" + _alnum(24)) for kind in "baprs"],
        ("twilio_key", "SK" + made("0123456789abcdef", 32)),
        ("sendgrid_key", "SG." + _alnum(22) + "." + _alnum(43)),
        ("telegram_token", made("123456789", 10) + ":AA" + _alnum(33)),
        ("telegram_token", made("123456789", 8) + ":" + _alnum(35)),
        ("jwt", "eyJ" + _alnum(33) + ".eyJ" + _alnum(60) + "." + made(token, 43)),
        ("private_key", _pem("RSA PRIVATE KEY", 12)),
        ("private_key", _pem("PRIVATE KEY", 1)),
        ("private_key", _pem("OPENSSH PRIVATE KEY", 6)),
        ("private_key", _pem("PGP PRIVATE KEY BLOCK", 6)),
        ("private_key", _pem("RSA PRIVATE KEY", 3).replace("\n", "\\n")),
    ]


def _pem(label: str, lines: int) -> str:
    body = "\n".join(made(_ALNUM + "+/", 64) for _ in range(lines))
    return f"-----BEGIN {label}-----\n{body}\n{made(_ALNUM, 22)}==\n-----END {label}-----"


CANARIES = canaries()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"rule", "canary"} <= set(metafunc.fixturenames):
        metafunc.parametrize(
            ("rule", "canary"), CANARIES, ids=[f"{rule}-{at}" for at, (rule, _) in enumerate(CANARIES)]
        )


@pytest.fixture
def all_canaries() -> list[str]:
    return [canary for _, canary in CANARIES]
