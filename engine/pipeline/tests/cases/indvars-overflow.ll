; loop(indvars)
; Operations that can't overflow become plain arithmetic: the sum in @f stays below 1000, and the product below a
; million. The sum in @g may overflow: the branch after it constrains only other iterations.
declare void @use(i32)
declare {i32, i1} @llvm.sadd.with.overflow.i32(i32, i32)
declare {i32, i1} @llvm.umul.with.overflow.i32(i32, i32)
define void @f() {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %i1, %la ]
  %s = call {i32, i1} @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %i1 = extractvalue {i32, i1} %s, 0
  %ov = extractvalue {i32, i1} %s, 1
  br i1 %ov, label %t, label %la
la:
  %m = call {i32, i1} @llvm.umul.with.overflow.i32(i32 %i, i32 %i)
  %m0 = extractvalue {i32, i1} %m, 0
  %m1 = extractvalue {i32, i1} %m, 1
  %z = zext i1 %m1 to i32
  %u = add i32 %m0, %z
  call void @use(i32 %u)
  %c = icmp ult i32 %i1, 1000
  br i1 %c, label %l, label %x
t:
  unreachable
x:
  ret void
}
define void @g(i32 %n) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %i1, %la ]
  %s = call {i32, i1} @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %i1 = extractvalue {i32, i1} %s, 0
  %ov = extractvalue {i32, i1} %s, 1
  br i1 %ov, label %t, label %la
la:
  call void @use(i32 %i1)
  %c = icmp eq i32 %i1, %n
  br i1 %c, label %x, label %l
t:
  call void @use(i32 -1)
  br label %x
x:
  ret void
}
