; What another module defines may be larger than it is declared, and what something else initializes holds anything.

@a = external global [0 x i32]
@weak = weak global i32 0
@written = externally_initialized constant i32 5

; C's `extern int a[];`: not undefined, so not everything is allowed.
define i32 @src(i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr inbounds [0 x i32], ptr @a, i64 0, i64 %i
  store i32 1, ptr %p
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 7
}

define i32 @tgt(i64 %n) {
  ret i32 8
}

define i32 @src_weak() {
  %p = getelementptr i8, ptr @weak, i64 4
  %v = load i32, ptr %p
  ret i32 %v
}

define i32 @tgt_weak() {
  unreachable
}

define i32 @src_written() {
  %v = load i32, ptr @written
  ret i32 %v
}

define i32 @tgt_written() {
  ret i32 5
}
