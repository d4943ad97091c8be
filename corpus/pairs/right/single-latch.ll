; Two latches merged into one backedge block with phis.

define i32 @src(i32 %n) {
entry:
  br label %header

header:
  %a = phi i32 [ %n, %entry ], [ %a.1, %left ], [ %a.2, %right ]
  %c = phi i32 [ 0, %entry ], [ %c.1, %left ], [ %c.2, %right ]
  %zero = icmp eq i32 %a, 0
  br i1 %zero, label %exit, label %body

body:
  %odd = trunc i32 %a to i1
  br i1 %odd, label %left, label %right

left:
  %a.1 = sub i32 %a, 1
  %c.1 = add i32 %c, 1
  br label %header

right:
  %a.2 = lshr i32 %a, 1
  %c.2 = add i32 %c, 16
  br label %header

exit:
  ret i32 %c
}

define i32 @tgt(i32 %n) {
entry:
  br label %header

header:
  %a = phi i32 [ %n, %entry ], [ %a.be, %backedge ]
  %c = phi i32 [ 0, %entry ], [ %c.be, %backedge ]
  %zero = icmp eq i32 %a, 0
  br i1 %zero, label %exit, label %body

body:
  %odd = trunc i32 %a to i1
  br i1 %odd, label %left, label %right

left:
  %a.1 = sub i32 %a, 1
  %c.1 = add i32 %c, 1
  br label %backedge

right:
  %a.2 = lshr i32 %a, 1
  %c.2 = add i32 %c, 16
  br label %backedge

backedge:
  %a.be = phi i32 [ %a.1, %left ], [ %a.2, %right ]
  %c.be = phi i32 [ %c.1, %left ], [ %c.2, %right ]
  br label %header

exit:
  %c.lcssa = phi i32 [ %c, %header ]
  ret i32 %c.lcssa
}
