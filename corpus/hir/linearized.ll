; Matrices whose rows lie one behind the other, as sums of products: the dimensions are recovered where
; each column is known to be within its row, and nothing wraps around on the way.

; Rows of %n elements.
define i32 @rows(ptr %a, i64 %m, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  %more = icmp sgt i64 %m, 0
  %both = and i1 %some, %more
  br i1 %both, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %l1.latch ]
  %row = mul nsw i64 %i, %n
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %l2 ]
  %index = add nsw i64 %row, %j
  %at = getelementptr inbounds i32, ptr %a, i64 %index
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %l2.more = icmp slt i64 %j.next, %n
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i.next = add nuw nsw i64 %i, 1
  %l1.more = icmp slt i64 %i.next, %m
  br i1 %l1.more, label %l1, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}

; The same with indices of 32 bits, and the element of the row before.
define i32 @narrow(ptr %a, i32 %m, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  %more = icmp sgt i32 %m, 1
  %both = and i1 %some, %more
  br i1 %both, label %l1, label %exit

l1:
  %i = phi i32 [ 1, %entry ], [ %i.next, %l1.latch ]
  %above = add nsw i32 %i, -1
  %row = mul nsw i32 %i, %n
  %row.above = mul nsw i32 %above, %n
  br label %l2

l2:
  %j = phi i32 [ 0, %l1 ], [ %j.next, %l2 ]
  %index.above = add nsw i32 %row.above, %j
  %wide.above = sext i32 %index.above to i64
  %at.above = getelementptr inbounds i32, ptr %a, i64 %wide.above
  %v = load i32, ptr %at.above
  %v1 = add i32 %v, 1
  %index = add nsw i32 %row, %j
  %wide = sext i32 %index to i64
  %at = getelementptr inbounds i32, ptr %a, i64 %wide
  store i32 %v1, ptr %at
  %j.next = add nuw nsw i32 %j, 1
  %l2.more = icmp slt i32 %j.next, %n
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i.next = add nuw nsw i32 %i, 1
  %l1.more = icmp slt i32 %i.next, %m
  br i1 %l1.more, label %l1, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}

; Rows of 3 elements, and planes of 4 rows.
define i32 @planes(ptr %a, i64 %m) {
entry:
  %more = icmp sgt i64 %m, 0
  br i1 %more, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %l1.latch ]
  %plane = mul nsw i64 %i, 12
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %l2.latch ]
  %row = mul nsw i64 %j, 3
  %start = add nsw i64 %plane, %row
  br label %l3

l3:
  %k = phi i64 [ 0, %l2 ], [ %k.next, %l3 ]
  %index = add nsw i64 %start, %k
  %at = getelementptr inbounds i32, ptr %a, i64 %index
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %k.next = add nuw nsw i64 %k, 1
  %l3.more = icmp slt i64 %k.next, 3
  br i1 %l3.more, label %l3, label %l2.latch

l2.latch:
  %j.next = add nuw nsw i64 %j, 1
  %l2.more = icmp slt i64 %j.next, 4
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i.next = add nuw nsw i64 %i, 1
  %l1.more = icmp slt i64 %i.next, %m
  br i1 %l1.more, label %l1, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}

; The last column is the first one of the next row: there is one dimension.
define i32 @beyond(ptr %a, i64 %m, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  %more = icmp sgt i64 %m, 0
  %both = and i1 %some, %more
  br i1 %both, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %l1.latch ]
  %row = mul nsw i64 %i, %n
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %l2 ]
  %index = add nsw i64 %row, %j
  %at = getelementptr inbounds i32, ptr %a, i64 %index
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %l2.more = icmp sle i64 %j.next, %n
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i.next = add nuw nsw i64 %i, 1
  %l1.more = icmp slt i64 %i.next, %m
  br i1 %l1.more, label %l1, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}

; The sum may wrap around: with %n = 2^62 all rows are the same bytes.
define i32 @wraps(ptr %a, i64 %m, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  %more = icmp sgt i64 %m, 0
  %both = and i1 %some, %more
  br i1 %both, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %l1.latch ]
  %row = mul i64 %i, %n
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %l2 ]
  %index = add i64 %row, %j
  %at = getelementptr i32, ptr %a, i64 %index
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %j.few = icmp slt i64 %j.next, 2
  %j.within = icmp slt i64 %j.next, %n
  %l2.more = and i1 %j.few, %j.within
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i.next = add nuw nsw i64 %i, 1
  %l1.more = icmp slt i64 %i.next, %m
  br i1 %l1.more, label %l1, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}

