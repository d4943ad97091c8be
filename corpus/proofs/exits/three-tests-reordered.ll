; The second exit test of three is asked after the third.
; Wrong for n = 1, k = 0, l = 0, where the first answer is 0: the source returns 0, the target 100.

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
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %none

body:
  %v = call noundef i32 @answer(i32 noundef %i)
  %is.l = icmp eq i32 %v, %l
  br i1 %is.l, label %second, label %check

check:
  %is.k = icmp eq i32 %v, %k
  br i1 %is.k, label %first, label %latch

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

declare noundef i32 @answer(i32 noundef)
