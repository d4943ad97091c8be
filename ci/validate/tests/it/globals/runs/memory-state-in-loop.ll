; A load in a loop that writes, and one before the loop.
; judged loop: keeps !invariant.load

define void @src_loop(ptr noundef %p, ptr noundef %q, i64 noundef %n) {
entry:
  %v = load i64, ptr %q, align 8
  %g = getelementptr i64, ptr %p, i64 %v
  %x = load i64, ptr %g, align 8, !invariant.load !0
  br label %h
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %h ]
  %w = load i64, ptr %q, align 8
  %gw = getelementptr i64, ptr %p, i64 %w
  store i64 1, ptr %gw, align 8
  %i1 = add nuw i64 %i, 1
  store i64 %i1, ptr %q, align 8
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %h, label %done
done:
  ret void
}
define void @tgt_loop(ptr noundef %p, ptr noundef %q, i64 noundef %n) {
entry:
  br label %h
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %h ]
  %v = load i64, ptr %q, align 8
  %g = getelementptr i64, ptr %p, i64 %v
  %x = load i64, ptr %g, align 8, !invariant.load !0
  %w = load i64, ptr %q, align 8
  %gw = getelementptr i64, ptr %p, i64 %w
  store i64 1, ptr %gw, align 8
  %i1 = add nuw i64 %i, 1
  store i64 %i1, ptr %q, align 8
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %h, label %done
done:
  ret void
}
!0 = !{}
