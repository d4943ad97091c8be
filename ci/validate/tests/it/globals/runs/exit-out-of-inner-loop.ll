; An inner loop with an exit that also leaves the outer loop.
; judged x: keeps !invariant.load

define void @src_x(ptr noundef dereferenceable(80) align 8 %p) {
entry:
  %q = alloca i8, align 1
  %p5 = getelementptr i64, ptr %p, i64 2
  store i64 1, ptr %p5, align 8
  store i8 1, ptr %q, align 1
  br label %oh
oh:
  %i = phi i64 [ 0, %entry ], [ %i1, %ol ]
  br label %h2
h2:
  %m = load i8, ptr %q, align 1
  %c2 = icmp eq i8 %m, 1
  br i1 %c2, label %b, label %ol
b:
  store i8 0, ptr %q, align 1
  %x = icmp eq i64 %i, 1
  br i1 %x, label %exit, label %h2
ol:
  %g = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %g, align 8, !invariant.load !0
  store i8 1, ptr %q, align 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, 4
  br i1 %c, label %oh, label %exit
exit:
  ret void
}
define void @tgt_x(ptr noundef dereferenceable(80) align 8 %p) {
entry:
  %q = alloca i8, align 1
  %p5 = getelementptr i64, ptr %p, i64 2
  store i64 1, ptr %p5, align 8
  store i8 1, ptr %q, align 1
  br label %oh
oh:
  %i = phi i64 [ 0, %entry ], [ %i1, %ol ]
  br label %h2
h2:
  %m = load i8, ptr %q, align 1
  %c2 = icmp eq i8 %m, 1
  br i1 %c2, label %b, label %ol
b:
  store i8 0, ptr %q, align 1
  %x = icmp eq i64 %i, 100
  br i1 %x, label %exit, label %h2
ol:
  %g = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %g, align 8, !invariant.load !0
  store i8 1, ptr %q, align 1
  %i1 = add nuw i64 %i, 1
  %c = icmp ult i64 %i1, 4
  br i1 %c, label %oh, label %exit
exit:
  ret void
}
!0 = !{}
