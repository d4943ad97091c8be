; Columns of two, six of them: whole vectors of two lanes, in which the inner loop goes round as in each lane.
define void @small(ptr noalias %sums, ptr noalias %matrix) {
entry:
  br label %outer

outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %outer.latch ]
  br label %inner

inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %sum = phi i8 [ 0, %outer ], [ %sum.next, %inner ]
  %row = mul nuw nsw i64 %k, 8
  %at = add nuw nsw i64 %row, %j
  %p = getelementptr inbounds i8, ptr %matrix, i64 %at
  %v = load i8, ptr %p, align 1
  %sum.next = add i8 %sum, %v
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 2
  br i1 %more, label %inner, label %outer.latch

outer.latch:
  %q = getelementptr inbounds i8, ptr %sums, i64 %j
  store i8 %sum.next, ptr %q, align 1
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

; What all of them come to, which is a reduction of the outer loop by way of the inner one; a block in it is entered in the
; second iteration of the inner loop alone, in all lanes.
define i32 @all(ptr noalias %matrix) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %all = phi i32 [ 7, %entry ], [ %sum.end, %outer.latch ]
  br label %inner

inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner.latch ]
  %sum = phi i32 [ %all, %outer ], [ %sum.next, %inner.latch ]
  %row = mul nuw nsw i64 %i, 8
  %at = add nuw nsw i64 %row, %k
  %p = getelementptr inbounds i8, ptr %matrix, i64 %at
  %v = load i8, ptr %p, align 1
  %wide = zext i8 %v to i32
  %second = icmp eq i64 %k, 1
  br i1 %second, label %then, label %inner.latch

then:
  %twice = shl i32 %wide, 1
  br label %inner.latch

inner.latch:
  %x = phi i32 [ %twice, %then ], [ %wide, %inner ]
  %sum.next = add nsw i32 %sum, %x
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 2
  br i1 %more, label %inner, label %outer.latch

outer.latch:
  %sum.end = phi i32 [ %sum.next, %inner.latch ]
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4
  br i1 %again, label %outer, label %exit, !llvm.loop !0

exit:
  %r = phi i32 [ %sum.end, %outer.latch ]
  ret i32 %r
}

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
!2 = !{!"llvm.loop.vectorize.width", i32 2}
