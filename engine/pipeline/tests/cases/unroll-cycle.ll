; loop-unroll<count=2;runtime>
; Phis that swap values are the same in each round of two: constants if they start from constants.
define i32 @constants(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi i32 [ 3, %entry ], [ %b, %loop ]
  %b = phi i32 [ 5, %entry ], [ %a, %loop ]
  %x = mul i32 %a, %i
  store volatile i32 %x, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %a
}
define i32 @values(i32 %n, i32 %u, i32 %v, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi i32 [ %u, %entry ], [ %b, %loop ]
  %b = phi i32 [ %v, %entry ], [ %a, %loop ]
  %x = mul i32 %a, %u
  store volatile i32 %x, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %b
}
