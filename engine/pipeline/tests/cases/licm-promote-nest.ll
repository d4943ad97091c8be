; licm
;
; In the inner loop the load of @sum becomes a value and the store stays, because it is not executed on every exit path.
; In the outer loop both are promoted to one value, which leaves the inner loop through two exits whose paths join: each
; exit has an LCSSA phi, and another phi merges them.
@sum = internal global i64 0

define void @f(i64 %n, i1 %c) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner.latch ]
  %more = icmp ult i64 %j, %n
  br i1 %more, label %body, label %meet

body:
  br i1 %c, label %leave, label %inner.latch

leave:
  br label %meet

inner.latch:
  %v = load i64, ptr @sum
  %w = mul i64 %v, 3
  store i64 %w, ptr @sum
  %j.next = add i64 %j, 1
  br label %inner

meet:
  %x = load i64, ptr @sum
  %y = add i64 %x, 1
  store i64 %y, ptr @sum
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %outer.latch, label %exit

outer.latch:
  br label %outer

exit:
  ret void
}
