; loop-unroll<count=8;runtime>
; The remainder starts at the beginning of a round and is no longer than one, so values that are uniform in a round are
; computed once.
define void @f(i32 %n, ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %eighth = lshr i32 %i, 3
  %x = mul i32 %eighth, %n
  %at = getelementptr inbounds i32, ptr %p, i32 %i
  store i32 %x, ptr %at
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
