; loop-unroll<peeling;partial>
declare void @g(i32)

; Peeled, because a phi becomes invariant.
define void @settles(i32 %n, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %last = phi i32 [ 7, %entry ], [ %x, %loop ]
  %a = mul i32 %last, %last
  %b = udiv i32 %a, 5
  call void @g(i32 %b)
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Metadata requests unrolling, which takes precedence.
define void @asked(i32 %n, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %last = phi i32 [ 7, %entry ], [ %x, %loop ]
  %a = mul i32 %last, %last
  %b = udiv i32 %a, 5
  call void @g(i32 %b)
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 2}
