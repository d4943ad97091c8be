; The index i·m + j of a triangular nest becomes a single running count.
; Wrong for n = 3, m = 5: the rows have m elements, but the inner loop of row i visits i of them; the second index
; that the source observes is 10, the target's is 1.

define void @src(i32 noundef %n, i32 noundef %m) {
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
  %row = mul i32 %i, %m
  %at = add i32 %row, %j
  call void @observe(i32 noundef %at)
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret void
}

define void @tgt(i32 noundef %n, i32 noundef %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %run = phi i32 [ %m, %entry ], [ %at, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.body ]
  %at = phi i32 [ %run, %outer ], [ %at.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %i
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  call void @observe(i32 noundef %at)
  %j.next = add nuw i32 %j, 1
  %at.next = add i32 %at, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret void
}

declare void @observe(i32 noundef)
