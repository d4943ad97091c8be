; A recurrence of the first order, whose user has to wait for what is handed on; a block that not all iterations enter, with an
; access in some lanes, and a sum that goes through it.

define i32 @differences(ptr noalias %to, ptr noalias %from, i32 %start, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %before = phi i32 [ %start, %entry ], [ %now, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %latch ]
  %at = getelementptr i32, ptr %from, i64 %i
  %now = load i32, ptr %at, align 4
  %difference = sub i32 %now, %before
  %grows = icmp sgt i32 %difference, 0
  br i1 %grows, label %then, label %latch

then:
  %place = getelementptr i32, ptr %to, i64 %i
  store i32 %difference, ptr %place, align 4
  %more.sum = add i32 %sum, %difference
  br label %latch

latch:
  %sum.next = phi i32 [ %more.sum, %then ], [ %sum, %loop ]
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %sum.next
}
