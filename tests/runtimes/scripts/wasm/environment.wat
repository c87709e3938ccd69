(module
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (param i32 i32) (result i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "there are some\n")
  (func (export "_start")
    (drop (call $environ_sizes_get (i32.const 100) (i32.const 104)))
    (if (i32.load (i32.const 100)) (then (call $print (i32.const 0) (i32.const 15))))))
