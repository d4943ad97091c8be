; An exiting edge of the inner loop leaves the outer loop too; a value of the inner loop needs one
; loop-closing phi, for both loops at once.

define i32 @f(ptr %p, i32 %rows, i32 %cols) {
entry:
  br label %outer

outer:
  %r = phi i32 [ 0, %entry ], [ %r.next, %outer.latch ]
  %base = mul i32 %r, %cols
  br label %inner

inner:
  %c = phi i32 [ 0, %outer ], [ %c.next, %inner.latch ]
  %k = add i32 %base, %c
  %at = getelementptr inbounds i8, ptr %p, i32 %k
  %v = load i8, ptr %at
  %hit = icmp eq i8 %v, 1
  br i1 %hit, label %found, label %inner.latch

inner.latch:
  %c.next = add nuw i32 %c, 1
  %inner.more = icmp ult i32 %c.next, %cols
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  %r.next = add nuw i32 %r, 1
  %outer.more = icmp ult i32 %r.next, %rows
  br i1 %outer.more, label %outer, label %absent

found:
  %ten = mul i32 %r, 10
  %res = add i32 %ten, %c
  ret i32 %res

absent:
  ret i32 -1
}
