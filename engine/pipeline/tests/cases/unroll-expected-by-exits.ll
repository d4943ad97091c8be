; loop-unroll<runtime>
declare i1 @ask()
; Nobody has counted: unrolled for what iterations share.
define void @unknown(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %e = call i1 @ask()
  br i1 %e, label %exit, label %latch
latch:
  %h = udiv i64 %i, 2
  %h2 = mul i64 %h, %h
  %h3 = xor i64 %h2, 5
  %h4 = mul i64 %h3, %h2
  %h5 = and i64 %h4, 255
  %p = getelementptr inbounds i32, ptr %a, i64 %h5
  %v = load i32, ptr %p
  %v.next = add i32 %v, 1
  store i32 %v.next, ptr %p
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
; Two iterations are expected by the first exit alone: 10 of 20 arrivals leave there.
define void @first(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %e = call i1 @ask()
  br i1 %e, label %exit, label %latch, !prof !0
latch:
  %h = udiv i64 %i, 2
  %h2 = mul i64 %h, %h
  %h3 = xor i64 %h2, 5
  %h4 = mul i64 %h3, %h2
  %h5 = and i64 %h4, 255
  %p = getelementptr inbounds i32, ptr %a, i64 %h5
  %v = load i32, ptr %p
  %v.next = add i32 %v, 1
  store i32 %v.next, ptr %p
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
; Of 30 arrivals ten leave at either exit or so: 20/30 times 20/30 stay, and there are two iterations.
define void @both(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %e = call i1 @ask()
  br i1 %e, label %exit, label %latch, !prof !1
latch:
  %h = udiv i64 %i, 2
  %h2 = mul i64 %h, %h
  %h3 = xor i64 %h2, 5
  %h4 = mul i64 %h3, %h2
  %h5 = and i64 %h4, 255
  %p = getelementptr inbounds i32, ptr %a, i64 %h5
  %v = load i32, ptr %p
  %v.next = add i32 %v, 1
  store i32 %v.next, ptr %p
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %loop, label %exit, !prof !6
exit:
  ret void
}
; Of a thousand, one at each: there are many iterations.
define void @many(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %e = call i1 @ask()
  br i1 %e, label %exit, label %latch, !prof !2
latch:
  %h = udiv i64 %i, 2
  %h2 = mul i64 %h, %h
  %h3 = xor i64 %h2, 5
  %h4 = mul i64 %h3, %h2
  %h5 = and i64 %h4, 255
  %p = getelementptr inbounds i32, ptr %a, i64 %h5
  %v = load i32, ptr %p
  %v.next = add i32 %v, 1
  store i32 %v.next, ptr %p
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %loop, label %exit, !prof !7
exit:
  ret void
}
; Nobody leaves by the weights, which says nothing.
define void @never(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %e = call i1 @ask()
  br i1 %e, label %exit, label %latch, !prof !3
latch:
  %h = udiv i64 %i, 2
  %h2 = mul i64 %h, %h
  %h3 = xor i64 %h2, 5
  %h4 = mul i64 %h3, %h2
  %h5 = and i64 %h4, 255
  %p = getelementptr inbounds i32, ptr %a, i64 %h5
  %v = load i32, ptr %p
  %v.next = add i32 %v, 1
  store i32 %v.next, ptr %p
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %loop, label %exit, !prof !4
exit:
  ret void
}
; Weights that are as large as they get.
define void @large(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %e = call i1 @ask()
  br i1 %e, label %exit, label %latch, !prof !5
latch:
  %h = udiv i64 %i, 2
  %h2 = mul i64 %h, %h
  %h3 = xor i64 %h2, 5
  %h4 = mul i64 %h3, %h2
  %h5 = and i64 %h4, 255
  %p = getelementptr inbounds i32, ptr %a, i64 %h5
  %v = load i32, ptr %p
  %v.next = add i32 %v, 1
  store i32 %v.next, ptr %p
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %loop, label %exit, !prof !5
exit:
  ret void
}
!0 = !{!"branch_weights", i32 10, i32 10}
!1 = !{!"branch_weights", i32 10, i32 20}
!2 = !{!"branch_weights", i32 1, i32 1000}
!3 = !{!"branch_weights", i32 0, i32 1000}
!4 = !{!"branch_weights", i32 1000, i32 0}
!5 = !{!"branch_weights", i64 -1, i64 -1}
!6 = !{!"branch_weights", i32 20, i32 10}
!7 = !{!"branch_weights", i32 1000, i32 1}
