; An i8 counter widened with sext in place of zext: its value differs as soon as the top bit is set.

define i32 @src(i8 %n) {
entry:
  br label %header

header:
  %i = phi i8 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i8 %i, %n
  br i1 %more, label %body, label %exit

body:
  %w = zext i8 %i to i32
  %s.next = add i32 %s, %w
  %i.next = call i8 @llvm.uadd.sat.i8(i8 %i, i8 64)
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i8 %n) {
entry:
  br label %header

header:
  %i = phi i8 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i8 %i, %n
  br i1 %more, label %body, label %exit

body:
  %w = sext i8 %i to i32
  %s.next = add i32 %s, %w
  %i.next = call i8 @llvm.uadd.sat.i8(i8 %i, i8 64)
  br label %header

exit:
  ret i32 %s
}

declare i8 @llvm.uadd.sat.i8(i8, i8)
