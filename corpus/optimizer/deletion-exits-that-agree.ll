; Nothing that the loop computes is needed: which of its two exits is taken does not matter, since both lead to the same
; block with the same value. Nothing is left of it.

define i32 @f(i32 %n, i32 %x) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %square = mul i32 %i, %i
  %found = icmp eq i32 %square, %x
  br i1 %found, label %yes, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %no

yes:
  br label %join

no:
  br label %join

join:
  %r = phi i32 [ %x, %yes ], [ %x, %no ]
  ret i32 %r
}

; The same loop, where the exits differ.
define i32 @differ(i32 %n, i32 %x) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %square = mul i32 %i, %i
  %found = icmp eq i32 %square, %x
  br i1 %found, label %yes, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %no

yes:
  br label %join

no:
  br label %join

join:
  %r = phi i32 [ 1, %yes ], [ 0, %no ]
  ret i32 %r
}
