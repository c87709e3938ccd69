(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 100) "\00\04\00\00\00\04\00\00") ;; 1024 bytes at 1024
  (func $print_number (param $number i32) (local $at i32)
    (local.set $at (i32.const 80))
    (i32.store8 (local.get $at) (i32.const 10))
    (loop $digits
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
      (br_if $digits (local.tee $number (i32.div_u (local.get $number) (i32.const 10)))))
    (call $print (local.get $at) (i32.sub (i32.const 81) (local.get $at))))
  (func (export "_start") (local $count i32)
    (loop $more
      (drop (call $fd_read (i32.const 0) (i32.const 100) (i32.const 1) (i32.const 120)))
      (local.set $count (i32.add (local.get $count) (i32.load (i32.const 120))))
      (br_if $more (i32.load (i32.const 120))))
    (call $print_number (local.get $count))))
