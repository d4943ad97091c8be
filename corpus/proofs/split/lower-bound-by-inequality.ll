; A condition that holds from iteration a on becomes the start of the loop, whose test is made one for inequality.
; Wrong for n = 0 and a = 1: the source observes nothing, the target starts beyond the end.

define void @src(i32 noundef %n, i32 noundef %a) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %high = icmp uge i32 %i, %a
  br i1 %high, label %then, label %latch

then:
  call void @observe(i32 noundef %i)
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(i32 noundef %n, i32 noundef %a) {
entry:
  br label %header

header:
  %i = phi i32 [ %a, %entry ], [ %i.next, %body ]
  %more = icmp ne i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

declare void @observe(i32 noundef)
