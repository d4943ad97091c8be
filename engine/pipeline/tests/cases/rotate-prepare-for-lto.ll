; loop-rotate<prepare-for-lto>
declare void @g()
declare i1 @more(i32)
declare i1 @never(i32) noinline
declare float @sqrtf(float)
declare i32 @llvm.umin.i32(i32, i32)

; The call may be inlined later, so the loop is not rotated.
define void @inlinable(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = call i1 @more(i32 %i)
  br i1 %c, label %body, label %exit
body:
  call void @g()
  %i.next = add i32 %i, 1
  br label %loop
exit:
  ret void
}

; This call must not be inlined.
define void @noinline(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = call i1 @never(i32 %i)
  br i1 %c, label %body, label %exit
body:
  call void @g()
  %i.next = add i32 %i, 1
  br label %loop
exit:
  ret void
}

; Neither are these, which become instructions.
define void @instructions(i32 %n, float %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %r = call float @sqrtf(float %x)
  %least = call i32 @llvm.umin.i32(i32 %i, i32 7)
  %c = icmp ult i32 %least, %n
  br i1 %c, label %body, label %exit
body:
  call void @g()
  %i.next = add i32 %i, 1
  br label %loop
exit:
  ret void
}
