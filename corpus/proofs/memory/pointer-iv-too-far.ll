; The index of a sum over an array becomes a pointer, with an end that lies one element too far.
; Wrong for n = 0 and p without an element: the source returns 0, the target loads.

define i64 @src(ptr %p, i64 noundef %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %at
  %s.next = add i64 %s, %v
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %s
}

define i64 @tgt(ptr %p, i64 noundef %n) {
entry:
  %n.1 = add i64 %n, 1
  %end = getelementptr i64, ptr %p, i64 %n.1
  br label %header

header:
  %q = phi ptr [ %p, %entry ], [ %q.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ne ptr %q, %end
  br i1 %more, label %body, label %exit

body:
  %v = load i64, ptr %q
  %s.next = add i64 %s, %v
  %q.next = getelementptr i64, ptr %q, i64 1
  br label %header

exit:
  ret i64 %s
}
