; Volatile and atomic accesses say so, and what a getelementptr of vectors counts.

define i32 @f(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %a = load volatile i32, ptr %at
  %b = load atomic i32, ptr %at acquire, align 4
  %c = add i32 %a, %b
  store atomic volatile i32 %c, ptr %at seq_cst, align 4
  store volatile i32 %b, ptr %at
  %d = atomicrmw volatile add ptr %at, i32 1 monotonic
  fence release
  %e = cmpxchg ptr %at, i32 1, i32 2 acq_rel monotonic
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %d
}

define i64 @vectors(<2 x ptr> %pv, ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %many = getelementptr i32, <2 x ptr> %pv, i64 %i
  %one = extractelement <2 x ptr> %many, i64 0
  %n = ptrtoint ptr %one to i64
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  store i64 %n, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  ret i64 0
}
