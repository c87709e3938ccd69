(module
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 4)
  ;; A thousand lines at a time, as a buffered stream would have it.
  (func (export "_start") (local $at i32) (local $left i32)
    (memory.fill (i32.const 0) (i32.const 120) (i32.const 101000)) ;; x
    (local.set $at (i32.const 100))
    (loop $line
      (i32.store8 (local.get $at) (i32.const 10))
      (local.set $at (i32.add (local.get $at) (i32.const 101)))
      (br_if $line (i32.lt_u (local.get $at) (i32.const 101000))))
    (local.set $left (i32.const 200))
    (loop $next
      (call $print (i32.const 0) (i32.const 101000))
      (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
