; A cell that a top-tested loop updates is kept in a register: loaded below the guard, stored behind the last
; iteration.

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
  %some = icmp ne i32 %n, 0
  br i1 %some, label %preheader, label %exit

preheader:
  %v.0 = load i32, ptr %p
  br label %body

body:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %body ]
  %v = phi i32 [ %v.0, %preheader ], [ %w, %body ]
  %w = add i32 %v, %i
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %body, label %after

after:
  store i32 %w, ptr %p
  br label %exit

exit:
  ret void
}
