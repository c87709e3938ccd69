"""Modules for the tests, as text: each is given a JSON object and returns JSON."""

import json

HEAD = """
(module
  (import "ptc" "tool_invoke" (func $invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $result (param i32)))
  (import "ptc" "tool_raise" (func $raise))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 16)
  (global $free (mut i32) (i32.const 65536))
  (func (export "allocate") (param $size i32) (result i32)
    (global.get $free)
    (global.set $free (i32.add (global.get $free) (local.get $size))))
  (func $packed (param $place i32) (param $length i32) (result i64)
    (i64.or (i64.shl (i64.extend_i32_u (local.get $place)) (i64.const 32)) (i64.extend_i32_u (local.get $length))))
"""


def module(body: str) -> str:
    """One whose `run` has this body; its parameters are in $params and $length."""
    run = f'(func $run (export "run") (param $params i32) (param $length i32) (result i64) (local $n i32) {body})'
    return f"{HEAD}{run})"


def calling(alias: str, times: int = 1, *, raises: bool = True) -> str:
    """Passes its parameters on to a tool, so many times, and returns the last answer; a failure is passed on too, or
    returned as if it were the answer."""
    quoted = json.dumps(alias)
    failed = "(call $raise)" if raises else "(local.set $n (i32.sub (i32.const 0) (local.get $n)))"
    return f"""
{HEAD}
  (data (i32.const 0) {quoted})
  (func $run (export "run") (param $params i32) (param $length i32) (result i64) (local $n i32) (local $left i32)
    (local.set $left (i32.const {times}))
    (loop $again
      (local.set $n
        (call $invoke (i32.const 0) (i32.const {len(alias)}) (local.get $params) (local.get $length)))
      (if (i32.lt_s (local.get $n) (i32.const 0)) (then {failed}))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br_if $again (local.get $left)))
    (call $result (i32.const 131072))
    (call $packed (i32.const 131072) (local.get $n))))
"""


ECHO = module("(call $packed (local.get $params) (local.get $length))")
ENDLESS = module("(loop $l (br $l)) (i64.const 0)")
TRAP = module("unreachable")
DIVIDE = module("(i64.extend_i32_u (i32.div_u (i32.const 1) (i32.const 0)))")
NOTHING = module("(i64.const 0)")
OUTSIDE = module("(call $packed (i32.const -16) (i32.const 32))")
COUNT = module(
    """
    (i32.store8 (i32.const 8) (i32.add (i32.load8_u (i32.const 8)) (i32.const 1)))
    (i32.store8 (i32.const 9) (i32.add (i32.load8_u (i32.const 8)) (i32.const 48)))
    (call $packed (i32.const 9) (i32.const 1))"""
)
"""Counts in its memory how often it was called."""
GROW = module(
    """
    (loop $l (br_if $l (i32.ge_s (memory.grow (i32.const 16)) (i32.const 0))))
    unreachable"""
)
"""Takes all memory that it can get."""
SPEAK = module("(call $print (local.get $params) (local.get $length)) (i64.const 0)")
NOT_JSON = module("(i32.store8 (i32.const 8) (i32.const 120)) (call $packed (i32.const 8) (i32.const 1))")
NOT_TEXT = module("(i32.store8 (i32.const 8) (i32.const 255)) (call $packed (i32.const 8) (i32.const 1))")
