; A poison-generating flag before a `freeze`.
; judged flags: keeps !invariant.load

define void @src_flags(ptr noundef dereferenceable(8) align 8 %p, i8 noundef %a) {
entry:
  store i64 1, ptr %p, align 8
  %s = add i8 %a, 1
  %f = freeze i8 %s
  %c = icmp eq i8 %f, -128
  br i1 %c, label %j, label %k
k:
  %c2 = icmp eq i8 %f, 5
  br i1 %c2, label %a1, label %j
a1:
  %x = load i64, ptr %p, align 8, !invariant.load !0
  br label %j
j:
  ret void
}
define void @tgt_flags(ptr noundef dereferenceable(8) align 8 %p, i8 noundef %a) {
entry:
  store i64 1, ptr %p, align 8
  %s = add nsw i8 %a, 1
  %f = freeze i8 %s
  %c = icmp eq i8 %f, -128
  br i1 %c, label %j, label %k
k:
  %c2 = icmp eq i8 %f, 5
  br i1 %c2, label %a1, label %j
a1:
  %x = load i64, ptr %p, align 8, !invariant.load !0
  br label %j
j:
  ret void
}
!0 = !{}
