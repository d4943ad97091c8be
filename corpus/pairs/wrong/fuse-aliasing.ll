; Two loops fused although the second reads what the first writes further on.

define i32 @src(ptr %a, i32 %n) {
entry:
  br label %first

first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first ]
  %a.at = getelementptr inbounds i8, ptr %a, i32 %i
  store i8 9, ptr %a.at
  %i.next = add nuw i32 %i, 1
  %first.more = icmp ult i32 %i.next, 3
  br i1 %first.more, label %first, label %second

second:
  %j = phi i32 [ 0, %first ], [ %j.next, %second ]
  %s = phi i32 [ 0, %first ], [ %s.next, %second ]
  %j.next = add nuw i32 %j, 1
  %ahead = urem i32 %j.next, 3
  %b.at = getelementptr inbounds i8, ptr %a, i32 %ahead
  %v = load i8, ptr %b.at
  %w = zext i8 %v to i32
  %s.next = add i32 %s, %w
  %second.more = icmp ult i32 %j.next, 3
  br i1 %second.more, label %second, label %exit

exit:
  ret i32 %s.next
}

define i32 @tgt(ptr %a, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds i8, ptr %a, i32 %i
  store i8 9, ptr %a.at
  %i.next = add nuw i32 %i, 1
  %ahead = urem i32 %i.next, 3
  %b.at = getelementptr inbounds i8, ptr %a, i32 %ahead
  %v = load i8, ptr %b.at
  %w = zext i8 %v to i32
  %s.next = add i32 %s, %w
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
