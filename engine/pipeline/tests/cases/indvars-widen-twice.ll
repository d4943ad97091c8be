; function(loop-simplify,lcssa),indvars
; The first counter becomes a truncation of the second, which therefore stays as it is.
define void @f(ptr %a, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %j = phi i16 [ 0, %entry ], [ %j.next, %loop ]
  %i.w = zext i8 %i to i16
  %j.w = zext i16 %j to i64
  %p = getelementptr inbounds i16, ptr %a, i64 %j.w
  store i16 %i.w, ptr %p
  %i.next = add nuw i8 %i, 1
  %j.next = add nuw i16 %j, 1
  %c = icmp eq i8 %i.next, %n
  br i1 %c, label %out, label %loop
out:
  ret void
}
