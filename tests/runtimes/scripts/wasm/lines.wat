(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "add")
  (data (i32.const 100) "{\"a\": 1}")
  (data (i32.const 200) "      \n")
  (func $add (param $status i32) (param $at i32)
    (call $tool_result (local.get $at)))
  (func (export "_start")
    (call $add (call $tool_invoke (i32.const 0) (i32.const 3) (i32.const 100) (i32.const 8)) (i32.const 200)) ;; HERE
    (call $add (call $tool_invoke (i32.const 0) (i32.const 3) (i32.const 100) (i32.const 8)) (i32.const 202)) ;; HERE
    (call $add (call $tool_invoke (i32.const 0) (i32.const 3) (i32.const 100) (i32.const 8)) (i32.const 204)) ;; HERE
    (i32.store8 (i32.const 205) (i32.const 10))
    (call $print (i32.const 200) (i32.const 6))))
