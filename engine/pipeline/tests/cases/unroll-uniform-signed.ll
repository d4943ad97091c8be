; loop-unroll<runtime;count=8>
; Signed quotients and remainders of non-negative values are computed as unsigned ones.
define void @counted(ptr %p, ptr %q) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %i.n, %h ]
  %d = sdiv i32 %i, 8
  %r = srem i32 %i, 8
  store volatile i32 %d, ptr %p
  store volatile i32 %r, ptr %q
  %i.n = add nsw i32 %i, 1
  %c = icmp slt i32 %i.n, 8000
  br i1 %c, label %h, label %x
x:
  ret void
}
; A value that may be negative has different remainders.
define void @any(ptr %q, i32 noundef %n) {
entry:
  br label %h
h:
  %i = phi i32 [ %n, %entry ], [ %i.n, %h ]
  %r = srem i32 %i, 8
  store volatile i32 %r, ptr %q
  %i.n = add nsw i32 %i, 1
  %c = icmp slt i32 %i.n, 8000
  br i1 %c, label %h, label %x
x:
  ret void
}
; Any non-negative start.
define void @from(ptr %q, i32 noundef %n) {
entry:
  %m = lshr i32 %n, 4
  br label %h
h:
  %i = phi i32 [ %m, %entry ], [ %i.n, %h ]
  %r = srem i32 %i, 8
  store volatile i32 %r, ptr %q
  %i.n = add nsw i32 %i, 1
  %c = icmp slt i32 %i.n, 300000000
  br i1 %c, label %h, label %x
x:
  ret void
}
