; Two exits to one block become one test for equality with the lesser of the two bounds.

define i32 @src_i32(i32 noundef %n, i32 noundef %m) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @observe.i32(i32 noundef %i)
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %d = icmp ult i32 %i, %m
  br i1 %d, label %latch, label %exit

latch:
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt_i32(i32 noundef %n, i32 noundef %m) {
entry:
  %u = call i32 @llvm.umin.i32(i32 %n, i32 %m)
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @observe.i32(i32 noundef %i)
  %c = icmp ne i32 %i, %u
  br i1 %c, label %latch, label %exit

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %u
}

define i64 @src_i64(i64 noundef %n, i64 noundef %m) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  call void @observe.i64(i64 noundef %i)
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %d = icmp ult i64 %i, %m
  br i1 %d, label %latch, label %exit

latch:
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 %i
}

define i64 @tgt_i64(i64 noundef %n, i64 noundef %m) {
entry:
  %u = call i64 @llvm.umin.i64(i64 %n, i64 %m)
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  call void @observe.i64(i64 noundef %i)
  %c = icmp ne i64 %i, %u
  br i1 %c, label %latch, label %exit

latch:
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %u
}

declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
