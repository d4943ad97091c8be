; Loads of other states of memory: before and after a diamond that writes, and before the last but one write.
; judged diamond1: keeps !invariant.load
; judged last: keeps !invariant.load

define void @src_diamond1(ptr noundef %p, ptr noundef %q, i1 noundef %c) {
entry:
  %p5 = getelementptr i64, ptr %p, i64 5
  store i64 1, ptr %p5, align 8
  %v = load i64, ptr %q, align 8
  %g = getelementptr i64, ptr %p, i64 %v
  %x = load i64, ptr %g, align 8, !invariant.load !0
  br i1 %c, label %a, label %j
a:
  store i64 5, ptr %q, align 8
  br label %j
j:
  ret void
}
define void @tgt_diamond1(ptr noundef %p, ptr noundef %q, i1 noundef %c) {
entry:
  %p5 = getelementptr i64, ptr %p, i64 5
  store i64 1, ptr %p5, align 8
  br i1 %c, label %a, label %j
a:
  store i64 5, ptr %q, align 8
  br label %j
j:
  %v = load i64, ptr %q, align 8
  %g = getelementptr i64, ptr %p, i64 %v
  %x = load i64, ptr %g, align 8, !invariant.load !0
  ret void
}
define void @src_last(ptr noundef %p, ptr noundef %q, ptr noundef %r) {
  %p2 = getelementptr i64, ptr %p, i64 2
  store i64 1, ptr %p2, align 8
  store i64 1, ptr %q, align 8
  store i64 7, ptr %r, align 8
  %v = load i64, ptr %q, align 8
  %g = getelementptr i64, ptr %p, i64 %v
  %x = load i64, ptr %g, align 8, !invariant.load !0
  store i64 2, ptr %q, align 8
  store i64 7, ptr %r, align 8
  ret void
}
define void @tgt_last(ptr noundef %p, ptr noundef %q, ptr noundef %r) {
  %p2 = getelementptr i64, ptr %p, i64 2
  store i64 1, ptr %p2, align 8
  store i64 1, ptr %q, align 8
  store i64 7, ptr %r, align 8
  store i64 2, ptr %q, align 8
  store i64 7, ptr %r, align 8
  %v = load i64, ptr %q, align 8
  %g = getelementptr i64, ptr %p, i64 %v
  %x = load i64, ptr %g, align 8, !invariant.load !0
  ret void
}
!0 = !{}
