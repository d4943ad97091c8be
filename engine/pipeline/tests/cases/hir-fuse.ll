; hir-fuse
; The second loop reads the values that the first one writes in the same iteration, or in a later one (@same, @earlier).
; Code between the loops moves before both if that is legal (@between). The loops are not fused if the values are read
; in an earlier iteration (@later), if the trip counts differ (@longer), if the second loop reads the last value of a
; variable of the first (@last), if one has a call (@called), or if they have nothing in common (@apart).

define void @same(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %first

first:
  %j = phi i64 [ 0, %outer ], [ %j.next, %first ]
  %x = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %j
  %u = trunc i64 %j to i32
  store i32 %u, ptr %x, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %first, label %between

between:
  br label %second

second:
  %k = phi i64 [ 0, %between ], [ %k.next, %second ]
  %y = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %k
  %v = load i32, ptr %y, align 4
  %to = getelementptr inbounds [60 x i32], ptr %b, i64 %i, i64 %k
  store i32 %v, ptr %to, align 4
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 50
  br i1 %k.more, label %second, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 50
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @earlier(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %first

first:
  %j = phi i64 [ 0, %outer ], [ %j.next, %first ]
  %x = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %j
  %u = trunc i64 %j to i32
  store i32 %u, ptr %x, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %first, label %between

between:
  br label %second

second:
  %k = phi i64 [ 0, %between ], [ %k.next, %second ]
  %s = add nsw i64 %k, -1
  %y = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %s
  %v = load i32, ptr %y, align 4
  %to = getelementptr inbounds [60 x i32], ptr %b, i64 %i, i64 %k
  store i32 %v, ptr %to, align 4
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 50
  br i1 %k.more, label %second, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 50
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @later(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %first

first:
  %j = phi i64 [ 0, %outer ], [ %j.next, %first ]
  %x = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %j
  %u = trunc i64 %j to i32
  store i32 %u, ptr %x, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %first, label %between

between:
  br label %second

second:
  %k = phi i64 [ 0, %between ], [ %k.next, %second ]
  %s = add nsw i64 %k, 1
  %y = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %s
  %v = load i32, ptr %y, align 4
  %to = getelementptr inbounds [60 x i32], ptr %b, i64 %i, i64 %k
  store i32 %v, ptr %to, align 4
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 50
  br i1 %k.more, label %second, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 50
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @longer(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %first

first:
  %j = phi i64 [ 0, %outer ], [ %j.next, %first ]
  %x = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %j
  %u = trunc i64 %j to i32
  store i32 %u, ptr %x, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %first, label %between

between:
  br label %second

second:
  %k = phi i64 [ 0, %between ], [ %k.next, %second ]
  %y = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %k
  %v = load i32, ptr %y, align 4
  %to = getelementptr inbounds [60 x i32], ptr %b, i64 %i, i64 %k
  store i32 %v, ptr %to, align 4
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 51
  br i1 %k.more, label %second, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 50
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @between(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %first

first:
  %j = phi i64 [ 0, %outer ], [ %j.next, %first ]
  %x = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %j
  %u = trunc i64 %j to i32
  store i32 %u, ptr %x, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %first, label %between

between:
  store i32 3, ptr %b, align 4
  br label %second

second:
  %k = phi i64 [ 0, %between ], [ %k.next, %second ]
  %y = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %k
  %v = load i32, ptr %y, align 4
  %to = getelementptr inbounds [60 x i32], ptr %b, i64 %i, i64 %k
  store i32 %v, ptr %to, align 4
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 50
  br i1 %k.more, label %second, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 50
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @last(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %first

first:
  %j = phi i64 [ 0, %outer ], [ %j.next, %first ]
  %x = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %j
  %u = load i32, ptr %x, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %first, label %between

between:
  br label %second

second:
  %k = phi i64 [ 0, %between ], [ %k.next, %second ]
  %y = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %k
  store i32 %u, ptr %y, align 4
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 50
  br i1 %k.more, label %second, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 50
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

declare void @see()

define void @called(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %first

first:
  %j = phi i64 [ 0, %outer ], [ %j.next, %first ]
  %x = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %j
  %u = trunc i64 %j to i32
  store i32 %u, ptr %x, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %first, label %between

between:
  br label %second

second:
  %k = phi i64 [ 0, %between ], [ %k.next, %second ]
  %y = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %k
  %v = load i32, ptr %y, align 4
  %to = getelementptr inbounds [60 x i32], ptr %b, i64 %i, i64 %k
  store i32 %v, ptr %to, align 4
  call void @see()
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 50
  br i1 %k.more, label %second, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 50
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @apart(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %first

first:
  %j = phi i64 [ 0, %outer ], [ %j.next, %first ]
  %x = getelementptr inbounds [60 x i32], ptr %a, i64 %i, i64 %j
  %u = trunc i64 %j to i32
  store i32 %u, ptr %x, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %first, label %between

between:
  br label %second

second:
  %k = phi i64 [ 0, %between ], [ %k.next, %second ]
  %y = getelementptr inbounds [60 x i32], ptr %b, i64 %i, i64 %k
  store i32 2, ptr %y, align 4
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 50
  br i1 %k.more, label %second, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 50
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

; In an iteration, the second loop accesses the cache line that the first one accesses (@near), or a distant one (@far).
define void @near(ptr noalias %a) {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %x = getelementptr inbounds [16 x i32], ptr %a, i64 %i, i64 1
  store i32 0, ptr %x, align 4
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 100
  br i1 %i.more, label %first, label %between

between:
  br label %second

second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %y = getelementptr inbounds [16 x i32], ptr %a, i64 %j, i64 3
  store i32 1, ptr %y, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 100
  br i1 %j.more, label %second, label %exit

exit:
  ret void
}

define void @far(ptr noalias %a) {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %x = getelementptr inbounds [16 x i32], ptr %a, i64 %i, i64 1
  store i32 0, ptr %x, align 4
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 100
  br i1 %i.more, label %first, label %between

between:
  br label %second

second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %row = add nuw nsw i64 %j, 100
  %y = getelementptr inbounds [16 x i32], ptr %a, i64 %row, i64 1
  store i32 1, ptr %y, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 100
  br i1 %j.more, label %second, label %exit

exit:
  ret void
}
