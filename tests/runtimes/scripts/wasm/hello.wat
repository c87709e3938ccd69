(module
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "héllo ✓ 日本\n")
  (func (export "_start")
    (call $print (i32.const 0) (i32.const 18))))
