(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "echo")
  (data (i32.const 50) "same\n")
  (data (i32.const 100) "{\"value\":{\"text\":\"é\",\"yes\":true,\"no\":false,\"none\":null,\"int\":7,\"float\":1.5,\"list\":[1,[2]],\"map\":{\"a\":{\"b\":1}}}}")
  (func $is_same (param $a i32) (param $b i32) (param $length i32) (result i32)
    (loop $on
      (if (i32.eqz (local.get $length)) (then (return (i32.const 1))))
      (local.set $length (i32.sub (local.get $length) (i32.const 1)))
      (br_if $on
        (i32.eq
          (i32.load8_u (i32.add (local.get $a) (local.get $length)))
          (i32.load8_u (i32.add (local.get $b) (local.get $length))))))
    (i32.const 0))
  (func (export "_start") (local $length i32)
    (local.set $length (call $tool_invoke (i32.const 0) (i32.const 4) (i32.const 100) (i32.const 112)))
    (call $tool_result (i32.const 1000))
    (if (i32.ne (local.get $length) (i32.const 102)) (then (return)))
    (if (call $is_same (i32.const 1000) (i32.const 109) (local.get $length))
      (then (call $print (i32.const 50) (i32.const 5))))))
