; The for loop before rotation; it is rotated into a guarded do-while loop.
; From loop-terminology.rst: Rotated Loops.
;
; The loop body of the document is a store here.

@last = global i32 -1

define void @test(i32 %n) {
entry:
  br label %for.header

for.header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %cond = icmp slt i32 %i, %n
  br i1 %cond, label %body, label %exit

body:
  store i32 %i, ptr @last
  br label %latch

latch:
  %i.next = add nsw i32 %i, 1
  br label %for.header

exit:
  ret void
}

define i32 @run(i32 %n) {
entry:
  call void @test(i32 %n)
  %r = load i32, ptr @last
  ret i32 %r
}
