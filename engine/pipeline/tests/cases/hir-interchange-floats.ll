; hir-interchange
; Floating-point sums are reassociated where that is allowed (@sum, @less), and lose metadata and flags that depend on
; their order; elsewhere the order stays (@ordered).

define float @sum(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi float [ 0.0, %entry ], [ %t.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %t = phi float [ %s, %outer ], [ %t.next, %loop ]
  %at = getelementptr inbounds [4 x float], ptr %p, i64 %j, i64 %i
  %v = load float, ptr %at, align 4
  %t.next = fadd reassoc nnan nsz float %t, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 3
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret float %t.next
}

define float @less(ptr noalias %p, float %x) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi float [ %x, %entry ], [ %t.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %t = phi float [ %s, %outer ], [ %t.next, %loop ]
  %at = getelementptr inbounds [4 x float], ptr %p, i64 %j, i64 %i
  %v = load float, ptr %at, align 4
  %t.next = fsub fast float %t, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 3
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret float %t.next
}

define float @ordered(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi float [ 0.0, %entry ], [ %t.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %t = phi float [ %s, %outer ], [ %t.next, %loop ]
  %at = getelementptr inbounds [4 x float], ptr %p, i64 %j, i64 %i
  %v = load float, ptr %at, align 4
  %t.next = fadd nsz float %t, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 3
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret float %t.next
}
