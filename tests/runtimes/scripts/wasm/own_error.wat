(module
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "before\n")
  (func (export "_start")
    (call $print (i32.const 0) (i32.const 7))
    (drop (i32.div_u (i32.const 1) (i32.const 0))))) ;; HERE
