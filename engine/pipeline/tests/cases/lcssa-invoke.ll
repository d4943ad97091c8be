; lcssa
; The result of an invoke is available only after its normal edge.
declare i32 @g()
declare i32 @__gxx_personality_v0(...)
define i32 @f(i1 %c) personality ptr @__gxx_personality_v0 {
entry:
  br label %loop
loop:
  %v = invoke i32 @g() to label %next unwind label %pad
next:
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %v
pad:
  %e = landingpad { ptr, i32 } cleanup
  ret i32 0
}
