"""Wrapping short scripts, so that their lines stay the user's."""

from pathlib import Path

from ptc_studio.runtimes.build import wrapped
from ptc_studio.runtimes.discovery import Manifest, read_manifest

TOML = """
id = "x"
name = "X"
language = "x"
extensions = [".x"]
[[probe]]
program = "x"
[run]
command = ["x"]
[template]
file = "frame.x"
own_main = '(?m)^func main'
"""


def manifest(folder: Path, frame: str, more: str = "") -> Manifest:
    (folder / "runtime.toml").write_text(TOML + more)
    (folder / "frame.x").write_text(frame)
    return read_manifest(folder)


def test_without_a_directive_the_script_stands_on_the_first_line(tmp_path: Path):
    text = wrapped(manifest(tmp_path, "fn main() { {{script}}\n}\n"), "a\nb\n", "s.x")
    assert text == "fn main() { a\nb\n\n}\n"


def test_a_script_with_its_own_main_is_left_alone(tmp_path: Path):
    code = "import x\nfunc main() {}\n"
    assert wrapped(manifest(tmp_path, "never {{script}}"), code, "s.x") == code


def test_pieces_are_hoisted_with_their_lines(tmp_path: Path):
    more = "hoist = ['^import [^\\n]*$', '^func .*?^}$']\ndirective = '//line {file}:{line}'\n"
    code = "import a\nx()\nfunc f() {\n  y\n}\nz()\n"
    text = wrapped(manifest(tmp_path, "top\n{{hoisted}}\nmain {\n{{script}}}\n", more), code, "s.x")
    assert text == (
        "top\n//line s.x:1\nimport a\n//line s.x:3\nfunc f() {\n  y\n}\nmain {\n//line s.x:1\n\nx()\n\n\n\nz()\n}\n"
    )


def test_what_looks_like_a_place_in_the_script_is_no_place(tmp_path: Path):
    text = wrapped(manifest(tmp_path, "{{script}} end"), 'print("{{script}} {{hoisted}} \\\\1")', "s.x")
    assert text == 'print("{{script}} {{hoisted}} \\\\1") end'
