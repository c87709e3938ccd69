(module
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "key sk-proj-abcdefghij0123456789ABCDEFGHIJabcdefgh end\n")
  (func (export "_start")
    (call $print (i32.const 0) (i32.const 27))
    (call $print (i32.const 27) (i32.const 28))))
