; One function for each remark that LLVM's passes make too.

define void @moved(ptr noalias %p, ptr noalias %q, i32 %n, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %product = mul i32 %x, %x
  %old = load i32, ptr %p
  %new = add i32 %old, %product
  store i32 %new, ptr %p
  %late = xor i32 %i, 5
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  store i32 %late, ptr %q
  ret void
}

define void @stays(ptr %p, ptr %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %v = load i32, ptr %p
  %at = getelementptr i32, ptr %q, i32 %i
  store i32 %v, ptr %at
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define i32 @conditional(ptr %p, ptr noalias %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %latch
then:
  %v = load i32, ptr %p
  %at = getelementptr i32, ptr %q, i32 %i
  store i32 %v, ptr %at
  br label %latch
latch:
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 0
}

define void @empty(i32 %n) mustprogress {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @never(i32 %n) {
entry:
  br i1 false, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @effect()
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

declare void @effect()

define void @fill(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  store i8 0, ptr %at
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, 1000
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @copy(ptr noalias %p, ptr noalias %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %from
  %to = getelementptr i32, ptr %q, i64 %i
  store i32 %v, ptr %to
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, 1000
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @three() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @effect()
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, 3
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @many(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @effect()
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

define void @directed(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @effect()
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !2
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 4}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.full"}
