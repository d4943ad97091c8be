; The bound of a triangular inner loop is taken for invariant in the outer loop.
; Wrong for n = 2: in the second row the source observes 0, the target nothing.

define void @src(i32 noundef %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %i
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  call void @observe(i32 noundef %j)
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret void
}

define void @tgt(i32 noundef %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.body ]
  %inner.more = icmp ult i32 %j, 0
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  call void @observe(i32 noundef %j)
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret void
}

declare void @observe(i32 noundef)
