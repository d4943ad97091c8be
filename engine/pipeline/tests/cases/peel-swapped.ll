; loop-peel
; A value computed from swapped phis alternates: two phis replace it if it is more expensive.
define i32 @f(i32 %n, i32 %u, i32 %v, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi i32 [ %u, %entry ], [ %b, %loop ]
  %b = phi i32 [ %v, %entry ], [ %a, %loop ]
  %x = mul i32 %a, %u
  %y = xor i32 %x, %b
  %z = shl i32 %y, %u
  store volatile i32 %z, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %z
}
define i32 @of_xor(i32 %n, i32 %u, i32 %v, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi i32 [ %u, %entry ], [ %a.next, %loop ]
  %x = mul i32 %a, %u
  %y = xor i32 %x, %v
  %z = shl i32 %y, %u
  store volatile i32 %z, ptr %p
  %a.next = xor i32 %a, 255
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %a
}
define i32 @little(i32 %n, i32 %u, i32 %v, ptr %p) {
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
  ret i32 %a
}
