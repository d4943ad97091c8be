; Unrolled by four, but the epilogue is entered though nothing may be left for it.
; Wrong for n = 4: the target asks for a fifth answer.

define i32 @src_i32(i32 %n, i32 noundef %q) {
entry:
  %g = icmp eq i32 %n, 0
  br i1 %g, label %exit, label %preheader

preheader:
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %header ]
  %s = phi i32 [ 0, %preheader ], [ %s.next, %header ]
  %v = call noundef i32 @answer.i32(i32 noundef %i)
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.next, %header ]
  ret i32 %r
}

define i32 @tgt_i32(i32 %n, i32 noundef %q) {
entry:
  %g = icmp eq i32 %n, 0
  br i1 %g, label %exit, label %compute

compute:
  %rem = urem i32 %n, 4
  %nv = sub i32 %n, %rem
  %g2 = icmp eq i32 %nv, 0
  br i1 %g2, label %rest.preheader, label %preheader

preheader:
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i4, %header ]
  %s = phi i32 [ 0, %preheader ], [ %s4, %header ]
  %v1 = call noundef i32 @answer.i32(i32 noundef %i)
  %s1 = add i32 %s, %v1
  %i1 = add nuw i32 %i, 1
  %v2 = call noundef i32 @answer.i32(i32 noundef %i1)
  %s2 = add i32 %s1, %v2
  %i2 = add nuw i32 %i, 2
  %v3 = call noundef i32 @answer.i32(i32 noundef %i2)
  %s3 = add i32 %s2, %v3
  %i3 = add nuw i32 %i, 3
  %v4 = call noundef i32 @answer.i32(i32 noundef %i3)
  %s4 = add i32 %s3, %v4
  %i4 = add nuw i32 %i, 4
  %c = icmp ne i32 %i4, %nv
  br i1 %c, label %header, label %middle

middle:
  br label %rest.preheader

rest.preheader:
  %ei = phi i32 [ 0, %compute ], [ %i4, %middle ]
  %es = phi i32 [ 0, %compute ], [ %s4, %middle ]
  br label %rest

rest:
  %j = phi i32 [ %ei, %rest.preheader ], [ %j.next, %rest ]
  %t = phi i32 [ %es, %rest.preheader ], [ %t.next, %rest ]
  %w = call noundef i32 @answer.i32(i32 noundef %j)
  %t.next = add i32 %t, %w
  %j.next = add nuw i32 %j, 1
  %d = icmp ult i32 %j.next, %n
  br i1 %d, label %rest, label %rest.exit

rest.exit:
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %t.next, %rest.exit ]
  ret i32 %r
}

define i64 @src_i64(i64 %n, i64 noundef %q) {
entry:
  %g = icmp eq i64 %n, 0
  br i1 %g, label %exit, label %preheader

preheader:
  br label %header

header:
  %i = phi i64 [ 0, %preheader ], [ %i.next, %header ]
  %s = phi i64 [ 0, %preheader ], [ %s.next, %header ]
  %v = call noundef i64 @answer.i64(i64 noundef %i)
  %s.next = add i64 %s, %v
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i64 [ 0, %entry ], [ %s.next, %header ]
  ret i64 %r
}

define i64 @tgt_i64(i64 %n, i64 noundef %q) {
entry:
  %g = icmp eq i64 %n, 0
  br i1 %g, label %exit, label %compute

compute:
  %rem = urem i64 %n, 4
  %nv = sub i64 %n, %rem
  %g2 = icmp eq i64 %nv, 0
  br i1 %g2, label %rest.preheader, label %preheader

preheader:
  br label %header

header:
  %i = phi i64 [ 0, %preheader ], [ %i4, %header ]
  %s = phi i64 [ 0, %preheader ], [ %s4, %header ]
  %v1 = call noundef i64 @answer.i64(i64 noundef %i)
  %s1 = add i64 %s, %v1
  %i1 = add nuw i64 %i, 1
  %v2 = call noundef i64 @answer.i64(i64 noundef %i1)
  %s2 = add i64 %s1, %v2
  %i2 = add nuw i64 %i, 2
  %v3 = call noundef i64 @answer.i64(i64 noundef %i2)
  %s3 = add i64 %s2, %v3
  %i3 = add nuw i64 %i, 3
  %v4 = call noundef i64 @answer.i64(i64 noundef %i3)
  %s4 = add i64 %s3, %v4
  %i4 = add nuw i64 %i, 4
  %c = icmp ne i64 %i4, %nv
  br i1 %c, label %header, label %middle

middle:
  br label %rest.preheader

rest.preheader:
  %ei = phi i64 [ 0, %compute ], [ %i4, %middle ]
  %es = phi i64 [ 0, %compute ], [ %s4, %middle ]
  br label %rest

rest:
  %j = phi i64 [ %ei, %rest.preheader ], [ %j.next, %rest ]
  %t = phi i64 [ %es, %rest.preheader ], [ %t.next, %rest ]
  %w = call noundef i64 @answer.i64(i64 noundef %j)
  %t.next = add i64 %t, %w
  %j.next = add nuw i64 %j, 1
  %d = icmp ult i64 %j.next, %n
  br i1 %d, label %rest, label %rest.exit

rest.exit:
  br label %exit

exit:
  %r = phi i64 [ 0, %entry ], [ %t.next, %rest.exit ]
  ret i64 %r
}

declare noundef i32 @answer.i32(i32 noundef)
declare noundef i64 @answer.i64(i64 noundef)
