; The sum of squares in closed form, as LLVM writes it: halves of products of 33 bits, and a third by its inverse.

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
  %w = zext i32 %n to i33
  %m1 = add i32 %n, -1
  %w1 = zext i32 %m1 to i33
  %m2 = add i32 %n, -2
  %w2 = zext i32 %m2 to i33
  %p2 = mul i33 %w, %w1
  %p3 = mul i33 %p2, %w2
  %h3 = lshr i33 %p3, 1
  %t3 = trunc i33 %h3 to i32
  %cubes = mul i32 %t3, 1431655766
  %h2 = lshr i33 %p2, 1
  %t2 = trunc i33 %h2 to i32
  %r = add i32 %cubes, %t2
  ret i32 %r
}
