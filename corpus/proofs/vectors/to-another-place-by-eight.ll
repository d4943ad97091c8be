; Which of some numbers are zero is noted in another place, in two parts of four lanes at once: a constant number of times.

define void @src(ptr noalias %in, ptr noalias %out) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %inext, %loop ]
  %p = getelementptr inbounds i64, ptr %in, i64 %i
  %v = load i64, ptr %p, align 8
  %z = icmp eq i64 %v, 0
  %b = zext i1 %z to i8
  %q = getelementptr inbounds i8, ptr %out, i64 %i
  store i8 %b, ptr %q, align 1
  %inext = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %inext, 4096
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

define void @tgt(ptr noalias %in, ptr noalias %out) {
entry:
  br label %vector.body

vector.body:
  %index = phi i64 [ 0, %entry ], [ %index.next, %vector.body ]
  %second = add nuw i64 %index, 4
  %p1 = getelementptr inbounds i64, ptr %in, i64 %index
  %p2 = getelementptr inbounds i64, ptr %in, i64 %second
  %v1 = load <4 x i64>, ptr %p1, align 8
  %v2 = load <4 x i64>, ptr %p2, align 8
  %z1 = icmp eq <4 x i64> %v1, zeroinitializer
  %z2 = icmp eq <4 x i64> %v2, zeroinitializer
  %q1 = getelementptr inbounds i8, ptr %out, i64 %index
  %q2 = getelementptr inbounds i8, ptr %out, i64 %second
  %b1 = zext <4 x i1> %z1 to <4 x i8>
  %b2 = zext <4 x i1> %z2 to <4 x i8>
  store <4 x i8> %b1, ptr %q1, align 1
  store <4 x i8> %b2, ptr %q2, align 1
  %index.next = add nuw i64 %index, 8
  %vector.done = icmp eq i64 %index.next, 4096
  br i1 %vector.done, label %exit, label %vector.body

exit:
  ret void
}
