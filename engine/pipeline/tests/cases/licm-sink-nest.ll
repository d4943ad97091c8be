; function(loop-simplify,lcssa),loop-mssa(licm)
; The inner loop is left out of both: what is sunk there gets a phi for what the outer loop computes, and none where the
; exit stays in the outer loop.
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
