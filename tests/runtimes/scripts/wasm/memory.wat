(module
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "on\n")
  (func (export "_start") (local $at i32)
    (call $print (i32.const 0) (i32.const 3))
    (loop $more
      (local.set $at (i32.mul (memory.grow (i32.const 16)) (i32.const 65536)))
      (memory.fill (local.get $at) (i32.const 1) (i32.const 1048576))
      (br $more))))
