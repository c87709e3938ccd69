"""Hostile texts cost linear time, long ones let other threads work, and small values cost next to nothing."""

import json
import threading
import time
import timeit
from collections.abc import Callable
from functools import partial

import pytest

from ptc_studio.core.redaction import Redactor

HOSTILE = {
    "jwt": "eyJ",
    "jwt with dots": "eyJaaaaaaaaaa.",
    "openai": "sk-",
    "openai run": "sk-a",
    "openai words": "sk-proj-aaaaaaaaaaaaaaaa ",
    "anthropic": "sk-ant-",
    "stripe": "sk_live_",
    "github": "ghp_a",
    "github underscores": "github_pat_",
    "aws": "AKIA",
    "google": "AIzaAIza ",
    "slack": "xoxb-",
    "twilio": "SK0a",
    "sendgrid": "SG.aaaaaaaaaaaaaaaaaaaaaa",
    "telegram": "12345678:",
    "digits": "1234567890",
    "bearer": "bearer ",
    "bearer run": "bearer.bearer-",
    "bearer escaped": "bearer%20-",
    "authorization": "authorization:",
    "authorization list": 'authorization: x a="',
    "authorization equals": "authorization=-",
    "authorization words": "authorization , ",
    "begin": "-----BEGIN PRIVATE KEY-----",
    "begin lines": "-----BEGIN PRIVATE KEY-----\naaaaaaaa\n",
    "begin word": "BEGIN ",
    "end": "-----BEGIN PRIVATE KEY-----\n" + "-----END ",
    "hyphens": "-",
    "markers": "[REDACTED:",
    "letters": "a",
    "percent": "%3D",
    "line ends": "\n",
    "not ascii": "éİ Bearer ",
}


def seconds(redactor: Redactor, text: str, times: int = 3) -> float:
    """Of this thread's work alone, whatever else the machine does."""

    def once() -> float:
        start = time.thread_time()
        redactor.text(text, "stdout")
        return time.thread_time() - start

    return min(once() for _ in range(times))


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_four_times_the_text_takes_less_than_eight_times_the_time(unit: str) -> None:
    redactor = Redactor()
    small = unit * (50_000 // len(unit))
    assert seconds(redactor, small * 4) < 8 * seconds(redactor, small) + 0.02


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+b", "(.*)*x", "a{1,200}b"])
def test_a_hostile_pattern_takes_linear_time(pattern: str) -> None:
    redactor = Redactor(patterns=[("evil", pattern)])
    small = "a" * 50_000 + "!"
    assert seconds(redactor, small * 4) < 8 * seconds(redactor, small) + 0.05


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["eyJ", "sk-", "bearer "])
def test_megabytes_of_triggers_take_ten_times_as_long_as_a_tenth_of_them(unit: str) -> None:
    redactor, small = Redactor(), unit * (400_000 // len(unit))
    assert seconds(redactor, small * 10, times=1) < 20 * seconds(redactor, small)


def largest_gap(work: Callable[[], object]) -> float:
    """The longest that the work kept this thread waiting, in seconds of its own work: others' are not its fault."""
    begun, done, clock = threading.Event(), threading.Event(), list[int]()

    def run() -> None:
        clock.append(time.pthread_getcpuclockid(threading.get_ident()))
        begun.set()
        work()
        done.set()
        # Its clock is there as long as it is.
        finished.wait()

    finished = threading.Event()
    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    gap, last = 0.0, time.clock_gettime(clock[0])
    while not done.is_set():
        time.sleep(0.001)
        now = time.clock_gettime(clock[0])
        gap, last = max(gap, now - last), now
    finished.set()
    thread.join()
    return gap


def keeps_gaps_short(work: Callable[[], object]) -> bool:
    """Whether the work lets another thread go on within 0.15 s; on a busy machine that shows only now and then."""
    return any(largest_gap(work) < 0.15 for _ in range(8))


LINE = "2024-05-01T10:11:12Z INFO worker-7 handled GET /items/4711 in 12 ms, bearer of é good news, sk-learn\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        LINE * 100_000,
        LINE.replace("\n", " ") * 100_000,
        "sk-" + "a" * 10_000_000,
        "eyJ" * 3_000_000,
        "é" * 10_000_000 + "bearer",
    ],
    ids=["lines", "one line", "one token", "triggers", "not ascii"],
)
def test_ten_megabytes_do_not_keep_another_thread_waiting(text: str) -> None:
    redactor = Redactor()
    assert keeps_gaps_short(partial(redactor.text, text, "stdout"))


@pytest.mark.slow
def test_ten_megabytes_with_a_users_pattern_do_not_keep_another_thread_waiting() -> None:
    redactor = Redactor(patterns=[("evil", "(a+)+$"), ("ticket", "TCK-[0-9]{6}")])
    for text in (LINE * 50_000, "a" * 5_000_000):
        assert keeps_gaps_short(partial(redactor.text, text, "stdout"))


def test_writing_single_characters_to_a_stream_takes_linear_time() -> None:
    def feed(text: str) -> float:
        stream = Redactor().stream()
        start = time.thread_time()
        for character in text:
            stream.feed(character)
        return time.thread_time() - start

    for unit in (".", "sk-a", "word "):
        small = unit * (1500 // len(unit))
        assert min(feed(small * 4) for _ in range(2)) < 16 * min(feed(small) for _ in range(2)) + 0.05


def test_a_small_clean_value_costs_little_more_than_writing_it_down() -> None:
    value = {"id": 12345, "name": "Widget", "tags": ["red", "blue"], "note": "A sturdy widget for every day " * 4}
    text = json.dumps(value, separators=(",", ":"))
    redactor = Redactor()
    written, spent = (
        min(timeit.repeat(work, timer=time.thread_time, number=1000, repeat=10))
        for work in (lambda: json.dumps(value), lambda: redactor.value(value, "result", json_text=text))
    )
    assert spent < 5 * written
