; A division is hoisted below the guard of a rotated loop, where the source surely divides.

define i32 @src_i32(i32 %n, i32 %a, i32 %b) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %x = udiv i32 %a, %b
  %s.next = xor i32 %s, %x
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt_i32(i32 %n, i32 %a, i32 %b) {
entry:
  %g = icmp eq i32 %n, 0
  br i1 %g, label %exit, label %preheader

preheader:
  %x = udiv i32 %a, %b
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %header ]
  %s = phi i32 [ 0, %preheader ], [ %s.next, %header ]
  %s.next = xor i32 %s, %x
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.next, %header ]
  ret i32 %r
}

define i64 @src_i64(i64 %n, i64 %a, i64 %b) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %x = udiv i64 %a, %b
  %s.next = xor i64 %s, %x
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %s
}

define i64 @tgt_i64(i64 %n, i64 %a, i64 %b) {
entry:
  %g = icmp eq i64 %n, 0
  br i1 %g, label %exit, label %preheader

preheader:
  %x = udiv i64 %a, %b
  br label %header

header:
  %i = phi i64 [ 0, %preheader ], [ %i.next, %header ]
  %s = phi i64 [ 0, %preheader ], [ %s.next, %header ]
  %s.next = xor i64 %s, %x
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i64 [ 0, %entry ], [ %s.next, %header ]
  ret i64 %r
}
