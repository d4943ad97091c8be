define i8 @f(i8 %a, i8 %n) {
entry:
  br label %head

head:
  %i = phi i8 [ %n, %entry ], [ %i.next, %body ]
  %found = icmp sgt i8 %i, 0
  br i1 %found, label %early, label %body

body:
  %i.next = sub nuw i8 %i, 1
  %more = icmp ugt i8 %i, 0
  br i1 %more, label %head, label %late

early:
  ret i8 0

late:
  ret i8 %a
}
