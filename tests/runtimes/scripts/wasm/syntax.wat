(module
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (func (export "_start")
    (call $printt (i32.const 0) (i32.const 7)))) ;; HERE
