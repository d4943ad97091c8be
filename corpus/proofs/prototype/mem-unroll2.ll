; Incrementing the elements of an array, unrolled by two with both exit tests kept.

define i32 @src_i32(i32 noundef %n, ptr noundef %p) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %q = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %q, !noundef !0
  %w = add i32 %v, 1
  store i32 %w, ptr %q
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 0
}

define i32 @tgt_i32(i32 noundef %n, ptr noundef %p) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i2, %body.1 ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %q = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %q, !noundef !0
  %w = add i32 %v, 1
  store i32 %w, ptr %q
  %i1 = add nuw i32 %i, 1
  %c2 = icmp ult i32 %i1, %n
  br i1 %c2, label %body.1, label %exit

body.1:
  %q2 = getelementptr i32, ptr %p, i32 %i1
  %v2 = load i32, ptr %q2, !noundef !0
  %w2 = add i32 %v2, 1
  store i32 %w2, ptr %q2
  %i2 = add nuw i32 %i, 2
  br label %header

exit:
  ret i32 0
}

define i64 @src_i64(i64 noundef %n, ptr noundef %p) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %q = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %q, !noundef !0
  %w = add i64 %v, 1
  store i64 %w, ptr %q
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 0
}

define i64 @tgt_i64(i64 noundef %n, ptr noundef %p) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i2, %body.1 ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %q = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %q, !noundef !0
  %w = add i64 %v, 1
  store i64 %w, ptr %q
  %i1 = add nuw i64 %i, 1
  %c2 = icmp ult i64 %i1, %n
  br i1 %c2, label %body.1, label %exit

body.1:
  %q2 = getelementptr i64, ptr %p, i64 %i1
  %v2 = load i64, ptr %q2, !noundef !0
  %w2 = add i64 %v2, 1
  store i64 %w2, ptr %q2
  %i2 = add nuw i64 %i, 2
  br label %header

exit:
  ret i64 0
}

!0 = !{}
