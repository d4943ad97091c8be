; A loop that increments elements in place, once of a global and once of a constant, which is read-
; only.

@var = global [2 x i8] c"\01\02"
@const = constant [2 x i8] c"\01\02"

define i32 @f(i1 %which) {
entry:
  %p = select i1 %which, ptr @const, ptr @var
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %v1 = add i8 %v, 1
  store i8 %v1, ptr %at
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 2
  br i1 %more, label %loop, label %exit

exit:
  %r = zext i8 %v1 to i32
  ret i32 %r
}
