"""A text that is plainly in another language than the one it would run in."""

import re
from pathlib import Path

import pytest

from ptc_studio.locations import EXAMPLES, GUIDE, RUNTIMES
from ptc_studio.ui.language.names import language_of, plain_language

SHIPPED = [path for path in (*EXAMPLES.glob("*.py"), *RUNTIMES.glob("*/example.*")) if language_of(path) != "text"]
LANGUAGES = ("python", "javascript", "typescript", "go", "rust", "csharp", "bash", "wat")


def sheet(language: str) -> str:
    name = {"wat": "wasm"}.get(language, language)
    found = re.search(r"```\w+\n(.*?)```", (GUIDE / f"{name}.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_script_of_ours_is_in_its_own_language_and_plainly_in_no_other(path: Path):
    own, text = language_of(path), path.read_text(encoding="utf-8")
    assert plain_language(text, own) is None
    alike = {"javascript", "typescript"}
    for other in LANGUAGES:
        if other != own and not {own, other} <= alike and own != "typescript":
            assert plain_language(text, other) in (own, *(alike if own in alike else ())), other


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_of_a_language_is_in_it(language: str):
    assert plain_language(sheet(language), language) is None


@pytest.mark.parametrize(
    ("text", "chosen", "found"),
    [
        ("for person in team_members('sales'):\n    print(person)\n", "javascript", "python"),
        ("import json\nprint(json.dumps(add(1, 2)))\n", "typescript", "python"),
        ("const sum = await tools.add({a: 1, b: 2});\nconsole.log(sum);\n", "python", "javascript"),
        ("x = 1\n", "javascript", None),
        ("add(1, 2)\n", "javascript", None),
        ("", "python", None),
        ("1 + 1", "python", None),
        ("print('const x = y => console.log(1);')\n", "python", None),
        ("whatever", "text", None),
        ("# a remark\nadd --a 1 --b 2 | jq .\n", "bash", None),
    ],
)
def test_what_is_plain_is_told_and_what_is_not_is_not(text: str, chosen: str, found: str | None):
    assert plain_language(text, chosen) == found
