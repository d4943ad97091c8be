; The iteration set split at m: one loop for i < m, one for the rest, each without the test in the
; body.

define i32 @src(i32 %n, i32 %m) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %low = icmp ult i32 %i, %m
  br i1 %low, label %then, label %else

then:
  %s.then = add i32 %s, %i
  br label %latch

else:
  %s.else = xor i32 %s, %i
  br label %latch

latch:
  %s.next = phi i32 [ %s.then, %then ], [ %s.else, %else ]
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i32 %n, i32 %m) {
entry:
  %m.fr = freeze i32 %m
  %split = call i32 @llvm.umin.i32(i32 %n, i32 %m.fr)
  br label %first

first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first.body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %first.body ]
  %first.more = icmp ult i32 %i, %split
  br i1 %first.more, label %first.body, label %second.preheader

first.body:
  %s.next = add i32 %s, %i
  %i.next = add nuw i32 %i, 1
  br label %first

second.preheader:
  %i.mid = phi i32 [ %i, %first ]
  %s.mid = phi i32 [ %s, %first ]
  br label %second

second:
  %j = phi i32 [ %i.mid, %second.preheader ], [ %j.next, %second.body ]
  %t = phi i32 [ %s.mid, %second.preheader ], [ %t.next, %second.body ]
  %second.more = icmp ult i32 %j, %n
  br i1 %second.more, label %second.body, label %exit

second.body:
  %t.next = xor i32 %t, %j
  %j.next = add nuw i32 %j, 1
  br label %second

exit:
  ret i32 %t
}

declare i32 @llvm.umin.i32(i32, i32)
