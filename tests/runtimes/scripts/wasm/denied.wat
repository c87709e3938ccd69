(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "mul")
  (data (i32.const 100) "{\"a\": 1, \"b\": 1}")
  ;; Prints the type in what lies at 1000, such as {"type":"KeyError","message":"'sku'"}.
  (func $print_type (local $end i32)
    (local.set $end (i32.const 1009))
    (loop $on
      (local.set $end (i32.add (local.get $end) (i32.const 1)))
      (br_if $on (i32.ne (i32.load8_u (local.get $end)) (i32.const 34))))
    (i32.store8 (local.get $end) (i32.const 10))
    (call $print (i32.const 1009) (i32.sub (local.get $end) (i32.const 1008))))
  (func (export "_start")
    (drop (call $tool_invoke (i32.const 0) (i32.const 3) (i32.const 100) (i32.const 16)))
    (call $tool_result (i32.const 1000))
    (call $print_type)))
