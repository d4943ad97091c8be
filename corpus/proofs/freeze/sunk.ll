; A freeze is sunk into the loop: the iterations may choose differently.
; Wrong for n = 2 and a poison x: the target may observe 0 and 1.

define void @src(i32 noundef %n, i8 %x) {
entry:
  %f = freeze i8 %x
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe.i8(i8 noundef %f)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(i32 noundef %n, i8 %x) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %f = freeze i8 %x
  call void @observe.i8(i8 noundef %f)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

declare void @observe.i8(i8 noundef)
