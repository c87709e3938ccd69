(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 200)
  (data (i32.const 0) "echo")
  (data (i32.const 100) "{\"value\":\"")
  (func $print_number (param $number i32) (local $at i32)
    (local.set $at (i32.const 80))
    (i32.store8 (local.get $at) (i32.const 10))
    (loop $digits
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
      (br_if $digits (local.tee $number (i32.div_u (local.get $number) (i32.const 10)))))
    (call $print (local.get $at) (i32.sub (i32.const 81) (local.get $at))))
  (func (export "_start") (local $at i32) (local $end i32) (local $count i32)
    (local.set $at (i32.const 110))
    (local.set $end (i32.const 6000110))
    (loop $fill
      (i32.store16 (local.get $at) (i32.const 0xa4c3)) ;; ä
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br_if $fill (i32.lt_u (local.get $at) (local.get $end))))
    (i32.store16 (local.get $at) (i32.const 0x7d22)) ;; "}
    (local.set $at (i32.const 6001000))
    (local.set $end
      (i32.add (local.get $at) (call $tool_invoke (i32.const 0) (i32.const 4) (i32.const 100) (i32.const 6000012))))
    (call $tool_result (local.get $at))
    (loop $next
      ;; Every byte that does not continue a character begins one.
      (local.set $count
        (i32.add (local.get $count)
          (i32.ne (i32.and (i32.load8_u (local.get $at)) (i32.const 0xc0)) (i32.const 0x80))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (call $print_number (i32.sub (local.get $count) (i32.const 2)))))
