; loop-idiom
; Non-integral pointers are not copied as bytes.
target datalayout = "ni:1"
define void @f(ptr noalias %p, ptr noalias %q) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %a = getelementptr ptr addrspace(1), ptr %p, i64 %i
  %b = getelementptr ptr addrspace(1), ptr %q, i64 %i
  %v = load ptr addrspace(1), ptr %a, align 8
  store ptr addrspace(1) %v, ptr %b, align 8
  %j = add nuw i64 %i, 1
  %d = icmp eq i64 %j, 64
  br i1 %d, label %x, label %l
x:
  ret void
}
