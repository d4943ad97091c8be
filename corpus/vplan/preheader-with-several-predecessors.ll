; The block before the loop joins two paths: a preheader with several predecessors, to be split.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Loops pre-header massaging.

define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b

a:
  br label %preheader

b:
  br label %preheader

preheader:
  %start = phi i32 [ 1, %a ], [ 2, %b ]
  br label %loop

loop:
  %i = phi i32 [ %start, %preheader ], [ %i.next, %loop ]
  %i.next = mul i32 %i, 3
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}
