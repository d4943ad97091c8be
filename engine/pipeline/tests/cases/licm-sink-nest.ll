; function(loop-simplify,lcssa),loop-mssa(licm)
; The inner loop exits both loops: code sunk there gets a phi for values of the outer loop, but none if the exit stays
; in the outer loop.
declare i7 @any(i7)

define i7 @both(i1 %a, i1 %b, i1 %c) {
entry:
  br label %outer
outer:
  %v = call i7 @any(i7 0)
  br label %inner
inner:
  %w = or i7 %v, 1
  br i1 %a, label %out, label %latch
latch:
  br i1 %b, label %inner, label %outer.latch
outer.latch:
  br i1 %c, label %done, label %outer
out:
  %r = phi i7 [ %w, %inner ]
  ret i7 %r
done:
  ret i7 0
}

define i7 @one(i1 %a, i1 %b, i1 %c) {
entry:
  br label %outer
outer:
  %v = call i7 @any(i7 0)
  br label %inner
inner:
  %w = or i7 %v, 1
  br i1 %a, label %outer.latch, label %latch
latch:
  br i1 %b, label %inner, label %outer.latch
outer.latch:
  %r = phi i7 [ %w, %inner ], [ 0, %latch ]
  %s = call i7 @any(i7 %r)
  br i1 %c, label %done, label %outer
done:
  ret i7 0
}

define i32 @stored(ptr noalias %q, i32 %n, i1 %c) nounwind {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %outer.latch ]
  %p = getelementptr i32, ptr %q, i32 %k
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %i.next, %latch ]
  %x = load i32, ptr %p
  %y = add i32 %x, %k
  store i32 %y, ptr %p
  switch i32 %y, label %latch [
    i32 5, label %out
    i32 6, label %out
  ]
latch:
  %i.next = add i32 %i, 1
  %b = icmp ult i32 %i.next, %n
  br i1 %b, label %inner, label %outer.latch
outer.latch:
  %k.next = add i32 %k, 1
  br i1 %c, label %done, label %outer
out:
  ret i32 1
done:
  ret i32 0
}
