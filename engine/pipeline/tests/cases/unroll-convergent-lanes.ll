; loop-unroll<partial;count=2>
declare i32 @ballot(i32) convergent memory(none) willreturn nounwind
declare void @use(i32)

define void @f(ptr %p) convergent {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %in, %l ]
  %q = lshr i32 %i, 1
  %x = call i32 @ballot(i32 %q) convergent
  call void @use(i32 %x)
  %v = load volatile i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %x1, label %l
l:
  %in = add nuw nsw i32 %i, 1
  %d = icmp ne i32 %in, 16
  br i1 %d, label %h, label %x1
x1:
  ret void
}
