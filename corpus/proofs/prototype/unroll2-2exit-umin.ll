; Two exits, both with a known count: the iterations before the lesser of the two are unrolled by two without tests,
; the rest runs as before.

define i32 @src_i32(i32 noundef %n, i32 noundef %m) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  call void @observe.i32(i32 noundef %i)
  %c2 = icmp ult i32 %i, %m
  br i1 %c2, label %latch, label %rest.exit

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i

rest.exit:
  ret i32 -1
}

define i32 @tgt_i32(i32 noundef %n, i32 noundef %m) {
entry:
  %bt = call i32 @llvm.umin.i32(i32 %n, i32 %m)
  %rem = and i32 %bt, 1
  %nv = sub i32 %bt, %rem
  %g = icmp eq i32 %nv, 0
  br i1 %g, label %rest, label %preheader

preheader:
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i2, %header ]
  call void @observe.i32(i32 noundef %i)
  %i1 = add nuw i32 %i, 1
  call void @observe.i32(i32 noundef %i1)
  %i2 = add nuw i32 %i, 2
  %c = icmp ne i32 %i2, %nv
  br i1 %c, label %header, label %middle

middle:
  br label %rest

rest:
  %e0 = phi i32 [ 0, %entry ], [ %nv, %middle ]
  br label %rest.header

rest.header:
  %j = phi i32 [ %e0, %rest ], [ %j.next, %rest.latch ]
  %d = icmp ult i32 %j, %n
  br i1 %d, label %rest.body, label %exit

rest.body:
  call void @observe.i32(i32 noundef %j)
  %d2 = icmp ult i32 %j, %m
  br i1 %d2, label %rest.latch, label %rest.exit

rest.latch:
  %j.next = add nuw i32 %j, 1
  br label %rest.header

exit:
  ret i32 %j

rest.exit:
  ret i32 -1
}

define i64 @src_i64(i64 noundef %n, i64 noundef %m) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  call void @observe.i64(i64 noundef %i)
  %c2 = icmp ult i64 %i, %m
  br i1 %c2, label %latch, label %rest.exit

latch:
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %i

rest.exit:
  ret i64 -1
}

define i64 @tgt_i64(i64 noundef %n, i64 noundef %m) {
entry:
  %bt = call i64 @llvm.umin.i64(i64 %n, i64 %m)
  %rem = and i64 %bt, 1
  %nv = sub i64 %bt, %rem
  %g = icmp eq i64 %nv, 0
  br i1 %g, label %rest, label %preheader

preheader:
  br label %header

header:
  %i = phi i64 [ 0, %preheader ], [ %i2, %header ]
  call void @observe.i64(i64 noundef %i)
  %i1 = add nuw i64 %i, 1
  call void @observe.i64(i64 noundef %i1)
  %i2 = add nuw i64 %i, 2
  %c = icmp ne i64 %i2, %nv
  br i1 %c, label %header, label %middle

middle:
  br label %rest

rest:
  %e0 = phi i64 [ 0, %entry ], [ %nv, %middle ]
  br label %rest.header

rest.header:
  %j = phi i64 [ %e0, %rest ], [ %j.next, %rest.latch ]
  %d = icmp ult i64 %j, %n
  br i1 %d, label %rest.body, label %exit

rest.body:
  call void @observe.i64(i64 noundef %j)
  %d2 = icmp ult i64 %j, %m
  br i1 %d2, label %rest.latch, label %rest.exit

rest.latch:
  %j.next = add nuw i64 %j, 1
  br label %rest.header

exit:
  ret i64 %j

rest.exit:
  ret i64 -1
}

declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
