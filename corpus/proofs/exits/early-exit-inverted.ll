; An early exit whose test on the counter can only fire behind a known iteration becomes the bound of the loop; which
; exit was meant is asked behind it.

define i32 @src(i32 noundef %n, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %stop = icmp uge i32 %i, %k
  br i1 %stop, label %early, label %latch

latch:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

early:
  ret i32 %i

exit:
  ret i32 -1
}

define i32 @tgt(i32 noundef %n, i32 noundef %k) {
entry:
  %bound = call i32 @llvm.umin.i32(i32 %n, i32 %k)
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %bound
  br i1 %c, label %latch, label %leave

latch:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

leave:
  %was.early = icmp ult i32 %k, %n
  br i1 %was.early, label %early, label %exit

early:
  ret i32 %k

exit:
  ret i32 -1
}

declare i32 @llvm.umin.i32(i32, i32)
declare void @observe(i32 noundef)
