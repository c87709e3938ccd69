"""The calls of a run as lines of text."""

import itertools
import time
from typing import Any, cast

from ptc_studio.cli.terminal import COLOURS, FOLDED_FROM, SHOWN_OF_A_KIND, Terminal, draw_tree
from ptc_studio.core.trace import CallRecord


class FakeTerminal:
    """As wide as it is told, and with colours that can be read."""

    def __init__(self, width: int = 80, colour: bool = False) -> None:
        self.width = width
        self._colour = colour

    def paint(self, text: str, colour: str) -> str:
        assert colour in COLOURS
        return f"<{colour}>{text}</>" if self._colour else text


def call(number: int, parent: int | None = None, **changes: Any) -> CallRecord:
    record: CallRecord = {
        "id": f"c{number}", "parent_id": f"c{parent}" if parent else None, "tool": f"t{number}", "alias": None,
        "arguments": {}, "status": "ok", "result": None, "error": None, "duration_ms": 1.0, "line": number,
    }  # fmt: skip
    return {**record, **changes}


def draw(*calls: CallRecord, width: int = 80, colour: bool = False) -> list[str]:
    return list(draw_tree(calls, cast("Terminal", FakeTerminal(width, colour))))


def heads(lines: list[str]) -> list[str]:
    """Each line up to its arguments."""
    return [line.split("(")[0].rstrip() for line in lines]


def test_no_calls_are_no_lines():
    assert draw() == []


def test_a_call_is_one_line_as_wide_as_the_terminal():
    (line,) = draw(call(1, arguments={"a": 1, "b": "x"}, result=[1]), width=60)
    assert line == '✓ t1(a=1, b="x") → [1]'.ljust(48) + "      1.0 ms"
    assert len(line) == 60


def test_children_hang_below_their_parents_by_knees():
    lines = draw(call(1), call(2, 1), call(3, 2), call(4, 1), call(5, 4), call(6))
    assert heads(lines) == ["✓ t1", "   ├─ ✓ t2", "   │  └─ ✓ t3", "   └─ ✓ t4", "      └─ ✓ t5", "✓ t6"]


def test_a_child_that_started_after_anothers_sibling_still_stands_below_its_own_parent():
    assert heads(draw(call(1), call(2), call(3, 1))) == ["✓ t1", "   └─ ✓ t3", "✓ t2"]


def test_many_calls_of_one_tool_from_one_line_are_folded():
    lines = draw(*(call(n, tool="t", line=1, duration_ms=2.0) for n in range(1, 11)))
    assert heads(lines) == ["✓ t"] * SHOWN_OF_A_KIND + ["… 7 more of t".ljust(68) + "     14.0 ms"]
    assert {len(line) for line in lines} == {80}


def test_a_few_calls_are_not_folded():
    assert len(draw(*(call(n, tool="t", line=1) for n in range(1, FOLDED_FROM)))) == FOLDED_FROM - 1


def test_calls_from_different_lines_or_by_different_aliases_are_not_folded_together():
    lines = draw(*(call(n, tool="t", line=n % 2, alias=f"a{n % 3}") for n in range(1, 13)))
    assert len(lines) == 12


def test_what_failed_or_called_others_is_never_folded_away():
    calls = [call(n, tool="t", line=1) for n in range(1, 21)]
    calls[9] = call(10, tool="t", line=1, status="error", error={"type": "ValueError", "message": "m"})
    lines = draw(*calls, call(30, 15))
    assert sum("✕" in line for line in lines) == 1
    assert heads(lines)[-2:] == ["✓ t", "   └─ ✓ t30"]
    assert any("… 15 more of t" in line for line in lines)


def test_folded_children_end_in_a_knee():
    lines = draw(call(100), *(call(n, 100, tool="t", line=1) for n in range(1, 8)))
    assert [line[:6] for line in lines[1:]] == ["   ├─ "] * 3 + ["   └─ "]
    lines = draw(call(100), *(call(n, 100, tool="t", line=1) for n in range(1, 8)), call(200, 100))
    assert [line[:6] for line in lines[1:]] == ["   ├─ "] * 4 + ["   └─ "]


def test_a_great_many_calls_are_drawn_at_once():
    calls = list(itertools.starmap(call, ((n, None) for n in range(1, 20_001))))
    for record in calls:
        record |= {"tool": "t", "line": 1}
    start = time.thread_time()
    assert len(draw(*calls)) == SHOWN_OF_A_KIND + 1
    assert time.thread_time() - start < 20


def test_a_long_line_is_cut_at_the_width():
    arguments = {f"argument_{n}": n for n in range(20)}
    (line,) = draw(call(1, arguments=arguments, result="r"), width=70)
    assert len(line) == 70
    assert line.endswith("…       1.0 ms")


def test_a_line_without_room_still_has_name_and_time():
    (line,) = draw(call(1, tool="t" * 100, arguments={"a": 1}), width=60)
    assert line.startswith("✓ " + "t" * 100)
    assert line.endswith(" 1.0 ms")


def test_long_values_are_told_in_short():
    (line,) = draw(call(1, arguments={"text": "x" * 500}, result=list(range(100))), width=200)
    assert f'text="{"x" * 58}…) → [100 items]' in line


def test_an_error_is_told_on_one_line():
    (line,) = draw(call(1, status="error", error={"type": "ValueError", "message": "first\n  second"}))
    assert line.startswith("✕ t1() ValueError: first second")


def test_each_status_has_its_mark():
    error = {"type": "E", "message": "m"}
    marks = {
        status: draw(call(1, status=status, error=error), colour=True)[0].split("</>")[1]
        for status in ("error", "timeout", "invalid", "not_found", "depth", "denied", "cancelled")
    }
    assert {status for status, mark in marks.items() if mark == "<error>✕"} == {
        "error", "timeout", "invalid", "not_found", "depth",
    }  # fmt: skip
    assert {status for status, mark in marks.items() if mark == "<warning>▲"} == {"denied", "cancelled"}


def test_a_call_that_never_ended_says_so():
    (line,) = draw(call(1, status=None, duration_ms=None))
    assert line.startswith("◐ t1() … not finished")
    assert line.endswith(" 0.0 ms")


def test_an_alias_stands_for_its_tool():
    assert heads(draw(call(1, alias="mine"))) == ["✓ mine"]


def test_redacted_text_stays_as_it_is():
    (line,) = draw(call(1, arguments={"password": "[REDACTED:password]"}, result="[REDACTED:token]"))
    assert 'password="[REDACTED:password]") → "[REDACTED:token]"' in line


def test_what_a_terminal_would_obey_is_not_passed_on():
    error = {"type": "E", "message": "\x1b[2Jgone\x07\x9b31m"}
    (line,) = draw(call(1, arguments={"a": "\x9b2J", "b": "\x1b"}, status="error", error=error))
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in line)


def test_colours_do_not_count_as_width():
    plain, painted = draw(call(1), call(2, 1)), draw(call(1), call(2, 1), colour=True)
    for colour in COLOURS:
        painted = [line.replace(f"<{colour}>", "") for line in painted]
    assert [line.replace("</>", "") for line in painted] == plain
