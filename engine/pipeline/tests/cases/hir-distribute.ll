; hir-distribute
; A loop-carried part is separated from an independent part (@divided); the writing part is placed before the reading
; part, although it follows it in the source (@turned); code beside a loop is separated, which leaves a perfect nest
; (@product). Parts are not separated if a variable connects them (@connected), if they form a cycle through memory
; (@cycle), if other threads observe them (@seen), or if they are of the same kind (@alike).

define void @divided(ptr noalias %a, ptr noalias %b, ptr noalias %c) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %back = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %back, align 4
  %w = mul i32 %v, 3
  %i.after = add nuw nsw i64 %i, 1
  %on = getelementptr inbounds i32, ptr %a, i64 %i.after
  store i32 %w, ptr %on, align 4
  %from = getelementptr inbounds i32, ptr %b, i64 %i
  %u = load i32, ptr %from, align 4
  %to = getelementptr inbounds i32, ptr %c, i64 %i
  store i32 %u, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @turned(ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds i32, ptr %b, i64 %i
  %u = load i32, ptr %from, align 4
  %x = getelementptr inbounds [2 x i32], ptr %a, i64 200, i64 %i
  store i32 %u, ptr %x, align 4
  %v = load i32, ptr %a, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr %a, align 4
  %i.after = add nuw nsw i64 %i, 1
  %on = getelementptr inbounds i32, ptr %b, i64 %i.after
  store i32 7, ptr %on, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @product(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %to = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 0, ptr %to, align 4
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [100 x i32], ptr %b, i64 %i, i64 %j
  %v = load i32, ptr %at, align 4
  %s = load i32, ptr %to, align 4
  %t = add i32 %v, %s
  store i32 %t, ptr %to, align 4
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

define void @connected(ptr noalias %a, ptr noalias %c) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %back = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %back, align 4
  %w = mul i32 %v, 3
  %i.after = add nuw nsw i64 %i, 1
  %on = getelementptr inbounds i32, ptr %a, i64 %i.after
  store i32 %w, ptr %on, align 4
  %to = getelementptr inbounds i32, ptr %c, i64 %i
  store i32 %v, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @cycle(ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds i32, ptr %b, i64 %i
  %u = load i32, ptr %from, align 4
  %i.after = add nuw nsw i64 %i, 1
  %to = getelementptr inbounds i32, ptr %a, i64 %i.after
  store i32 %u, ptr %to, align 4
  %back = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %back, align 4
  %on = getelementptr inbounds i32, ptr %b, i64 %i.after
  store i32 %v, ptr %on, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

declare void @see()

define void @seen(ptr noalias %a, ptr noalias %b, ptr noalias %c) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %back = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %back, align 4
  %w = mul i32 %v, 3
  %i.after = add nuw nsw i64 %i, 1
  %on = getelementptr inbounds i32, ptr %a, i64 %i.after
  store i32 %w, ptr %on, align 4
  call void @see()
  %from = getelementptr inbounds i32, ptr %b, i64 %i
  %u = load i32, ptr %from, align 4
  %to = getelementptr inbounds i32, ptr %c, i64 %i
  store i32 %u, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @alike(ptr noalias %a, ptr noalias %b, ptr noalias %c) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 0, ptr %x, align 4
  %from = getelementptr inbounds i32, ptr %b, i64 %i
  %u = load i32, ptr %from, align 4
  %to = getelementptr inbounds i32, ptr %c, i64 %i
  store i32 %u, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; A part without memory accesses, such as a last value or a scope declaration, does not become a loop.
define i64 @last_value(ptr noalias %a, ptr noalias %b) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  %hash = phi i64 [ 1, %entry ], [ %hash.next, %rows.latch ]
  %hash.next = mul i64 %hash, %hash
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %at = getelementptr inbounds [50 x i32], ptr %a, i64 %i, i64 %j
  store i32 0, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 100
  br i1 %i.more, label %rows, label %exit

exit:
  ret i64 %hash.next
}

define void @scopes(ptr %a, ptr %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %back = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %back, align 4
  %i.after = add nuw nsw i64 %i, 1
  %on = getelementptr inbounds i32, ptr %a, i64 %i.after
  store i32 %v, ptr %on, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

declare void @llvm.experimental.noalias.scope.decl(metadata)

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
