(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (import "ptc" "tool_raise" (func $tool_raise))
  (memory (export "memory") 1)
  (data (i32.const 0) "add")
  (data (i32.const 10) "fail")
  (data (i32.const 20) "before\n")
  (data (i32.const 100) "{\"a\": 1}")
  (data (i32.const 150) "{\"kind\": \"key\"}")
  (func (export "_start")
    (call $print (i32.const 20) (i32.const 7))
    (drop (call $tool_invoke (i32.const 0) (i32.const 3) (i32.const 100) (i32.const 8)))
    (if (i32.lt_s (call $tool_invoke (i32.const 10) (i32.const 4) (i32.const 150) (i32.const 15)) (i32.const 0)) (then (call $tool_raise))))) ;; HERE
