; simple-loop-unswitch
; Exits that are decided before the loop: by a whole condition, by a part of one, by a switch; with a phi that uses the
; value of a header phi; and from an inner loop out of both.
declare void @effect(i32)

define i32 @whole(i1 %c, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 7, %entry ], [ %next, %latch ]
  %x = add i32 %i, %n
  br i1 %c, label %out, label %latch
latch:
  call void @effect(i32 %x)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  %r = phi i32 [ %i, %header ], [ 0, %latch ]
  ret i32 %r
}

define i32 @part(i1 %c, i1 noundef %d, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %less = icmp ult i32 %i, %n
  %both = select i1 %less, i1 %c, i1 false
  %all = and i1 %both, %d
  br i1 %all, label %latch, label %out
latch:
  call void @effect(i32 %i)
  %next = add i32 %i, 1
  br label %header
out:
  ret i32 %n
}

define i32 @cases(i32 %s, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  switch i32 %s, label %a [
    i32 1, label %out
    i32 2, label %b
    i32 3, label %out
  ]
a:
  call void @effect(i32 1)
  br label %latch
b:
  call void @effect(i32 2)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  %r = phi i32 [ 1, %header ], [ 1, %header ], [ %next, %latch ]
  ret i32 %r
}

define i32 @default(i32 %s, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  switch i32 %s, label %out [
    i32 1, label %a
    i32 2, label %b
    i32 3, label %a
  ]
a:
  %p = phi i32 [ 5, %header ], [ 5, %header ]
  call void @effect(i32 %p)
  br label %latch
b:
  call void @effect(i32 2)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret i32 %n
}

define i32 @two_levels(i1 %c, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %inner.latch ]
  br i1 %c, label %out, label %inner.latch
inner.latch:
  call void @effect(i32 %j)
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, %n
  br i1 %again, label %inner, label %outer.latch
outer.latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %outer, label %out
out:
  %r = phi i32 [ %j, %inner ], [ -1, %outer.latch ]
  ret i32 %r
}

define i32 @effect_first(i1 %c, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 7, %entry ], [ %next, %latch ]
  call void @effect(i32 %i)
  br i1 %c, label %out, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret i32 0
}
