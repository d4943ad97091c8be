; Every run takes 5,000 iterations: a bounded check sees none of them to its end, and must not call that a proof.

define void @src(ptr %p) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %q = getelementptr i8, ptr %p, i32 %i
  store i8 1, ptr %q
  %j = add nuw nsw i32 %i, 1
  %c = icmp eq i32 %j, 5000
  br i1 %c, label %e, label %l
e:
  ret void
}
define void @tgt(ptr %p) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %q = getelementptr i8, ptr %p, i32 %i
  store i8 2, ptr %q
  %j = add nuw nsw i32 %i, 1
  %c = icmp eq i32 %j, 5000
  br i1 %c, label %e, label %l
e:
  ret void
}
