; Loops with several exits that lead to different ends, all of them counted: by which one a loop is left is the one whose
; count is the least, and of those that leave in the same iteration the one that is passed first.

; Nothing happens in it: nothing is left of it but that question.
define i8 @nothing(i8 %n, i8 %m, i8 %k) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %first = icmp eq i8 %i, %n
  br i1 %first, label %a, label %second

second:
  %found = icmp uge i8 %i, %m
  br i1 %found, label %b, label %latch

latch:
  %i.next = add nuw i8 %i, 1
  %again = icmp ult i8 %i.next, %k
  br i1 %again, label %loop, label %a

a:
  %r = phi i8 [ 1, %loop ], [ %k, %latch ]
  ret i8 %r

b:
  ret i8 2
}

; From `a` on iterations do nothing: the loop is left there, for the end that it would have come to.
define i8 @idle(i8 %n, i8 %m, i8 %a, ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %first = icmp eq i8 %i, %n
  br i1 %first, label %one, label %body

body:
  %more = icmp ult i8 %i, %a
  br i1 %more, label %work, label %second

work:
  %at = getelementptr i8, ptr %p, i8 %i
  store i8 %i, ptr %at
  br label %second

second:
  %w = phi i8 [ 3, %body ], [ 5, %work ]
  %found = icmp eq i8 %i, %m
  br i1 %found, label %two, label %latch

latch:
  %i.next = add nuw i8 %i, 1
  br label %loop

one:
  ret i8 100

two:
  %r = phi i8 [ %i, %second ]
  %s = phi i8 [ %w, %second ]
  %t = add i8 %r, %s
  ret i8 %t
}
