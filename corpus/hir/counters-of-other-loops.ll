; Loops within one that is not taken: its counters are variables that forms may have, if what these stand for is made of them.

; %q is poison from the second iteration on; nothing reads it that counts.
define void @overflows(ptr noundef %p, i1 noundef %b, i8 noundef %d) {
entry:
  br label %outer
outer:
  %q = phi i8 [ 100, %entry ], [ %q.next, %latch ]
  %a = phi i8 [ 5, %entry ], [ %a.next, %latch ]
  br label %inner
inner:
  %c = phi i8 [ 0, %outer ], [ %c.next, %inner ]
  %j = phi i8 [ %a, %outer ], [ %j.next, %inner ]
  %u = add i8 %q, 9
  %x = zext i8 %j to i64
  %g = getelementptr i8, ptr %p, i64 %x
  store i8 7, ptr %g
  %j.next = add i8 %j, 3
  %c.next = add i8 %c, 1
  %t = icmp ult i8 %c.next, 4
  br i1 %t, label %inner, label %mid
mid:
  br i1 %b, label %x1, label %x2
x1:
  %k1 = phi i8 [ %d, %mid ], [ %k2n, %x2 ]
  %k1n = add i8 %k1, 1
  %z1 = icmp ult i8 %k1n, 3
  br i1 %z1, label %x2, label %latch
x2:
  %k2 = phi i8 [ %d, %mid ], [ %k1n, %x1 ]
  %k2n = add i8 %k2, 1
  %z2 = icmp ult i8 %k2n, 3
  br i1 %z2, label %x1, label %latch
latch:
  %q.next = add nsw i8 %q, 20
  %a.next = add i8 %a, 20
  %e = icmp ult i8 %a.next, 80
  br i1 %e, label %outer, label %exit
exit:
  ret void
}

; %q begins with a product that may overflow.
define void @begins_with_poison(ptr noundef %p, i1 noundef %b, i8 noundef %d, i8 noundef %x0, i8 noundef %y0) {
entry:
  %z = mul nsw i8 %x0, %y0
  br label %outer
outer:
  %q = phi i8 [ %z, %entry ], [ %q.next, %latch ]
  %a = phi i8 [ 5, %entry ], [ %a.next, %latch ]
  br label %inner
inner:
  %c = phi i8 [ 0, %outer ], [ %c.next, %inner ]
  %j = phi i8 [ %a, %outer ], [ %j.next, %inner ]
  %u = add i8 %q, 9
  %x = zext i8 %j to i64
  %g = getelementptr i8, ptr %p, i64 %x
  store i8 7, ptr %g
  %j.next = add i8 %j, 3
  %c.next = add i8 %c, 1
  %t = icmp ult i8 %c.next, 4
  br i1 %t, label %inner, label %mid
mid:
  br i1 %b, label %x1, label %x2
x1:
  %k1 = phi i8 [ %d, %mid ], [ %k2n, %x2 ]
  %k1n = add i8 %k1, 1
  %z1 = icmp ult i8 %k1n, 3
  br i1 %z1, label %x2, label %latch
x2:
  %k2 = phi i8 [ %d, %mid ], [ %k1n, %x1 ]
  %k2n = add i8 %k2, 1
  %z2 = icmp ult i8 %k2n, 3
  br i1 %z2, label %x1, label %latch
latch:
  %q.next = add i8 %q, 20
  %a.next = add i8 %a, 20
  %e = icmp ult i8 %a.next, 80
  br i1 %e, label %outer, label %exit
exit:
  ret void
}

; %q begins with what is not one value.
define void @begins_undefined(ptr noundef %p, i1 noundef %b, i8 noundef %d, i8 noundef %x0, i8 noundef %y0) {
entry:
  %z = mul i8 %x0, %y0
  br label %outer
outer:
  %q = phi i8 [ undef, %entry ], [ %q.next, %latch ]
  %a = phi i8 [ 5, %entry ], [ %a.next, %latch ]
  br label %inner
inner:
  %c = phi i8 [ 0, %outer ], [ %c.next, %inner ]
  %j = phi i8 [ %a, %outer ], [ %j.next, %inner ]
  %u = add i8 %q, 9
  %x = zext i8 %j to i64
  %g = getelementptr i8, ptr %p, i64 %x
  store i8 7, ptr %g
  %j.next = add i8 %j, 3
  %c.next = add i8 %c, 1
  %t = icmp ult i8 %c.next, 4
  br i1 %t, label %inner, label %mid
mid:
  br i1 %b, label %x1, label %x2
x1:
  %k1 = phi i8 [ %d, %mid ], [ %k2n, %x2 ]
  %k1n = add i8 %k1, 1
  %z1 = icmp ult i8 %k1n, 3
  br i1 %z1, label %x2, label %latch
x2:
  %k2 = phi i8 [ %d, %mid ], [ %k1n, %x1 ]
  %k2n = add i8 %k2, 1
  %z2 = icmp ult i8 %k2n, 3
  br i1 %z2, label %x1, label %latch
latch:
  %q.next = add i8 %q, 20
  %a.next = add i8 %a, 20
  %e = icmp ult i8 %a.next, 80
  br i1 %e, label %outer, label %exit
exit:
  ret void
}

; A pointer counts, too.
define void @pointer(ptr %p, ptr %z) personality ptr @__gxx_personality_v0 {
entry:
  br label %outer
outer:
  %q = phi ptr [ %z, %entry ], [ %q.next, %latch ]
  %a = phi i64 [ 0, %entry ], [ %a.next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ %a, %outer ], [ %j.next, %inner ]
  %c = phi i64 [ 0, %outer ], [ %c.next, %inner ]
  %h = getelementptr i8, ptr %q, i64 %c
  %v = load i8, ptr %h
  %g = getelementptr i8, ptr %p, i64 %j
  store i8 %v, ptr %g
  %j.next = add i64 %j, 1
  %c.next = add i64 %c, 1
  %t = icmp ult i64 %c.next, 4
  br i1 %t, label %inner, label %mid
mid:
  invoke void @ext(i64 %a) to label %latch unwind label %lp
latch:
  %q.next = getelementptr i8, ptr %q, i64 4
  %a.next = add i64 %a, 4
  %e = icmp ult i64 %a.next, 40
  br i1 %e, label %outer, label %exit
exit:
  ret void
lp:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}

declare i32 @__gxx_personality_v0(...)
declare void @ext(i64)
