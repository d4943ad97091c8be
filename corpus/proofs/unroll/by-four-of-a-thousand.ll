; A loop of a thousand rounds with a 64-bit counter and a 32-bit one is unrolled by four: one test for four rounds.

define i32 @src(i32 noundef %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %j = phi i32 [ 7, %entry ], [ %j.next, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s.next, %loop ]
  %s.next = xor i32 %s, %j
  %j.next = add i32 %j, 3
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 1000
  br i1 %done, label %exit, label %loop

exit:
  ret i32 %s.next
}

define i32 @tgt(i32 noundef %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s.3, %loop ]
  %i.32 = trunc i64 %i to i32
  %times = mul i32 %i.32, 3
  %j.0 = add i32 %times, 7
  %s.0 = xor i32 %s, %j.0
  %j.1 = add i32 %times, 10
  %s.1 = xor i32 %s.0, %j.1
  %j.2 = add i32 %times, 13
  %s.2 = xor i32 %s.1, %j.2
  %j.3 = add i32 %times, 16
  %s.3 = xor i32 %s.2, %j.3
  %i.next = add nuw nsw i64 %i, 4
  %done = icmp eq i64 %i.next, 1000
  br i1 %done, label %exit, label %loop

exit:
  ret i32 %s.3
}

; One round more.
define i32 @wrong(i32 noundef %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s.3, %loop ]
  %i.32 = trunc i64 %i to i32
  %times = mul i32 %i.32, 3
  %j.0 = add i32 %times, 7
  %s.0 = xor i32 %s, %j.0
  %j.1 = add i32 %times, 10
  %s.1 = xor i32 %s.0, %j.1
  %j.2 = add i32 %times, 13
  %s.2 = xor i32 %s.1, %j.2
  %j.3 = add i32 %times, 16
  %s.3 = xor i32 %s.2, %j.3
  %i.next = add nuw nsw i64 %i, 4
  %done = icmp eq i64 %i.next, 1004
  br i1 %done, label %exit, label %loop

exit:
  ret i32 %s.3
}
