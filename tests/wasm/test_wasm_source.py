"""The source of one module: what it takes, and what it says of the rest."""

import re
from typing import Any

import pytest
from pydantic import ValidationError
from wasmtime import wat2wasm

from ptc_studio.sources.source import SourceFailed
from ptc_studio.wasm.entry import WasmEntry
from ptc_studio.wasm.source import compiled_module
from tests.wasm import modules
from tests.wasm.conftest import Bench

ALLOCATE = '(func (export "allocate") (param i32) (result i32) (i32.const 0))'
RUN = '(func (export "run") (param i32 i32) (result i64) (i64.const 0))'


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("(module", r"it is no valid module: .* \(line 1\)"),
        (b"\0asm nonsense", "it is no valid module"),
        (b"\xff\xfe", "it is neither a compiled module nor a text"),
        ("(module (func i32.add))", "it is no valid module: type mismatch"),
        (f"(module {ALLOCATE} {RUN})", "it exports no memory: export one named `memory`"),
        (
            f'(module (memory (export "memory") 1) {RUN})',
            "it exports no `allocate`: export a function `allocate` that is (i32) -> i32",
        ),
        (
            f'(module (memory (export "memory") 1) {ALLOCATE} (func (export "run") (result i32) (i32.const 0)))',
            "its `run` is () -> i32: export a function `run` that is (i32, i32) -> i64",
        ),
        (
            f'(module (import "env" "now" (func)) (memory (export "memory") 1) {ALLOCATE} {RUN})',
            "it imports env.now, which nobody offers: build it without",
        ),
    ],
)
def test_a_module_that_cannot_be_a_tool_says_why(bench: Bench, module: str | bytes, message: str):
    pattern = message if "\\" in message else re.escape(message)
    with pytest.raises(SourceFailed, match=f"of 'bad' cannot be used: {pattern}"):
        bench.source("bad", module).refresh()


def test_an_import_of_the_studios_that_does_not_exist_is_told_when_it_is_called(bench: Bench):
    bench.add("odd", f'(module (import "ptc" "fly" (func)) (memory (export "memory") 1) {ALLOCATE} {RUN})')
    with pytest.raises(RuntimeError, match=r"imports ptc\.fly, which nobody offers"):
        bench.engine.call("odd")


def test_a_file_that_is_missing_fails_the_source_until_it_is_there(bench: Bench):
    source = bench.source("gone", modules.ECHO)
    path = bench.folder / "gone.wat"
    path.unlink()
    with pytest.raises(SourceFailed, match=r"'gone\.wat' of 'gone' cannot be used: there is no such file"):
        source.refresh()
    path.write_text(modules.ECHO)
    assert len(source.refresh().tools) == 1


def test_a_file_is_read_again_when_it_changed_and_each_content_compiled_once(bench: Bench):
    compiled_module.cache_clear()
    source = bench.source("a", modules.ECHO)
    first = source.refresh()
    assert source.refresh() is first
    (bench.folder / "a.wat").write_text(modules.NOTHING)
    [tool] = source.refresh().tools
    assert tool is not first.tools[0]
    bench.add("b", modules.NOTHING)
    assert [bench.engine.call("b") for _ in range(3)] == [None] * 3
    assert (compiled_module.cache_info().misses, compiled_module.cache_info().hits) == (2, 1)


def test_the_tool_is_described_by_its_entry(bench: Bench):
    [tool] = (
        bench.source("echo", bytes(wat2wasm(modules.ECHO)), name="image.re-size", description="Sizes.", output={})
        .refresh()
        .tools
    )
    spec = tool.spec
    assert (spec.name, spec.also, spec.source) == ("image.re-size", ("image.re_size",), "image.re-size")
    assert (spec.description, spec.origin, spec.output) == ("Sizes.", str(bench.folder / "echo.wasm"), {})


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "a"},
        {"name": "a", "path": "a.wat", "fuel": 0},
        {"name": "a", "path": "a.wat", "memory_mb": 5000},
        {"name": "a", "path": "a.wat", "max_invocations": "3"},
        {"name": "a", "path": "a.wat", "alias": ["x"]},
    ],
)
def test_an_entry_is_strict(entry: dict[str, Any]):
    with pytest.raises(ValidationError):
        WasmEntry(**entry)
