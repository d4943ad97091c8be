; hir-roundtrip
; Irreducible cycles are reported inside a nest (@inside) and outside of all nests (@outside); a loop inside one is
; taken (@around).

define i32 @outside(i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b

a:
  %x = phi i32 [ 0, %entry ], [ %y.next, %b ]
  %x.next = add i32 %x, 1
  br label %b

b:
  %y = phi i32 [ 100, %entry ], [ %x.next, %a ]
  %y.next = add i32 %y, 10
  %more = icmp ult i32 %y.next, %n
  br i1 %more, label %a, label %exit

exit:
  ret i32 %y.next
}

define void @inside(i1 %c, i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %a, label %b

a:
  br label %b

b:
  %more = icmp ult i32 %i, %n
  br i1 %more, label %a, label %latch

latch:
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, 9
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define i32 @around(i1 %c, ptr %p, i32 %n) {
entry:
  br i1 %c, label %a, label %b

a:
  %x = phi i32 [ 0, %entry ], [ %y.next, %b ]
  br label %loop

loop:
  %i = phi i64 [ 0, %a ], [ %i.next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 %x, ptr %at, align 4
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 8
  br i1 %again, label %loop, label %b.from

b.from:
  br label %b

b:
  %y = phi i32 [ 100, %entry ], [ %x, %b.from ]
  %y.next = add i32 %y, 10
  %more = icmp ult i32 %y.next, %n
  br i1 %more, label %a, label %exit

exit:
  ret i32 %y.next
}
