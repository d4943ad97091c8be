; A switch with two exits becomes two branches.

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
  %is.zero = icmp eq i32 %v, 0
  br i1 %is.zero, label %zero, label %other

other:
  %is.one = icmp eq i32 %v, 1
  br i1 %is.one, label %one, label %latch

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

declare noundef i32 @answer(i32 noundef)
