; A loop that is left at its header, with a condition in it that is the same in all iterations: of two arrays one is
; summed up. The condition is poison where the shift overflows, and is looked at only if the loop has an iteration: where
; a transform takes the decision out of the loop it has to freeze it. LLVM 14 did not unless told to.
define i64 @sum(ptr %a, ptr %b, i64 %n, i32 %kind, i32 %shift) {
entry:
  %flag = shl nuw i32 %kind, %shift
  %first = icmp eq i32 %flag, 8
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %latch ]
  %left = phi i64 [ %n, %entry ], [ %left.next, %latch ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %exit, label %body

body:
  %odd = and i64 %i, 1
  %is.odd = icmp eq i64 %odd, 1
  br i1 %is.odd, label %latch, label %choose

choose:
  br i1 %first, label %from.a, label %from.b

from.a:
  %at.a = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %at.a, align 4
  br label %join

from.b:
  %at.b = getelementptr inbounds i32, ptr %b, i64 %i
  %y = load i32, ptr %at.b, align 4
  br label %join

join:
  %value = phi i32 [ %x, %from.a ], [ %y, %from.b ]
  %wide = sext i32 %value to i64
  %more = add i64 %sum, %wide
  br label %latch

latch:
  %sum.next = phi i64 [ %sum, %body ], [ %more, %join ]
  %i.next = add nuw i64 %i, 1
  %left.next = sub nuw i64 %left, 1
  br label %header

exit:
  %result = shl i64 %sum, 1
  ret i64 %result
}
