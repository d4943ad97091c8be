; simple-loop-unswitch<nontrivial>
; Reasons against unswitching a loop.
declare void @effect(i32)
declare void @together() convergent
declare void @once() noduplicate

define void @convergent(i1 %c, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  call void @together()
  br i1 %c, label %a, label %latch
a:
  call void @effect(i32 1)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret void
}

define void @noduplicate(i1 %c, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  call void @once()
  br i1 %c, label %a, label %latch
a:
  call void @effect(i32 1)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret void
}

define void @small(i1 %c, i32 %n) optsize {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  call void @effect(i32 %i)
  br i1 %c, label %a, label %latch
a:
  call void @effect(i32 1)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret void
}

define void @nothing(i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %header ]
  call void @effect(i32 %i)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret void
}
