; instsimplify
; That the phi is %n is for the analyses to say; two steps on, a rule makes use of it.
define i5 @f(i5 noundef %n, i5 noundef %x, i1 %c) {
entry:
  br i1 %c, label %join, label %case
case:
  br label %join
join:
  %p = phi i5 [ %n, %entry ], [ undef, %case ]
  %a = xor i5 %x, %p
  %b = xor i5 %n, %a
  ret i5 %b
}
