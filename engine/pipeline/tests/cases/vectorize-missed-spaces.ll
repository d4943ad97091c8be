; loop-vectorize<force-vector-width=4>
define void @f(ptr %a, ptr addrspace(1) %b, i64 %n) {
entry:
  br label %in
in:
  %j = phi i64 [ 0, %entry ], [ %j1, %in ]
  %p = getelementptr i32, ptr addrspace(1) %b, i64 %j
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr %a, i64 %j
  store i32 %v, ptr %q
  %j1 = add nuw nsw i64 %j, 1
  %c = icmp eq i64 %j1, 1024
  br i1 %c, label %e, label %in
e:
  ret void
}
