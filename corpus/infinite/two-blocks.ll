; A statically infinite loop with two latches in a bigger function; no value can be live out of it.

@tick = global i32 0

define i32 @f(i32 %n) {
entry:
  %some = icmp ugt i32 %n, 2
  br i1 %some, label %preheader, label %exit

preheader:
  br label %header

header:
  %i = phi i32 [ %n, %preheader ], [ %i.a, %a ], [ %i.b, %b ]
  store volatile i32 %i, ptr @tick
  %odd = trunc i32 %i to i1
  br i1 %odd, label %a, label %b

a:
  %i.a = mul i32 %i, 3
  br label %header

b:
  %i.b = lshr i32 %i, 1
  br label %header

exit:
  ret i32 %n
}
