(module
  (import "ptc" "print" (func $print (param i32 i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "x\nnever\n")
  (func (export "_start")
    (call $print (i32.const 0) (i32.const 2))
    (call $proc_exit (i32.const 0))
    (call $print (i32.const 2) (i32.const 6))))
