; Two loops over the same range are fused; their arrays do not alias.

define void @src(ptr noalias %a, ptr noalias %b, i32 %n) {
entry:
  br label %first

first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first.body ]
  %first.more = icmp ult i32 %i, %n
  br i1 %first.more, label %first.body, label %second.preheader

first.body:
  %a.at = getelementptr inbounds i8, ptr %a, i32 %i
  %t = trunc i32 %i to i8
  store i8 %t, ptr %a.at
  %i.next = add nuw i32 %i, 1
  br label %first

second.preheader:
  br label %second

second:
  %j = phi i32 [ 0, %second.preheader ], [ %j.next, %second.body ]
  %second.more = icmp ult i32 %j, %n
  br i1 %second.more, label %second.body, label %exit

second.body:
  %b.at = getelementptr inbounds i8, ptr %b, i32 %j
  store i8 1, ptr %b.at
  %j.next = add nuw i32 %j, 1
  br label %second

exit:
  ret void
}

define void @tgt(ptr noalias %a, ptr noalias %b, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %a.at = getelementptr inbounds i8, ptr %a, i32 %i
  %t = trunc i32 %i to i8
  store i8 %t, ptr %a.at
  %b.at = getelementptr inbounds i8, ptr %b, i32 %i
  store i8 1, ptr %b.at
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define i32 @run(ptr %a, ptr %b, i32 %n) {
  call void @tgt(ptr %a, ptr %b, i32 %n)
  %x = load i16, ptr %a
  %y = load i16, ptr %b
  %s = add i16 %x, %y
  %r = zext i16 %s to i32
  ret i32 %r
}
