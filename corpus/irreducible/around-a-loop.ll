; A loop at top level that is part of an outer irreducible cycle.
; From loop-terminology.rst: Important Notes.

define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b

a:
  %x = phi i32 [ 1, %entry ], [ %z.next, %b.end ]
  br label %inner

inner:
  %j = phi i32 [ %x, %a ], [ %j.next, %inner ]
  %j.next = add i32 %j, 2
  %inner.more = icmp ult i32 %j.next, 5
  br i1 %inner.more, label %inner, label %b

b:
  %z = phi i32 [ 10, %entry ], [ %j.next, %inner ]
  br label %b.end

b.end:
  %z.next = add i32 %z, 7
  %more = icmp ult i32 %z.next, %n
  br i1 %more, label %a, label %exit

exit:
  ret i32 %z.next
}
