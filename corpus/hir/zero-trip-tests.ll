; Loops that may not run at all stand in an if that asks so: their zero-trip test, as what rotation leaves of a loop that
; is tested at its top. What is done only if the loop runs is its preheader and its postexit.
; From hir-ddrefs.rst: HIR Hierarchy.

; The nest is perfect: the inner loop's test says the same in all iterations of the outer one.
define void @columns(ptr %a, i64 %n, i64 %m) {
entry:
  %any = icmp slt i64 0, %m
  br i1 %any, label %outer, label %exit

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %runs = icmp slt i64 0, %n
  br i1 %runs, label %inner, label %latch

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %at = getelementptr inbounds [4 x i8], ptr %a, i64 %j, i64 %i
  %v = load i8, ptr %at
  %w = add i8 %v, 1
  store i8 %w, ptr %at
  %j.next = add nsw i64 %j, 1
  %more = icmp slt i64 %j.next, %n
  br i1 %more, label %inner, label %latch

latch:
  %i.next = add nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %m
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

; The bound is loaded by an instruction before the loop, and something is stored behind it.
define void @parts(ptr noalias %a, ptr noalias %b, i8 %n) {
entry:
  br label %outer

outer:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %runs = icmp ult i8 %i, %n
  br i1 %runs, label %before, label %latch

before:
  %from = getelementptr inbounds i8, ptr %b, i8 %i
  %x = load i8, ptr %from
  br label %inner

inner:
  %j = phi i8 [ %i, %before ], [ %j.next, %inner ]
  %at = getelementptr inbounds i8, ptr %a, i8 %j
  store i8 %x, ptr %at
  %j.next = add nuw i8 %j, 1
  %more = icmp ult i8 %j.next, %n
  br i1 %more, label %inner, label %behind

behind:
  store i8 9, ptr %from
  br label %latch

latch:
  %i.next = add nuw i8 %i, 1
  %again = icmp ult i8 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

; What does not ask whether the loop would run stays an if; so does a test that has an alternative.
define i8 @others(ptr %a, i8 %n, i1 %c) {
entry:
  br label %outer

outer:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %first, label %middle

first:
  %j = phi i8 [ 0, %outer ], [ %j.next, %first ]
  %at = getelementptr inbounds i8, ptr %a, i8 %j
  store i8 %i, ptr %at
  %j.next = add nuw i8 %j, 1
  %more = icmp ult i8 %j.next, 3
  br i1 %more, label %first, label %middle

middle:
  %runs = icmp ne i8 %n, 0
  br i1 %runs, label %second, label %instead

second:
  %k = phi i8 [ 0, %middle ], [ %k.next, %second ]
  %to = getelementptr inbounds i8, ptr %a, i8 %k
  store i8 %n, ptr %to
  %k.next = add nuw i8 %k, 1
  %go = icmp ult i8 %k.next, %n
  br i1 %go, label %second, label %latch

instead:
  store i8 7, ptr %a
  br label %latch

latch:
  %i.next = add nuw i8 %i, 1
  %again = icmp ult i8 %i.next, 2
  br i1 %again, label %outer, label %exit

exit:
  %r = load i8, ptr %a
  ret i8 %r
}
