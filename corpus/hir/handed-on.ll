; What the next iteration has is computed before loops whose bounds and subscripts are made of what this one has.

; The bound of the inner loop is computed of %x, and so are its subscripts, behind %x.next: they are two variables.
define i32 @before(ptr noalias %p, i64 %start, i64 %rounds) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %x = phi i64 [ %start, %entry ], [ %x.next, %latch ]
  %end = add i64 %x, 2
  %x.next = xor i64 %x, 3
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %place = add i64 %j, %x
  %at = getelementptr i32, ptr %p, i64 %place
  %v = load i32, ptr %at, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr %at, align 4
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %end
  br i1 %more, label %inner, label %latch

latch:
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %rounds
  br i1 %again, label %outer, label %exit

exit:
  %first = load i32, ptr %p, align 4
  ret i32 %first
}

; Nothing is made of %x behind %x.next: they are one variable.
define i64 @done(i64 %start, i64 %rounds) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer ]
  %x = phi i64 [ %start, %entry ], [ %x.next, %outer ]
  %twice = mul i64 %x, %x
  %x.next = xor i64 %twice, 3
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %rounds
  br i1 %again, label %outer, label %exit

exit:
  ret i64 %x.next
}
