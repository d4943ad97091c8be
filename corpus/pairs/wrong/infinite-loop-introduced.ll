; The latch forgets to advance the counter on one arm: the target runs on forever where the source
; returns.
;
; The target repeats a state without any event, so running it shows that it diverges; unrolling to a bound cannot.

define i32 @src(i32 %n, i32 %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %skip = icmp eq i32 %i, %k
  br i1 %skip, label %latch, label %work

work:
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 %n, i32 %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i, %body ], [ %i.next, %work ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %skip = icmp eq i32 %i, %k
  br i1 %skip, label %header, label %work

work:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}
