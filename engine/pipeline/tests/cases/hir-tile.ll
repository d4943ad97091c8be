; hir-tile<8>
; A matrix product in tiles of 8 * 8 * 8 (@product), the last of which may be smaller; a transposition with one loop no
; longer than a tile (@transpose). No tiling if a dependence on a neighbor has the opposite direction (@stencil), or if
; no memory is accessed again (@zero).

define void @product(ptr noalias %c, ptr noalias %a, ptr noalias %b) {
entry:
  br label %i

i:
  %x = phi i64 [ 0, %entry ], [ %x.next, %i.latch ]
  br label %j

j:
  %y = phi i64 [ 0, %i ], [ %y.next, %j.latch ]
  %to = getelementptr inbounds [20 x i32], ptr %c, i64 %x, i64 %y
  br label %k

k:
  %z = phi i64 [ 0, %j ], [ %z.next, %k ]
  %left.at = getelementptr inbounds [24 x i32], ptr %a, i64 %x, i64 %z
  %left = load i32, ptr %left.at, align 4
  %right.at = getelementptr inbounds [20 x i32], ptr %b, i64 %z, i64 %y
  %right = load i32, ptr %right.at, align 4
  %term = mul i32 %left, %right
  %sum = load i32, ptr %to, align 4
  %sum.next = add i32 %sum, %term
  store i32 %sum.next, ptr %to, align 4
  %z.next = add nuw nsw i64 %z, 1
  %k.more = icmp ult i64 %z.next, 24
  br i1 %k.more, label %k, label %j.latch

j.latch:
  %y.next = add nuw nsw i64 %y, 1
  %j.more = icmp ult i64 %y.next, 20
  br i1 %j.more, label %j, label %i.latch

i.latch:
  %x.next = add nuw nsw i64 %x, 1
  %i.more = icmp ult i64 %x.next, 16
  br i1 %i.more, label %i, label %exit

exit:
  ret void
}

define void @transpose(ptr noalias %p, ptr noalias %q) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %from = getelementptr inbounds [100 x i32], ptr %q, i64 %j, i64 %i
  %v = load i32, ptr %from, align 4
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %i, i64 %j
  store i32 %v, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 7
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @stencil(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %right = add nuw nsw i64 %j, 1
  %below = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds [100 x i32], ptr %p, i64 %i, i64 %right
  %v = load i32, ptr %from, align 4
  %to = getelementptr inbounds [100 x i32], ptr %p, i64 %below, i64 %j
  store i32 %v, ptr %to, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 90
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 90
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @zero(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %i, i64 %j
  store i32 0, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 100
  br i1 %again, label %outer, label %exit

exit:
  ret void
}
