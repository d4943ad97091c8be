; hir-fuse
; Code between two loops that executes under their common test moves before both (@before) or after both (@behind), or
; prevents fusion if it depends on one loop and the other depends on it (@meets).

define void @before(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %first, label %next

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %a = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %a, align 4
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %first, label %first.end

first.end:
  br label %next

next:
  br i1 %some, label %second.start, label %exit

second.start:
  %far = getelementptr inbounds i32, ptr %q, i64 -1
  store i32 7, ptr %far, align 4
  br label %second

second:
  %j = phi i64 [ 0, %second.start ], [ %j.next, %second ]
  %b = getelementptr inbounds i32, ptr %p, i64 %j
  %v = load i32, ptr %b, align 4
  %c = getelementptr inbounds i32, ptr %q, i64 %j
  store i32 %v, ptr %c, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %second, label %exit

exit:
  ret void
}

define void @behind(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %first, label %next

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %a = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %a, align 4
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %first, label %first.end

first.end:
  %x = load i32, ptr %p, align 4
  %far = getelementptr inbounds i32, ptr %q, i64 -1
  store i32 %x, ptr %far, align 4
  br label %next

next:
  br i1 %some, label %second.start, label %exit

second.start:
  br label %second

second:
  %j = phi i64 [ 0, %second.start ], [ %j.next, %second ]
  %b = getelementptr inbounds i32, ptr %p, i64 %j
  %v = load i32, ptr %b, align 4
  %c = getelementptr inbounds i32, ptr %q, i64 %j
  store i32 %v, ptr %c, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %second, label %exit

exit:
  ret void
}

define void @meets(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %first, label %next

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %a = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %a, align 4
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %first, label %first.end

first.end:
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q, align 4
  br label %next

next:
  br i1 %some, label %second.start, label %exit

second.start:
  br label %second

second:
  %j = phi i64 [ 0, %second.start ], [ %j.next, %second ]
  %b = getelementptr inbounds i32, ptr %p, i64 %j
  %v = load i32, ptr %b, align 4
  %c = getelementptr inbounds i32, ptr %q, i64 %j
  store i32 %v, ptr %c, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %second, label %exit

exit:
  ret void
}
