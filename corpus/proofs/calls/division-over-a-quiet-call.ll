; A division is hoisted over a call that does return and touches nothing.

define i32 @src(i32 noundef %n, i32 noundef %a, i32 noundef %b) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %ph, label %exit

ph:
  br label %body

body:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %s = phi i32 [ 0, %ph ], [ %s.next, %body ]
  call void @quiet(i32 noundef %i)
  %q = udiv i32 %a, %b
  %s.next = add i32 %s, %q
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.next, %body ]
  ret i32 %r
}

define i32 @tgt(i32 noundef %n, i32 noundef %a, i32 noundef %b) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %ph, label %exit

ph:
  %q = udiv i32 %a, %b
  br label %body

body:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %s = phi i32 [ 0, %ph ], [ %s.next, %body ]
  call void @quiet(i32 noundef %i)
  %s.next = add i32 %s, %q
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.next, %body ]
  ret i32 %r
}

declare void @quiet(i32 noundef) memory(none) nounwind willreturn
