; A loop with two latches gets one of them, but both ways advance the counter by 1.
; Wrong for n = 2, where the answers are not 0: the target asks twice.

define i32 @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.by.one, %one ], [ %i.by.two, %two ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %v = call noundef i32 @answer(i32 noundef %i)
  %c = icmp eq i32 %v, 0
  br i1 %c, label %one, label %two

one:
  %i.by.one = add nuw i32 %i, 1
  br label %header

two:
  %room = sub i32 %n, %i
  %step = call i32 @llvm.umin.i32(i32 %room, i32 2)
  %i.by.two = add nuw i32 %i, %step
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %v = call noundef i32 @answer(i32 noundef %i)
  %c = icmp eq i32 %v, 0
  br i1 %c, label %latch, label %two

two:
  %room = sub i32 %n, %i
  %step.two = call i32 @llvm.umin.i32(i32 %room, i32 2)
  br label %latch

latch:
  %step = phi i32 [ 1, %body ], [ 1, %two ]
  %i.next = add nuw i32 %i, %step
  br label %header

exit:
  ret i32 %i
}

declare i32 @llvm.umin.i32(i32, i32)
declare noundef i32 @answer(i32 noundef)
