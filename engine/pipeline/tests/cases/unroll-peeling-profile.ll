; loop-unroll<peeling;profile-peeling>
declare void @g()
declare void @stop() noreturn

; Three iterations are expected: 20 / 10, plus one.
define void @three(i32 %n) !prof !0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @g()
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !prof !1
exit:
  ret void
}

; Two of them are peeled already, so six more would be too many.
define void @peeled(i32 %n) !prof !0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @g()
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !prof !2, !llvm.loop !3
exit:
  ret void
}

; No profile data.
define void @unprofiled(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @g()
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !prof !1
exit:
  ret void
}

; The weights of the latch do not determine how often the other exit is taken.
define void @left_elsewhere(i32 %n, i32 %k) !prof !0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @g()
  %e = icmp eq i32 %i, %k
  br i1 %e, label %exit, label %latch
latch:
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !prof !1
exit:
  ret void
}

!0 = !{!"function_entry_count", i64 10}
!1 = !{!"branch_weights", i32 20, i32 10}
!2 = !{!"branch_weights", i32 50, i32 10}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.peeled.count", i32 2}
