; A loop with two latches becomes a nest: one latch is the inner loop's, the other the outer one's.

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
  br label %outer

outer:
  %i.outer = phi i32 [ 0, %entry ], [ %i.by.two, %two ]
  br label %header

header:
  %i = phi i32 [ %i.outer, %outer ], [ %i.by.one, %one ]
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
  br label %outer

exit:
  ret i32 %i
}

declare i32 @llvm.umin.i32(i32, i32)
declare noundef i32 @answer(i32 noundef)
