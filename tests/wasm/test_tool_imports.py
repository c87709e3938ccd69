"""What a module gets of its calls."""

import json
from typing import Any

import pytest
from wasmtime import wat2wasm

from ptc_studio.wasm.imports import GrantedInvoker, ToolImports, call_with_text
from ptc_studio.wasm.module import GuestError, GuestModule

# A tool of its own: passes its parameters on to the tool `echo`, and returns what that answered.
PASSING_ON = """(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "tool_raise" (func $tool_raise))
  (memory (export "memory") 1)
  (data (i32.const 0) "echo")
  (func (export "allocate") (param i32) (result i32) (i32.const 1000))
  (func (export "run") (param $params i32) (param $length i32) (result i64)
    (local.set $length (call $tool_invoke (i32.const 0) (i32.const 4) (local.get $params) (local.get $length)))
    (if (i32.lt_s (local.get $length) (i32.const 0)) (then (local.set $length (i32.sub (i32.const 0) (local.get $length)))))
    (call $tool_result (i32.const 5000))
    (i64.or (i64.shl (i64.const 5000) (i64.const 32)) (i64.extend_i32_u (local.get $length))))
  (func (export "raise") (param $params i32) (param $length i32)
    (drop (call $tool_invoke (i32.const 0) (i32.const 4) (local.get $params) (local.get $length)))
    (call $tool_raise)))"""


def echo(alias: str, parameters: Any, timeout: float | None) -> bytes:
    assert (alias, timeout) == ("echo", None)
    return json.dumps(parameters).encode()


def module(invoke: Any) -> GuestModule:
    guest = GuestModule(bytes(wat2wasm(PASSING_ON)))
    guest.start(ToolImports(guest, invoke).offers)
    return guest


def test_parameters_go_in_and_the_result_comes_out():
    assert call_with_text(module(echo), "run", '{"a": [1, null]}') == '{"a": [1, null]}'


@pytest.mark.parametrize("error", [KeyError("sku"), ValueError("é"), SystemExit(9)])
def test_a_failure_is_told_by_type_and_message(error: BaseException):
    def fail(*_: Any) -> bytes:
        raise error

    told = json.loads(call_with_text(module(fail), "run", "{}"))
    assert told == {"type": type(error).__name__, "message": str(error)}


def test_parameters_that_are_not_json_are_a_failure():
    told = json.loads(call_with_text(module(echo), "run", "{a: 1}"))
    assert told["type"] == "TypeError"
    assert told["message"].startswith("Invalid parameters for tool 'echo': they are not JSON")


def test_a_failure_can_be_passed_on():
    def fail(*_: Any) -> bytes:
        raise KeyError("sku")

    with pytest.raises(KeyError):
        module(fail).call("raise", 1000, 0)


def test_there_must_be_one_to_be_passed_on():
    with pytest.raises(GuestError, match="its last call did not fail"):
        module(echo).call("raise", 1000, 0)


def test_text_that_is_none_ends_the_module():
    guest = module(echo)
    guest.write(1000, b"\xff")
    with pytest.raises(GuestError, match="not UTF-8"):
        guest.call("run", 1000, 1)
    with pytest.raises(GuestError, match="outside of its memory"):
        module(echo).call("run", 65536, 1)
    with pytest.raises(GuestError, match="at most"):
        module(echo).call("run", 0, 1 << 30)


@pytest.mark.parametrize(
    ("aliases", "error", "message"),
    [
        (None, "PermissionError", "Tool invocation capability not granted"),
        (["other"], "LookupError", "Unknown tool alias: echo"),
    ],
)
def test_what_was_not_granted_is_refused(aliases: list[str] | None, error: str, message: str):
    told = json.loads(call_with_text(module(GrantedInvoker(echo, aliases)), "run", "{}"))
    assert told == {"type": error, "message": message}


def test_twenty_invocations_and_no_more():
    guest = module(GrantedInvoker(echo, ["echo"]))
    assert [call_with_text(guest, "run", "{}") for _ in range(20)] == ["{}"] * 20
    assert json.loads(call_with_text(guest, "run", "{}"))["message"] == "Too many tool invocations (max 20)"
