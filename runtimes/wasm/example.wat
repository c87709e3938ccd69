;; Sums what twenty people spent in the third quarter. There are no strings here, only bytes in a memory: what
;; other languages do with a line, this one does by hand, and still calls the same tools.
(module
  (import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $tool_result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))

  (memory (export "memory") 4)
  (data (i32.const 0) "team_members")
  (data (i32.const 20) "get_expenses")
  (data (i32.const 40) "lookup_manager")
  (data (i32.const 60) "{\"team\":\"engineering\"}")
  (data (i32.const 100) "\"amount\"")
  (data (i32.const 120) "Miriam")
  (data (i32.const 130) ": ")
  (data (i32.const 132) "\n")
  (data (i32.const 140) " people, ")
  (data (i32.const 150) " with a manager, ")
  (data (i32.const 170) ".0")
  (data (i32.const 180) " euros\n")
  (data (i32.const 200) "{\"quarter\":\"Q3\",\"person\":\"") ;; Behind it comes the name, and then "}
  (global $names i32 (i32.const 1000))
  (global $answer i32 (i32.const 65536))
  (global $people (mut i32) (i32.const 0))
  (global $managed (mut i32) (i32.const 0))
  (global $cents (mut i32) (i32.const 0))

  (func (export "_start") (local $name i32) (local $end i32) (local $rest i32)
    (drop (call $tool_invoke (i32.const 0) (i32.const 12) (i32.const 60) (i32.const 22)))
    (call $tool_result (global.get $names)) ;; ["Ada","Grace",...]
    (local.set $name (i32.add (global.get $names) (i32.const 2)))
    (loop $next
      (local.set $end (call $end_of_text (local.get $name)))
      (call $ask_for (local.get $name) (i32.sub (local.get $end) (local.get $name)))
      (local.set $name (i32.add (local.get $end) (i32.const 3)))
      (br_if $next (i32.lt_u (global.get $people) (i32.const 19))))
    (call $ask_for (i32.const 120) (i32.const 6))

    (call $print_number (global.get $people))
    (call $print (i32.const 140) (i32.const 9)) ;; people,
    (call $print_number (global.get $managed))
    (call $print (i32.const 150) (i32.const 17)) ;; with a manager,
    (call $print_number (i32.div_u (global.get $cents) (i32.const 100)))
    (local.set $rest (i32.rem_u (global.get $cents) (i32.const 100)))
    (call $print (i32.const 170) (i32.add (i32.const 1) (i32.lt_u (local.get $rest) (i32.const 10)))) ;; . or .0
    (call $print_number (local.get $rest))
    (call $print (i32.const 180) (i32.const 7))) ;; euros

  ;; Adds up what a person spent, and looks for the manager.
  (func $ask_for (param $name i32) (param $length i32)
    (memory.copy (i32.const 226) (local.get $name) (local.get $length))
    (i32.store16 offset=226 (local.get $length) (i32.const 0x7d22)) ;; "}
    (global.set $people (i32.add (global.get $people) (i32.const 1)))
    (call $add_amounts
      (call $tool_invoke (i32.const 20) (i32.const 12) (i32.const 200) (i32.add (local.get $length) (i32.const 28))))
    ;; The other tool takes no quarter: its parameters begin where the comma was.
    (i32.store8 (i32.const 215) (i32.const 123)) ;; {
    (if (i32.gt_s (i32.const 0)
          (call $tool_invoke (i32.const 40) (i32.const 14) (i32.const 215) (i32.add (local.get $length) (i32.const 13))))
      (then (call $print_failure (local.get $name) (local.get $length)))
      (else (global.set $managed (i32.add (global.get $managed) (i32.const 1)))))
    (i32.store8 (i32.const 215) (i32.const 44))) ;; ,

  ;; Finds every "amount":12.34 in the answer.
  (func $add_amounts (param $length i32) (local $at i32)
    (call $tool_result (global.get $answer))
    (local.set $at (global.get $answer))
    (loop $next
      (if (i64.eq (i64.load (local.get $at)) (i64.load (i32.const 100)))
        (then (global.set $cents (i32.add (global.get $cents) (call $cents_at (i32.add (local.get $at) (i32.const 9)))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (i32.add (global.get $answer) (local.get $length))))))

  ;; Reads a number with at most two decimals.
  (func $cents_at (param $at i32) (result i32) (local $cents i32) (local $decimals i32) (local $letter i32)
    (loop $next
      (local.set $letter (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.eq (local.get $letter) (i32.const 46)) ;; .
        (then (local.set $decimals (i32.const 1)) (br $next)))
      (if (i32.lt_u (i32.sub (local.get $letter) (i32.const 48)) (i32.const 10))
        (then
          (local.set $cents
            (i32.add (i32.mul (local.get $cents) (i32.const 10)) (i32.sub (local.get $letter) (i32.const 48))))
          (if (local.get $decimals) (then (local.set $decimals (i32.add (local.get $decimals) (i32.const 1)))))
          (br $next))))
    (if (i32.le_u (local.get $decimals) (i32.const 1)) (then (return (i32.mul (local.get $cents) (i32.const 100)))))
    (if (i32.eq (local.get $decimals) (i32.const 2)) (then (return (i32.mul (local.get $cents) (i32.const 10)))))
    (local.get $cents))

  ;; Prints a name and the message of the failure {"type":"LookupError","message":"..."}.
  (func $print_failure (param $name i32) (param $length i32) (local $message i32)
    (call $tool_result (global.get $answer))
    (local.set $message (call $end_of_text (i32.add (global.get $answer) (i32.const 9))))
    (local.set $message (i32.add (local.get $message) (i32.const 13)))
    (call $print (local.get $name) (local.get $length))
    (call $print (i32.const 130) (i32.const 2)) ;; ": "
    (call $print (local.get $message) (i32.sub (call $end_of_text (local.get $message)) (local.get $message)))
    (call $print (i32.const 132) (i32.const 1))) ;; end of line

  (func $end_of_text (param $at i32) (result i32)
    (loop $next
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 34)) ;; "
        (then (local.set $at (i32.add (local.get $at) (i32.const 1))) (br $next))))
    (local.get $at))

  (func $print_number (param $number i32) (local $at i32)
    (local.set $at (i32.const 320))
    (loop $digit
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
      (br_if $digit (local.tee $number (i32.div_u (local.get $number) (i32.const 10)))))
    (call $print (local.get $at) (i32.sub (i32.const 320) (local.get $at)))))
