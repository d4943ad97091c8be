; The product 12·i becomes the only induction variable: the exit test compares it with 12·n, which can't wrap as n <
; 20. (The limits are too wide for integers of four bits.)

define i32 @src_i32(i32 %n) {
entry:
  %g = icmp ult i32 %n, 20
  br i1 %g, label %preheader, label %exit

preheader:
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %m = mul i32 %i, 12
  call void @observe.i32(i32 noundef %m)
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 0
}

define i32 @tgt_i32(i32 %n) {
entry:
  %g = icmp ult i32 %n, 20
  br i1 %g, label %preheader, label %exit

preheader:
  %lim = mul i32 %n, 12
  br label %header

header:
  %m = phi i32 [ 0, %preheader ], [ %m.next, %body ]
  %c = icmp ne i32 %m, %lim
  br i1 %c, label %body, label %exit

body:
  call void @observe.i32(i32 noundef %m)
  %m.next = add nuw i32 %m, 12
  br label %header

exit:
  ret i32 0
}

define i64 @src_i64(i64 %n) {
entry:
  %g = icmp ult i64 %n, 20
  br i1 %g, label %preheader, label %exit

preheader:
  br label %header

header:
  %i = phi i64 [ 0, %preheader ], [ %i.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %m = mul i64 %i, 12
  call void @observe.i64(i64 noundef %m)
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 0
}

define i64 @tgt_i64(i64 %n) {
entry:
  %g = icmp ult i64 %n, 20
  br i1 %g, label %preheader, label %exit

preheader:
  %lim = mul i64 %n, 12
  br label %header

header:
  %m = phi i64 [ 0, %preheader ], [ %m.next, %body ]
  %c = icmp ne i64 %m, %lim
  br i1 %c, label %body, label %exit

body:
  call void @observe.i64(i64 noundef %m)
  %m.next = add nuw i64 %m, 12
  br label %header

exit:
  ret i64 0
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
