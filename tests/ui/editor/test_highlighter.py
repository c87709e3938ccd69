"""Colours: right over several lines, quick while typing."""

from collections.abc import Callable
from itertools import count
from time import perf_counter

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor import highlighter
from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.theme import theme


def colours(editor: CodeEditor, line: int) -> dict[str, str]:
    """The coloured parts of a line and the names of their colours."""
    block = editor.document().findBlockByNumber(line - 1)
    names = {theme().colour(name).name(): name for name in ("comment", "keyword", "string", "number", "tool")}
    ranges = block.layout().formats()
    return {
        block.text()[each.start : each.start + each.length]: names[each.format.foreground().color().name()]
        for each in ranges
    }


def settle(qtbot: QtBot, editor: CodeEditor) -> None:
    qtbot.waitUntil(lambda: editor.highlighter.is_settled)


def slow_clock() -> Callable[[], float]:
    """Goes on a millisecond at each look: the same lines fit into a go on any machine."""
    looks = count(perf_counter(), 0.001)
    return lambda: next(looks)


def test_each_kind_has_its_colour(qtbot: QtBot, editor: CodeEditor) -> None:
    editor.set_tool_names({"get_order"})
    editor.set_text("if get_order(1): # get_order()\n    x = 'get_order()' or aio.get_order (2)\nget_order = 3")
    settle(qtbot, editor)
    assert colours(editor, 1) == {"if": "keyword", "get_order": "tool", "1": "number", "# get_order()": "comment"}
    assert colours(editor, 2) == {"'get_order()'": "string", "or": "keyword", "aio.get_order": "tool", "2": "number"}
    assert colours(editor, 3) == {"3": "number"}


@pytest.mark.parametrize("busy", [False, True])
def test_a_string_over_several_lines_ends_where_it_ends(
    qtbot: QtBot, editor: CodeEditor, monkeypatch: pytest.MonkeyPatch, busy: bool
) -> None:
    """Also where the machine is so busy that the time for anything is over before it begins."""
    if busy:
        walk = highlighter.Highlighter.is_late
        monkeypatch.setattr(highlighter, "EDIT_SECONDS", -1.0)
        monkeypatch.setattr(
            highlighter.Highlighter, "is_late", lambda each: setattr(each, "deadline", 0.0) or walk(each)
        )
    editor.set_text('x = 1\ny = """a\nif\nb"""\nif x: pass\n' + "if x: pass\n" * 3000)
    settle(qtbot, editor)
    assert (colours(editor, 3), colours(editor, 5)) == ({"if": "string"}, {"if": "keyword", "pass": "keyword"})
    editor.go_to(4, 9)
    for _ in range(3):
        qtbot.keyClick(editor, Qt.Key.Key_Backspace)
    settle(qtbot, editor)
    assert colours(editor, 5) == colours(editor, 3000) == {"if x: pass": "string"}
    editor.undo()
    settle(qtbot, editor)
    assert colours(editor, 5) == colours(editor, 3000) == {"if": "keyword", "pass": "keyword"}


@pytest.mark.parametrize(
    ("language", "code", "inside", "after"),
    [
        ("javascript", "/* a\nlet b\n*/\nlet", "comment", "keyword"),
        ("typescript", "x = `a\nlet b\n`\nlet", "string", "keyword"),
        ("go", "x := `a\nvar b\n`\nvar", "string", "keyword"),
        ("rust", "/* a\nlet b\n*/\nlet", "comment", "keyword"),
        ("rust", 'r#"a\nlet b\n"#\nlet', "string", "keyword"),
        ("csharp", '@"a\nvar b\n"\nif', "string", "keyword"),
        ("bash", "cat <<END\nif b\nEND\nif", "string", "keyword"),
        ("wat", "(; a\nlet b\n;)\n1", "comment", "number"),
        ("text", "'''a\nlet b\n'''\nif", None, None),
    ],
)
def test_every_language_knows_what_goes_on_over_lines(
    qtbot: QtBot, editor: CodeEditor, language: str, code: str, inside: str | None, after: str | None
) -> None:
    editor.set_language(language)
    editor.set_text(code)
    settle(qtbot, editor)
    assert colours(editor, 2).get(code.split("\n")[1]) == inside
    assert colours(editor, 4).get(code.split("\n")[3]) == after


def test_colours_change_with_the_theme(qtbot: QtBot, editor: CodeEditor) -> None:
    theme().set_mode("dark")
    editor.set_text("if x: pass")
    settle(qtbot, editor)
    theme().set_mode("light")
    settle(qtbot, editor)
    assert colours(editor, 1) == {"if": "keyword", "pass": "keyword"}


def test_commands_that_are_tools_are_seen_in_bash(qtbot: QtBot, editor: CodeEditor) -> None:
    editor.set_language("bash")
    editor.set_tool_names({"get_order"})
    editor.set_text("x=$(get_order 1) | get_order | echo get_order")
    settle(qtbot, editor)
    assert list(colours(editor, 1).values()).count("tool") == 1
    assert len([each for each in editor.document().firstBlock().layout().formats() if each.length == 9]) == 2


def test_letters_beyond_the_first_plane_shift_nothing(qtbot: QtBot, editor: CodeEditor) -> None:
    editor.set_text("x = '😀😀' if 1 else 2")
    settle(qtbot, editor)
    formats = editor.document().firstBlock().layout().formats()
    assert [(each.start, each.length) for each in formats] == [(4, 6), (11, 2), (14, 1), (16, 4), (21, 1)]


def test_five_thousand_lines_do_not_hold_up_the_window(
    qtbot: QtBot, editor: CodeEditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    coloured: list[int] = []
    paint = editor.highlighter.on_coloured
    assert paint is not None
    editor.highlighter.on_coloured = lambda line: coloured.append(line) or paint(line)
    text = 'def f(a, b=1):\n    """Doc\n    string."""\n    return {"a": [a, b], **g(x for x in a)}\n\n' * 1000
    with monkeypatch.context() as slow:
        slow.setattr(highlighter, "perf_counter", slow_clock())
        editor.set_text(text)
        editor.viewport().repaint()
        first, last = editor.visible_lines()
        assert set(range(first, last + 1)) <= set(coloured)
        assert len(coloured) < 200
    settle(qtbot, editor)
    assert set(coloured) >= set(range(5000))
    editor.go_to(3, 5)
    coloured.clear()
    with monkeypatch.context() as slow:
        slow.setattr(highlighter, "perf_counter", slow_clock())
        qtbot.keyClicks(editor, '"""')
        assert 2 in coloured
        assert len(coloured) < 200


def test_a_line_of_endless_length_is_coloured_at_its_start_only(qtbot: QtBot, editor: CodeEditor) -> None:
    editor.set_text("x = [" + "1, " * 50_000 + "]")
    settle(qtbot, editor)
    assert len(editor.document().firstBlock().layout().formats()) < 1000
