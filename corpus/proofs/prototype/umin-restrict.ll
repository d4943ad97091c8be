; A condition on the counter within the loop becomes its bound: the loop ends at the lesser of both.

define i32 @src_i32(i32 noundef %n, i32 noundef %a) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %d = icmp ult i32 %i, %a
  br i1 %d, label %then, label %latch

then:
  call void @observe.i32(i32 noundef %i)
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 0
}

define i32 @tgt_i32(i32 noundef %n, i32 noundef %a) {
entry:
  %u = call i32 @llvm.umin.i32(i32 %n, i32 %a)
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %then ]
  %c = icmp ult i32 %i, %u
  br i1 %c, label %then, label %exit

then:
  call void @observe.i32(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 0
}

define i64 @src_i64(i64 noundef %n, i64 noundef %a) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %d = icmp ult i64 %i, %a
  br i1 %d, label %then, label %latch

then:
  call void @observe.i64(i64 noundef %i)
  br label %latch

latch:
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 0
}

define i64 @tgt_i64(i64 noundef %n, i64 noundef %a) {
entry:
  %u = call i64 @llvm.umin.i64(i64 %n, i64 %a)
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %then ]
  %c = icmp ult i64 %i, %u
  br i1 %c, label %then, label %exit

then:
  call void @observe.i64(i64 noundef %i)
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 0
}

declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
