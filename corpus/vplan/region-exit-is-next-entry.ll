; Two diamonds in a row: the exit of the first region is the entry of the second, and a block can be
; part of one region only.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Non-loop region Entry and Exit massaging.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s4, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %first, label %exit

first:
  %odd = trunc i32 %i to i1
  br i1 %odd, label %a, label %b

a:
  %s1 = add i32 %s, 1
  br label %middle

b:
  %s2 = add i32 %s, 16
  br label %middle

middle:
  %s3 = phi i32 [ %s1, %a ], [ %s2, %b ]
  %big = icmp ugt i32 %s3, 30
  br i1 %big, label %c, label %latch

c:
  %s3.half = lshr i32 %s3, 1
  br label %latch

latch:
  %s4 = phi i32 [ %s3, %middle ], [ %s3.half, %c ]
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %s
}
