(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "mul")
  (data (i32.const 50) "TypeError \n")
  (data (i32.const 100) "{\"a\": 1}")
  ;; The failure is {"type":"TypeError","message":"Invalid parameters for tool 'mul': ..."}.
  (func (export "_start")
    (if (i32.lt_s (call $tool_invoke (i32.const 0) (i32.const 3) (i32.const 100) (i32.const 8)) (i32.const 0))
      (then
        (call $tool_result (i32.const 1000))
        (i32.store8 (i32.const 1018) (i32.const 32))
        (call $print (i32.const 1009) (i32.const 10))
        (call $print (i32.const 1031) (i32.const 33))
        (call $print (i32.const 60) (i32.const 1))))))
