; lcssa
; The normal edge of the invoke is an exit edge.
declare i32 @g()
declare i32 @__gxx_personality_v0(...)
define i32 @f(i1 %c) personality ptr @__gxx_personality_v0 {
entry:
  br label %loop
loop:
  %v = invoke i32 @g() to label %exit unwind label %pad
pad:
  %e = landingpad { ptr, i32 } cleanup
  br label %loop
exit:
  ret i32 %v
}
