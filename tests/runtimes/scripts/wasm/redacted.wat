(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "echo")
  (data (i32.const 100) "{\"value\": {\"password\": \"hunter2canary\"}}")
  (func $print_number (param $number i32) (local $at i32)
    (local.set $at (i32.const 80))
    (i32.store8 (local.get $at) (i32.const 10))
    (loop $digits
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
      (br_if $digits (local.tee $number (i32.div_u (local.get $number) (i32.const 10)))))
    (call $print (local.get $at) (i32.sub (i32.const 81) (local.get $at))))
  ;; The answer is {"password":"hunter2canary"}: all but fifteen bytes of it are the password.
  (func (export "_start")
    (call $print_number
      (i32.sub (call $tool_invoke (i32.const 0) (i32.const 4) (i32.const 100) (i32.const 40)) (i32.const 15)))))
