; Peeling a loop that calls an unknown function keeps the number and order of the calls; stores of what is there already
; may go from between them.

declare void @tick(i32)

define i32 @src(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @tick(i32 %i)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}

define i32 @tgt(i32 %n) {
entry:
  call void @tick(i32 0)
  %more.0 = icmp ult i32 1, %n
  br i1 %more.0, label %loop, label %exit

loop:
  %i = phi i32 [ 1, %entry ], [ %i.next, %loop ]
  call void @tick(i32 %i)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 1, %entry ], [ %i.next, %loop ]
  ret i32 %r
}

; What is stored back is no less than what was there: the next call sees memory that allows this.
@g = global i8 0

define void @stores_back() {
  call void @tick(i32 0)
  %v = load i8, ptr @g
  store i8 %v, ptr @g
  call void @tick(i32 1)
  ret void
}

define void @leaves() {
  call void @tick(i32 0)
  call void @tick(i32 1)
  ret void
}
