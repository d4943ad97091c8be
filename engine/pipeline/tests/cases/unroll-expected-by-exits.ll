; loop-unroll<runtime>
declare i1 @ask()
; No profile data: the loop is unrolled for the work that iterations share.
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
; The first exit alone predicts two iterations: 10 of 20 arrivals exit there.
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
; Of 30 arrivals, about ten exit at either exit: 20/30 times 20/30 stay, which predicts two iterations.
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
; Of a thousand arrivals, one exits at each: many iterations are predicted.
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
; By the weights the exits are never taken, which predicts nothing.
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
; Maximum weights.
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
