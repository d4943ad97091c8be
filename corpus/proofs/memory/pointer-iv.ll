; The index of a sum over an array becomes a pointer that runs up to the end; n is below 2^60, so that the end is not
; met before.

define i64 @src(ptr noundef %p, i64 noundef %n) {
entry:
  %small = icmp ult i64 %n, 1152921504606846976
  br i1 %small, label %ph, label %exit

ph:
  br label %header

header:
  %i = phi i64 [ 0, %ph ], [ %i.next, %body ]
  %s = phi i64 [ 0, %ph ], [ %s.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %at
  %s.next = add i64 %s, %v
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  %r = phi i64 [ 0, %entry ], [ %s, %header ]
  ret i64 %r
}

define i64 @tgt(ptr noundef %p, i64 noundef %n) {
entry:
  %small = icmp ult i64 %n, 1152921504606846976
  br i1 %small, label %ph, label %exit

ph:
  %end = getelementptr i64, ptr %p, i64 %n
  br label %header

header:
  %q = phi ptr [ %p, %ph ], [ %q.next, %body ]
  %s = phi i64 [ 0, %ph ], [ %s.next, %body ]
  %more = icmp ne ptr %q, %end
  br i1 %more, label %body, label %exit

body:
  %v = load i64, ptr %q
  %s.next = add i64 %s, %v
  %q.next = getelementptr i64, ptr %q, i64 1
  br label %header

exit:
  %r = phi i64 [ 0, %entry ], [ %s, %header ]
  ret i64 %r
}
