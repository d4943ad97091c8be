; Unswitching without a freeze: with no iteration the source never branches on the poison condition,
; the target does.

define i32 @src(i1 %c, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  br i1 %c, label %then, label %latch

then:
  %s.then = add i32 %s, %i
  br label %latch

latch:
  %s.next = phi i32 [ %s.then, %then ], [ %s, %body ]
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i1 %c, i32 %n) {
entry:
  br i1 %c, label %t.header, label %f.header

t.header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %t.body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %t.body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %t.body, label %exit

t.body:
  %s.next = add i32 %s, %i
  %i.next = add nuw i32 %i, 1
  br label %t.header

f.header:
  %j = phi i32 [ 0, %entry ], [ %j.next, %f.body ]
  %f.more = icmp ult i32 %j, %n
  br i1 %f.more, label %f.body, label %exit

f.body:
  %j.next = add nuw i32 %j, 1
  br label %f.header

exit:
  %r = phi i32 [ %s, %t.header ], [ 0, %f.header ]
  ret i32 %r
}
