; loop-simplify
; The loop unwinds to a landingpad that is also entered from outside: each side gets a copy.
declare void @g()
declare i32 @__gxx_personality_v0(...)
define void @f(i1 %c) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @g() to label %loop unwind label %pad
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  invoke void @g() to label %loop unwind label %pad
pad:
  %v = phi i32 [ -1, %entry ], [ %n, %loop ]
  %e = landingpad { ptr, i32 } cleanup
  call void @g()
  resume { ptr, i32 } %e
}
