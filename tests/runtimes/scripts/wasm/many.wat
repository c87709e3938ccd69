(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "add")
  (data (i32.const 100) "{\"b\":1,\"a\":0}")
  ;; Each sum is written where the next call has its argument.
  (func (export "_start") (local $left i32) (local $length i32)
    (local.set $left (i32.const 5000))
    (local.set $length (i32.const 1))
    (loop $next
      (local.set $length
        (call $tool_invoke (i32.const 0) (i32.const 3) (i32.const 100) (i32.add (local.get $length) (i32.const 12))))
      (call $tool_result (i32.const 111))
      (i32.store8 offset=111 (local.get $length) (i32.const 125)) ;; }
      (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
    (i32.store8 offset=111 (local.get $length) (i32.const 10))
    (call $print (i32.const 111) (i32.add (local.get $length) (i32.const 1)))))
