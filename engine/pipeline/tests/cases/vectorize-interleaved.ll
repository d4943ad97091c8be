; loop-vectorize<force-vector-width=4;force-vector-interleave=1>
; Pairs that are loaded and stored together; two members of groups of three, where the third is not read after the last
; lane.
define void @pairs(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %two = shl i64 %i, 1
  %next = or disjoint i64 %two, 1
  %a.at = getelementptr i32, ptr %p, i64 %two
  %b.at = getelementptr i32, ptr %p, i64 %next
  %b = load i32, ptr %b.at, align 4
  %a = load i32, ptr %a.at, align 8
  %x.at = getelementptr i32, ptr %q, i64 %two
  %y.at = getelementptr i32, ptr %q, i64 %next
  store i32 %b, ptr %x.at, align 4
  store i32 %a, ptr %y.at, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define i32 @two_of_three(ptr noalias %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %at = getelementptr [3 x i32], ptr %p, i64 %i
  %v = load i32, ptr %at, align 4
  %next = getelementptr i8, ptr %at, i64 4
  %w = load i32, ptr %next, align 4
  %x = xor i32 %v, %w
  %t = add i32 %s, %x
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %t
}
