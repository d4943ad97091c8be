; The sum of squares in closed form, by products that wrap before they are halved.
; Wrong for n = 65537: the source returns -715816960, the target 1431666688.

define i32 @src(i32 %n) mustprogress {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %m = mul i32 %i, %i
  %s.next = add i32 %s, %m
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i32 %n) mustprogress {
entry:
  %m1 = add i32 %n, -1
  %m2 = add i32 %n, -2
  %p2 = mul i32 %n, %m1
  %p3 = mul i32 %p2, %m2
  %h3 = lshr i32 %p3, 1
  %cubes = mul i32 %h3, 1431655766
  %h2 = lshr i32 %p2, 1
  %r = add i32 %cubes, %h2
  ret i32 %r
}
