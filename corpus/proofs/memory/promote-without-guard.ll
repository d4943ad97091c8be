; A cell that a top-tested loop updates is kept in a register without a guard.
; Wrong for n = 0 and a null p: the source touches nothing.

define void @src(ptr %p, i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %v = load i32, ptr %p
  %w = add i32 %v, %i
  store i32 %w, ptr %p
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(ptr %p, i32 noundef %n) {
entry:
  %v.0 = load i32, ptr %p
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %v = phi i32 [ %v.0, %entry ], [ %w, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %w = add i32 %v, %i
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  store i32 %v, ptr %p
  ret void
}
