; A loop without an exit that observes its counter, unrolled by two: both observe forever.

define void @src(i32 noundef %a) {
entry:
  br label %loop

loop:
  %i = phi i32 [ %a, %entry ], [ %i.next, %loop ]
  call void @observe(i32 noundef %i)
  %i.next = add i32 %i, 1
  br label %loop
}

define void @tgt(i32 noundef %a) {
entry:
  br label %loop

loop:
  %i = phi i32 [ %a, %entry ], [ %i.2, %loop ]
  call void @observe(i32 noundef %i)
  %i.1 = add i32 %i, 1
  call void @observe(i32 noundef %i.1)
  %i.2 = add i32 %i, 2
  br label %loop
}

declare void @observe(i32 noundef)
