(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "echo")
  (data (i32.const 100) "{\"value\":")
  (func $print_number (param $number i32) (local $at i32)
    (local.set $at (i32.const 80))
    (i32.store8 (local.get $at) (i32.const 10))
    (loop $digits
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
      (br_if $digits (local.tee $number (i32.div_u (local.get $number) (i32.const 10)))))
    (call $print (local.get $at) (i32.sub (i32.const 81) (local.get $at))))
  (func (export "_start") (local $at i32) (local $count i32)
    (memory.fill (i32.const 109) (i32.const 91) (i32.const 200)) ;; [
    (i32.store8 (i32.const 309) (i32.const 49)) ;; 1
    (memory.fill (i32.const 310) (i32.const 93) (i32.const 200)) ;; ]
    (i32.store8 (i32.const 510) (i32.const 125)) ;; }
    (drop (call $tool_invoke (i32.const 0) (i32.const 4) (i32.const 100) (i32.const 411)))
    (call $tool_result (i32.const 1000))
    (local.set $at (i32.const 1000))
    (loop $next
      (local.set $count (i32.add (local.get $count) (i32.eq (i32.load8_u (local.get $at)) (i32.const 91))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.load8_u (local.get $at))))
    (call $print_number (local.get $count))))
