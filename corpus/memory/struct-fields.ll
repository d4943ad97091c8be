; An array of structures: one field is the key, the other is added up.

%pair = type { i16, i32 }

define i32 @f(ptr %p, i64 %n, i16 %key) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %key.at = getelementptr inbounds %pair, ptr %p, i64 %i, i32 0
  %k = load i16, ptr %key.at
  %hit = icmp eq i16 %k, %key
  br i1 %hit, label %add, label %latch

add:
  %value.at = getelementptr inbounds %pair, ptr %p, i64 %i, i32 1
  %v = load i32, ptr %value.at
  %s.add = add i32 %s, %v
  br label %latch

latch:
  %s.next = phi i32 [ %s, %loop ], [ %s.add, %add ]
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
