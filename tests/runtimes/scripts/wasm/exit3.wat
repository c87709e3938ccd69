(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "add")
  (data (i32.const 20) "x\n")
  (data (i32.const 100) "{\"a\": 1}")
  (func (export "_start")
    (call $print (i32.const 20) (i32.const 2))
    (drop (call $tool_invoke (i32.const 0) (i32.const 3) (i32.const 100) (i32.const 8)))
    (call $proc_exit (i32.const 3)))) ;; HERE
