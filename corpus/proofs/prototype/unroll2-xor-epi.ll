; A loop that toggles x between two values is unrolled by two: within the pair x needs no phi; an odd iteration
; follows.

define i32 @src_i32(i32 noundef %n, i32 noundef %a, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  %x = phi i32 [ %a, %entry ], [ %x.next, %header ]
  call void @observe.i32(i32 noundef %x)
  %x.next = xor i32 %x, %k
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i32 %x.next
}

define i32 @tgt_i32(i32 noundef %n, i32 noundef %a, i32 noundef %k) {
entry:
  %nf = call i32 @llvm.umax.i32(i32 %n, i32 1)
  %rem = and i32 %nf, 1
  %nv = sub i32 %nf, %rem
  %g = icmp eq i32 %nv, 0
  br i1 %g, label %rest.preheader, label %preheader

preheader:
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i2, %header ]
  call void @observe.i32(i32 noundef %a)
  %x.next = xor i32 %a, %k
  call void @observe.i32(i32 noundef %x.next)
  %i2 = add nuw i32 %i, 2
  %c = icmp ne i32 %i2, %nv
  br i1 %c, label %header, label %middle

middle:
  %e0 = icmp eq i32 %rem, 0
  br i1 %e0, label %exit, label %rest.preheader

rest.preheader:
  call void @observe.i32(i32 noundef %a)
  %xe = xor i32 %a, %k
  br label %exit

exit:
  %r = phi i32 [ %a, %middle ], [ %xe, %rest.preheader ]
  ret i32 %r
}

define i64 @src_i64(i64 noundef %n, i64 noundef %a, i64 noundef %k) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %header ]
  %x = phi i64 [ %a, %entry ], [ %x.next, %header ]
  call void @observe.i64(i64 noundef %x)
  %x.next = xor i64 %x, %k
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i64 %x.next
}

define i64 @tgt_i64(i64 noundef %n, i64 noundef %a, i64 noundef %k) {
entry:
  %nf = call i64 @llvm.umax.i64(i64 %n, i64 1)
  %rem = and i64 %nf, 1
  %nv = sub i64 %nf, %rem
  %g = icmp eq i64 %nv, 0
  br i1 %g, label %rest.preheader, label %preheader

preheader:
  br label %header

header:
  %i = phi i64 [ 0, %preheader ], [ %i2, %header ]
  call void @observe.i64(i64 noundef %a)
  %x.next = xor i64 %a, %k
  call void @observe.i64(i64 noundef %x.next)
  %i2 = add nuw i64 %i, 2
  %c = icmp ne i64 %i2, %nv
  br i1 %c, label %header, label %middle

middle:
  %e0 = icmp eq i64 %rem, 0
  br i1 %e0, label %exit, label %rest.preheader

rest.preheader:
  call void @observe.i64(i64 noundef %a)
  %xe = xor i64 %a, %k
  br label %exit

exit:
  %r = phi i64 [ %a, %middle ], [ %xe, %rest.preheader ]
  ret i64 %r
}

declare i32 @llvm.umax.i32(i32, i32)
declare i64 @llvm.umax.i64(i64, i64)
declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
