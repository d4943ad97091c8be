; hir-interchange,hir-tile<8>
; The result of one pass is known as precisely to the next one as the original: a matrix with rows of variable length
; (@rows) and a nested array (@arrays).

define void @rows(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %outer, label %exit

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %row = mul nsw i64 %j, %n
  %index = add nsw i64 %row, %i
  %at = getelementptr inbounds i32, ptr %p, i64 %index
  %v = load i32, ptr %at, align 4
  %of = getelementptr inbounds i32, ptr %q, i64 %i
  %w = load i32, ptr %of, align 4
  %x = add i32 %v, %w
  store i32 %x, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp slt i64 %j.next, %n
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @arrays(ptr noalias %p, ptr noalias %q) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [64 x i32], ptr %p, i64 %j, i64 %i
  %v = load i32, ptr %at, align 4
  %of = getelementptr inbounds i32, ptr %q, i64 %i
  %w = load i32, ptr %of, align 4
  %x = add i32 %v, %w
  store i32 %x, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 64
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 64
  br i1 %again, label %outer, label %exit

exit:
  ret void
}
