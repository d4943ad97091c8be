; Unrolled by two with the odd iteration in front.

define i32 @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n) {
entry:
  %odd = and i32 %n, 1
  %is.odd = icmp ne i32 %odd, 0
  br i1 %is.odd, label %first, label %preheader

first:
  %zero = sub i32 %odd, %odd
  call void @observe(i32 noundef %zero)
  br label %preheader

preheader:
  %start = phi i32 [ 0, %entry ], [ 1, %first ]
  br label %header

header:
  %i = phi i32 [ %start, %preheader ], [ %i.2, %body ]
  %more = icmp ne i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %i.1 = add nuw i32 %i, 1
  call void @observe(i32 noundef %i.1)
  %i.2 = add nuw i32 %i, 2
  br label %header

exit:
  ret i32 %i
}

declare void @observe(i32 noundef)
