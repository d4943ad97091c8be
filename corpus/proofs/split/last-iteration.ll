; The last iteration is split off: there a branch on the counter is decided.

define void @src(i32 noundef %n) {
entry:
  %last = sub i32 %n, 1
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %is.last = icmp eq i32 %i, %last
  br i1 %is.last, label %end, label %middle

end:
  %neg = sub i32 0, %i
  call void @observe(i32 noundef %neg)
  br label %latch

middle:
  call void @observe(i32 noundef %i)
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(i32 noundef %n) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %preheader

preheader:
  %last = sub nuw i32 %n, 1
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %middle ]
  %more = icmp ult i32 %i, %last
  br i1 %more, label %middle, label %end

middle:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

end:
  %neg = sub i32 0, %last
  call void @observe(i32 noundef %neg)
  br label %exit

exit:
  ret void
}

declare void @observe(i32 noundef)
