; A switch with two exits loses a case.
; Wrong for n = 1, where the first answer is 1: the source returns 11, the target 0.

define i32 @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %v = call noundef i32 @answer(i32 noundef %i)
  switch i32 %v, label %latch [ i32 0, label %zero i32 1, label %one ]

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %header, label %last

zero:
  ret i32 10

one:
  ret i32 11

last:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %v = call noundef i32 @answer(i32 noundef %i)
  switch i32 %v, label %latch [ i32 0, label %zero ]

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %header, label %last

zero:
  ret i32 10

last:
  ret i32 %i
}

declare noundef i32 @answer(i32 noundef)
