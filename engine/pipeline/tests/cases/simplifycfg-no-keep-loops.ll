; function(simplifycfg<no-keep-loops>)
; Preheaders, dedicated exits and LCSSA phis are removed.
define i32 @closed(i32 %n, ptr %p) {
entry:
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %pre, label %out
pre:
  br label %loop
loop:
  %i = phi i32 [ 0, %pre ], [ %j, %loop ]
  %j = add nsw i32 %i, 1
  store i32 %j, ptr %p
  %d = icmp eq i32 %j, %n
  br i1 %d, label %loopexit, label %loop
loopexit:
  %j.lcssa = phi i32 [ %j, %loop ]
  br label %out
out:
  %r = phi i32 [ 0, %entry ], [ %j.lcssa, %loopexit ]
  ret i32 %r
}
; A separate latch with loop metadata is kept; one that merges a value is removed.
define i32 @latches(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load volatile i32, ptr %p
  %c = icmp eq i32 %x, %i
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr %p
  %k = add i32 %i, 2
  br label %latch
b:
  store volatile i32 2, ptr %p
  %l = add i32 %i, 1
  %e = icmp eq i32 %l, %n
  br i1 %e, label %out, label %latch
latch:
  %next = phi i32 [ %k, %a ], [ %l, %b ]
  br label %loop
out:
  ret i32 %i
}
define void @metadata(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  store volatile i32 %n, ptr %p
  %x = load volatile i32, ptr %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %latch, label %out
latch:
  br label %loop, !llvm.loop !0
out:
  ret void
}
; Two phis must agree on one undef: the block stays.
define i32 @undef(i1 %c, i1 %d, ptr %p) {
entry:
  br i1 %c, label %a, label %z
a:
  store volatile i32 0, ptr %p
  br i1 %d, label %meet, label %b
b:
  store volatile i32 1, ptr %p
  br label %meet
meet:
  %u = phi i32 [ undef, %a ], [ 1, %b ]
  br label %z
z:
  %v = phi i32 [ 3, %entry ], [ %u, %meet ]
  %w = phi i32 [ 4, %entry ], [ %u, %meet ]
  %r = sub i32 %v, %w
  ret i32 %r
}
; The two edges to the end carry different values: the block stays.
define i32 @differ(i32 %n, ptr %p) {
entry:
  %c = icmp sgt i32 %n, 0
  store volatile i32 0, ptr %p
  br i1 %c, label %empty, label %out
empty:
  br label %out
out:
  %r = phi i32 [ 0, %entry ], [ %n, %empty ]
  %s = phi i32 [ 0, %entry ], [ 4, %empty ]
  %t = phi i32 [ 7, %entry ], [ 5, %empty ]
  store volatile i32 %r, ptr %p
  store volatile i32 %s, ptr %p
  ret i32 %t
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