; Planes of %n rows of %m elements, as one index: nothing is said of %n * %m.
define i32 @cubes(ptr %a, i64 %l, i64 %n, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  %more = icmp sgt i64 %n, 0
  %both = and i1 %some, %more
  %planes = icmp sgt i64 %l, 0
  %all = and i1 %both, %planes
  br i1 %all, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %l1.latch ]
  %plane = mul nsw i64 %i, %n
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %l2.latch ]
  %row = add nsw i64 %plane, %j
  %start = mul nsw i64 %row, %m
  br label %l3

l3:
  %k = phi i64 [ 0, %l2 ], [ %k.next, %l3 ]
  %index = add nsw i64 %start, %k
  %at = getelementptr inbounds i32, ptr %a, i64 %index
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %k.next = add nuw nsw i64 %k, 1
  %l3.more = icmp slt i64 %k.next, %m
  br i1 %l3.more, label %l3, label %l2.latch

l2.latch:
  %j.next = add nuw nsw i64 %j, 1
  %l2.more = icmp slt i64 %j.next, %n
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i.next = add nuw nsw i64 %i, 1
  %l1.more = icmp slt i64 %i.next, %l
  br i1 %l1.more, label %l1, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}

; Planes of %n rows of four elements, with indices of 32 bits and a shift, and the row before.
define i32 @quads(ptr %a, i32 %l, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 1
  %more = icmp sgt i32 %l, 0
  %both = and i1 %some, %more
  br i1 %both, label %l1, label %exit

l1:
  %i = phi i32 [ 0, %entry ], [ %i.next, %l1.latch ]
  %plane = mul nsw i32 %i, %n
  br label %l2

l2:
  %j = phi i32 [ 1, %l1 ], [ %j.next, %l2.latch ]
  %row = add nsw i32 %plane, %j
  %start = shl nsw i32 %row, 2
  %row.above = add nsw i32 %row, -1
  %start.above = shl nsw i32 %row.above, 2
  br label %l3

l3:
  %k = phi i32 [ 0, %l2 ], [ %k.next, %l3 ]
  %index.above = or disjoint i32 %start.above, %k
  %wide.above = sext i32 %index.above to i64
  %at.above = getelementptr inbounds i32, ptr %a, i64 %wide.above
  %v = load i32, ptr %at.above
  %v1 = add i32 %v, 1
  %index = or disjoint i32 %start, %k
  %wide = sext i32 %index to i64
  %at = getelementptr inbounds i32, ptr %a, i64 %wide
  store i32 %v1, ptr %at
  %k.next = add nuw nsw i32 %k, 1
  %l3.more = icmp ult i32 %k.next, 4
  br i1 %l3.more, label %l3, label %l2.latch

l2.latch:
  %j.next = add nuw nsw i32 %j, 1
  %l2.more = icmp slt i32 %j.next, %n
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i.next = add nuw nsw i32 %i, 1
  %l1.more = icmp slt i32 %i.next, %l
  br i1 %l1.more, label %l1, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}

; Rows of a variable length, a step of the address for each dimension.
define i32 @steps(ptr %a, i64 %m, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  %more = icmp sgt i64 %m, 0
  %both = and i1 %some, %more
  br i1 %both, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %l1.latch ]
  %start = mul nsw i64 %i, %n
  %row = getelementptr inbounds i32, ptr %a, i64 %start
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %l2 ]
  %at = getelementptr inbounds i32, ptr %row, i64 %j
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %l2.more = icmp slt i64 %j.next, %n
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i.next = add nuw nsw i64 %i, 1
  %l1.more = icmp slt i64 %i.next, %m
  br i1 %l1.more, label %l1, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}

; The last element of a row is the next one's first: a column leaves its row.
define i32 @leaves(ptr %a, i64 %l, i64 %n, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  %more = icmp sgt i64 %n, 0
  %both = and i1 %some, %more
  %planes = icmp sgt i64 %l, 0
  %all = and i1 %both, %planes
  br i1 %all, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %l1.latch ]
  %plane = mul nsw i64 %i, %n
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %l2.latch ]
  %row = add nsw i64 %plane, %j
  %start = mul nsw i64 %row, %m
  br label %l3

l3:
  %k = phi i64 [ 0, %l2 ], [ %k.next, %l3 ]
  %index = add nsw i64 %start, %k
  %at = getelementptr inbounds i32, ptr %a, i64 %index
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %k.next = add nuw nsw i64 %k, 1
  %l3.more = icmp sle i64 %k.next, %m
  br i1 %l3.more, label %l3, label %l2.latch

l2.latch:
  %j.next = add nuw nsw i64 %j, 1
  %l2.more = icmp slt i64 %j.next, %n
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i.next = add nuw nsw i64 %i, 1
  %l1.more = icmp slt i64 %i.next, %l
  br i1 %l1.more, label %l1, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}
