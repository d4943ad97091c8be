; loop-simplify,loop-rotate,lcssa,hir-interchange,hir-tile<8>
; A square product is a perfect nest: the outer loop's test implies that the inner loops run (@square), or a known range
; of an argument does (@known). Two tests before a nest both belong to it (@two_tests), unless there is code between
; them (@between). The counter of a loop that is not taken is a variable of the nest inside it, but the value that it is
; computed from is not (@outside).

define void @square(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) {
entry:
  br label %i.test

i.test:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %j.enter, label %exit

j.enter:
  br label %j.test

j.test:
  %j = phi i64 [ 0, %j.enter ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %k.enter, label %i.latch

k.enter:
  br label %k.test

k.test:
  %k = phi i64 [ 0, %k.enter ], [ %k.next, %k.body ]
  %k.more = icmp slt i64 %k, %n
  br i1 %k.more, label %k.body, label %j.latch

k.body:
  %row = mul nsw i64 %i, %n
  %at.a = add nsw i64 %row, %k
  %p.a = getelementptr inbounds i64, ptr %a, i64 %at.a
  %x = load i64, ptr %p.a, align 8
  %row.b = mul nsw i64 %k, %n
  %at.b = add nsw i64 %row.b, %j
  %p.b = getelementptr inbounds i64, ptr %b, i64 %at.b
  %y = load i64, ptr %p.b, align 8
  %at.c = add nsw i64 %row, %j
  %p.c = getelementptr inbounds i64, ptr %c, i64 %at.c
  %z = load i64, ptr %p.c, align 8
  %product = mul i64 %x, %y
  %sum = add i64 %z, %product
  store i64 %sum, ptr %p.c, align 8
  %k.next = add nuw nsw i64 %k, 1
  br label %k.test

j.latch:
  %j.next = add nuw nsw i64 %j, 1
  br label %j.test

i.latch:
  %i.next = add nuw nsw i64 %i, 1
  br label %i.test

exit:
  ret void
}

define void @known(ptr noalias %a, i64 noundef range(i64 1, 1000) %n) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %columns, label %rows.latch

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %at = getelementptr inbounds [100 x i32], ptr %a, i64 %j, i64 %i
  store i32 0, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 100
  br i1 %i.more, label %rows, label %exit

exit:
  ret void
}

define void @two_tests(ptr noalias %a, i64 noundef %m, i64 noundef %n) {
entry:
  %any.m = icmp sgt i64 %m, 0
  br label %planes

planes:
  %h = phi i64 [ 0, %entry ], [ %h.next, %planes.latch ]
  br i1 %any.m, label %and.n, label %planes.latch

and.n:
  %any.n = icmp sgt i64 %n, 0
  br i1 %any.n, label %rows, label %planes.latch

rows:
  %i = phi i64 [ 0, %and.n ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %row = getelementptr inbounds [100 x [100 x i32]], ptr %a, i64 %j, i64 %i, i64 %h
  store i32 0, ptr %row, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %m
  br i1 %j.more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %rows, label %planes.latch

planes.latch:
  %h.next = add nuw nsw i64 %h, 1
  %h.more = icmp ult i64 %h.next, 100
  br i1 %h.more, label %planes, label %exit

exit:
  ret void
}

define void @between(ptr noalias %a, ptr noalias %b, i64 noundef %m, i64 noundef %n) {
entry:
  %any.m = icmp sgt i64 %m, 0
  br label %planes

planes:
  %h = phi i64 [ 0, %entry ], [ %h.next, %planes.latch ]
  br i1 %any.m, label %and.n, label %planes.latch

and.n:
  %mark = getelementptr inbounds i32, ptr %b, i64 %h
  store i32 1, ptr %mark, align 4
  %any.n = icmp sgt i64 %n, 0
  br i1 %any.n, label %rows, label %planes.latch

rows:
  %i = phi i64 [ 0, %and.n ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %row = getelementptr inbounds [100 x [100 x i32]], ptr %a, i64 %j, i64 %i, i64 %h
  store i32 0, ptr %row, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %m
  br i1 %j.more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %rows, label %planes.latch

planes.latch:
  %h.next = add nuw nsw i64 %h, 1
  %h.more = icmp ult i64 %h.next, 100
  br i1 %h.more, label %planes, label %exit

exit:
  ret void
}

define void @outside(ptr noalias %a) personality ptr @personality {
entry:
  br label %steps

steps:
  %step = phi i64 [ 0, %entry ], [ %step.next, %steps.latch ]
  br label %rows

rows:
  %i = phi i64 [ 0, %steps ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %row = mul nuw nsw i64 %j, 100
  %in.row = add nuw nsw i64 %row, %i
  %from = mul nuw nsw i64 %step, 7
  %place = add nuw nsw i64 %in.row, %from
  %at = getelementptr inbounds i32, ptr %a, i64 %place
  store i32 1, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 50
  br i1 %i.more, label %rows, label %see

see:
  invoke void @see() to label %steps.latch unwind label %caught

steps.latch:
  %step.next = add nuw nsw i64 %step, 1
  %step.more = icmp ult i64 %step.next, 50
  br i1 %step.more, label %steps, label %exit

caught:
  %pad = landingpad { ptr, i32 } cleanup
  ret void

exit:
  ret void
}

declare void @see()

declare i32 @personality(...)
