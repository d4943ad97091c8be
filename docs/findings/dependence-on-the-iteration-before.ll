@g = global [64 x i8] zeroinitializer, align 16

define void @f() {
entry:
  %second = getelementptr i16, ptr @g, i4 7
  br label %loop

loop:
  %i = phi i4 [ 0, %entry ], [ %i.next, %loop ]
  %s = sext i4 %i to i8
  %s.7 = mul i8 %s, 7
  %z = zext i4 %i to i8
  %z.7 = mul i8 %z, 7
  %p = getelementptr i16, ptr @g, i8 %z.7
  store i8 1, ptr %p
  %q = getelementptr i16, ptr %second, i8 %s.7
  store i8 0, ptr %q
  %i.next = add i4 %i, 1
  %more = icmp ult i4 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
