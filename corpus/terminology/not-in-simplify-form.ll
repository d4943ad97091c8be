; The same search without any of the three properties: two entering blocks, two latches, an exit block
; that the entry also reaches.
; From loop-terminology.rst: Loop Simplify Form.

define i32 @f(ptr %p, i32 %n, i1 %skip) {
entry:
  %empty = icmp eq i32 %n, 0
  br i1 %empty, label %join, label %choose

choose:
  br i1 %skip, label %from1, label %header

from1:
  br label %header

header:
  %i = phi i32 [ 0, %choose ], [ 1, %from1 ], [ %i.next, %latch.small ], [ %i.next2, %latch.big ]
  %in = icmp ult i32 %i, %n
  br i1 %in, label %body, label %join

body:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %big = icmp ugt i8 %v, 9
  br i1 %big, label %latch.big, label %test

test:
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %join, label %latch.small

latch.small:
  %i.next = add nuw i32 %i, 1
  br label %header

latch.big:
  %i.next2 = add nuw i32 %i, 2
  br label %header

join:
  %r = phi i32 [ 0, %entry ], [ %i, %test ], [ %n, %header ]
  ret i32 %r
}
