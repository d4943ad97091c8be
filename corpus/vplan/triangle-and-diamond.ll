; A triangle and a diamond inside a loop body: the smallest non-loop regions that can be formed.
; From vplan-hcfg-builder.rst: Build Hierarchical CFG, VPRegionBlock (non-loop region) detection.

define i32 @f(i32 %n, i32 %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.end, %latch ]
  br label %triangle

triangle:
  %is.k = icmp eq i32 %i, %k
  br i1 %is.k, label %only, label %triangle.end

only:
  %s.only = add i32 %s, 100
  br label %triangle.end

triangle.end:
  %s.t = phi i32 [ %s, %triangle ], [ %s.only, %only ]
  br label %diamond

diamond:
  %below = icmp ult i32 %i, %k
  br i1 %below, label %left, label %right

left:
  %s.l = add i32 %s.t, 1
  br label %diamond.end

right:
  %s.r = add i32 %s.t, 10
  br label %diamond.end

diamond.end:
  %s.end = phi i32 [ %s.l, %left ], [ %s.r, %right ]
  br label %latch

latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %header, label %exit

exit:
  %r = phi i32 [ %s.end, %latch ]
  ret i32 %r
}
