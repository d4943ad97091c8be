; The iteration set is split at a point beyond which the loop may have ended.
; Wrong for n = 0 and m = 1: the target asks for an answer, the source for none.

define i32 @src(i32 noundef %n, i32 noundef %m) {
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
  %v.then = call noundef i32 @answer(i32 noundef %i)
  br label %latch

else:
  %v.else = xor i32 %i, 1
  br label %latch

latch:
  %v = phi i32 [ %v.then, %then ], [ %v.else, %else ]
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i32 noundef %n, i32 noundef %m) {
entry:
  %mid = add i32 %m, 0
  br label %first

first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first.body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %first.body ]
  %first.more = icmp ult i32 %i, %mid
  br i1 %first.more, label %first.body, label %second.preheader

first.body:
  %v = call noundef i32 @answer(i32 noundef %i)
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  br label %first

second.preheader:
  br label %second

second:
  %j = phi i32 [ %i, %second.preheader ], [ %j.next, %second.body ]
  %t = phi i32 [ %s, %second.preheader ], [ %t.next, %second.body ]
  %second.more = icmp ult i32 %j, %n
  br i1 %second.more, label %second.body, label %exit

second.body:
  %w = xor i32 %j, 1
  %t.next = add i32 %t, %w
  %j.next = add nuw i32 %j, 1
  br label %second

exit:
  ret i32 %t
}

declare noundef i32 @answer(i32 noundef)
