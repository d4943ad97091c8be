; A loop with three exits is unrolled by two, each exiting edge in both copies.

define i32 @src(i32 noundef %n, i32 noundef %k, i32 noundef %l) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %none

body:
  %v = call noundef i32 @answer(i32 noundef %i)
  %is.k = icmp eq i32 %v, %k
  br i1 %is.k, label %first, label %check

check:
  %is.l = icmp eq i32 %v, %l
  br i1 %is.l, label %second, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

first:
  ret i32 %i

second:
  %r = add i32 %i, 100
  ret i32 %r

none:
  ret i32 -1
}

define i32 @tgt(i32 noundef %n, i32 noundef %k, i32 noundef %l) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next.1, %latch.1 ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %none

body:
  %v = call noundef i32 @answer(i32 noundef %i)
  %is.k = icmp eq i32 %v, %k
  br i1 %is.k, label %first, label %check

check:
  %is.l = icmp eq i32 %v, %l
  br i1 %is.l, label %second, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more.1 = icmp ult i32 %i.next, %n
  br i1 %more.1, label %body.1, label %none

body.1:
  %v.1 = call noundef i32 @answer(i32 noundef %i.next)
  %is.k.1 = icmp eq i32 %v.1, %k
  br i1 %is.k.1, label %first, label %check.1

check.1:
  %is.l.1 = icmp eq i32 %v.1, %l
  br i1 %is.l.1, label %second, label %latch.1

latch.1:
  %i.next.1 = add nuw i32 %i, 2
  br label %header

first:
  %i.first = phi i32 [ %i, %body ], [ %i.next, %body.1 ]
  ret i32 %i.first

second:
  %i.second = phi i32 [ %i, %check ], [ %i.next, %check.1 ]
  %r = add i32 %i.second, 100
  ret i32 %r

none:
  ret i32 -1
}

declare noundef i32 @answer(i32 noundef)
