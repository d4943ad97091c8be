; A sum of doubles with an exit that a floating-point comparison decides.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi double [ 0.000000e+00, %entry ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %d = uitofp i8 %v to double
  %half = fmul double %d, 5.000000e-01
  %s.next = fadd double %s, %half
  %i.next = add nuw i32 %i, 1
  %big = fcmp ogt double %s.next, 1.000000e+02
  br i1 %big, label %exit, label %header

exit:
  %r = phi double [ %s, %header ], [ -1.000000e+00, %body ]
  %r.int = fptosi double %r to i32
  ret i32 %r.int
}
