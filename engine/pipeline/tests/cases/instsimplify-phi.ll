; instsimplify
; The analyses determine that the phi is %n; two steps later a rule uses it.
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
