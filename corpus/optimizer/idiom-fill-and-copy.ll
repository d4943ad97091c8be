; Two loops that are one call each: a fill with a byte, and a copy between two objects. The copy within one object, one
; byte ahead, is no call: it smears the first byte.

define i32 @f(i32 %n) {
entry:
  %from = alloca [3 x i8]
  %to = alloca i32
  %small = icmp ult i32 %n, 3
  %count = select i1 %small, i32 %n, i32 3
  store i32 0, ptr %to
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %at = getelementptr inbounds i8, ptr %from, i64 %i
  store i8 5, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 3
  br i1 %more, label %fill, label %between

between:
  %end = zext i32 %count to i64
  br label %copy

copy:
  %j = phi i64 [ 0, %between ], [ %j.next, %copy ]
  %source = getelementptr inbounds i8, ptr %from, i64 %j
  %v = load i8, ptr %source
  %target = getelementptr inbounds i8, ptr %to, i64 %j
  store i8 %v, ptr %target
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %end
  br i1 %again, label %copy, label %exit

exit:
  %r = load i32, ptr %to
  ret i32 %r
}

define i32 @smear(ptr noundef dereferenceable(4) %p) {
entry:
  br label %copy

copy:
  %j = phi i64 [ 0, %entry ], [ %j.next, %copy ]
  %source = getelementptr inbounds i8, ptr %p, i64 %j
  %v = load i8, ptr %source
  %j.next = add nuw nsw i64 %j, 1
  %target = getelementptr inbounds i8, ptr %p, i64 %j.next
  store i8 %v, ptr %target
  %again = icmp ult i64 %j.next, 3
  br i1 %again, label %copy, label %exit

exit:
  %r = load i32, ptr %p
  ret i32 %r
}
