; loop-peel<last>
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %v = load volatile i1, ptr %p
  br i1 %v, label %loop, label %out
out:
  ret void
}
