; Three dimensions in one index of 64 bits without flags, as C's size_t has it. Lengths that are guarded to be small leave it in
; range: rows and planes are recovered. Of others it may be anything modulo 2^64, and is one dimension: so the dependences of an
; access to the next row are not told; but of one that goes through all of it from one end to the other they are, as it is in one
; object all the way.
; From hir-ddrefs.rst: RegDDRef.

define i32 @few(ptr noalias %a, i64 %l, i64 %n, i64 %m) {
entry:
  %l.less = sub i64 %l, 1
  %n.less = sub i64 %n, 1
  %m.less = sub i64 %m, 1
  %x = icmp ult i64 %l.less, 1000
  %y = icmp ult i64 %n.less, 1000
  %z = icmp ult i64 %m.less, 1000
  %xy = and i1 %x, %y
  %xyz = and i1 %xy, %z
  br i1 %xyz, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch1 ]
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %latch2 ]
  br label %l3

l3:
  %k = phi i64 [ 0, %l2 ], [ %k.next, %l3 ]
  %r = mul i64 %i, %n
  %s = add i64 %r, %j
  %t = mul i64 %s, %m
  %u = add i64 %t, %k
  %at = getelementptr inbounds i32, ptr %a, i64 %u
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %k.next = add i64 %k, 1
  %more3 = icmp ult i64 %k.next, %m
  br i1 %more3, label %l3, label %latch2

latch2:
  %j.next = add i64 %j, 1
  %more2 = icmp ult i64 %j.next, %n
  br i1 %more2, label %l2, label %latch1

latch1:
  %i.next = add i64 %i, 1
  %more1 = icmp ult i64 %i.next, %l
  br i1 %more1, label %l1, label %exit

exit:
  %first = load i32, ptr %a
  ret i32 %first
}

define i32 @plain(ptr noalias %a, i64 %l, i64 %n, i64 %m) {
entry:
  %x = icmp ne i64 %l, 0
  %y = icmp ne i64 %n, 0
  %z = icmp ne i64 %m, 0
  %xy = and i1 %x, %y
  %xyz = and i1 %xy, %z
  br i1 %xyz, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch1 ]
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %latch2 ]
  br label %l3

l3:
  %k = phi i64 [ 0, %l2 ], [ %k.next, %l3 ]
  %r = mul i64 %i, %n
  %s = add i64 %r, %j
  %t = mul i64 %s, %m
  %u = add i64 %t, %k
  %at = getelementptr inbounds i32, ptr %a, i64 %u
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %k.next = add i64 %k, 1
  %more3 = icmp ult i64 %k.next, %m
  br i1 %more3, label %l3, label %latch2

latch2:
  %j.next = add i64 %j, 1
  %more2 = icmp ult i64 %j.next, %n
  br i1 %more2, label %l2, label %latch1

latch1:
  %i.next = add i64 %i, 1
  %more1 = icmp ult i64 %i.next, %l
  br i1 %more1, label %l1, label %exit

exit:
  %first = load i32, ptr %a
  ret i32 %first
}

define i32 @few_above(ptr noalias %a, i64 %l, i64 %n, i64 %m) {
entry:
  %l.less = sub i64 %l, 1
  %n.less = sub i64 %n, 1
  %m.less = sub i64 %m, 1
  %x = icmp ult i64 %l.less, 1000
  %y = icmp ult i64 %n.less, 1000
  %z = icmp ult i64 %m.less, 1000
  %xy = and i1 %x, %y
  %xyz = and i1 %xy, %z
  br i1 %xyz, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch1 ]
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %latch2 ]
  br label %l3

l3:
  %k = phi i64 [ 0, %l2 ], [ %k.next, %l3 ]
  %r = mul i64 %i, %n
  %s = add i64 %r, %j
  %t = mul i64 %s, %m
  %u = add i64 %t, %k
  %at = getelementptr inbounds i32, ptr %a, i64 %u
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  %s.next = add i64 %s, 1
  %t.next = mul i64 %s.next, %m
  %u.next = add i64 %t.next, %k
  %to = getelementptr inbounds i32, ptr %a, i64 %u.next
  store i32 %v1, ptr %to
  %k.next = add i64 %k, 1
  %more3 = icmp ult i64 %k.next, %m
  br i1 %more3, label %l3, label %latch2

latch2:
  %j.next = add i64 %j, 1
  %more2 = icmp ult i64 %j.next, %n
  br i1 %more2, label %l2, label %latch1

latch1:
  %i.next = add i64 %i, 1
  %more1 = icmp ult i64 %i.next, %l
  br i1 %more1, label %l1, label %exit

exit:
  %first = load i32, ptr %a
  ret i32 %first
}

define i32 @above(ptr noalias %a, i64 %l, i64 %n, i64 %m) {
entry:
  %x = icmp ne i64 %l, 0
  %y = icmp ne i64 %n, 0
  %z = icmp ne i64 %m, 0
  %xy = and i1 %x, %y
  %xyz = and i1 %xy, %z
  br i1 %xyz, label %l1, label %exit

l1:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch1 ]
  br label %l2

l2:
  %j = phi i64 [ 0, %l1 ], [ %j.next, %latch2 ]
  br label %l3

l3:
  %k = phi i64 [ 0, %l2 ], [ %k.next, %l3 ]
  %r = mul i64 %i, %n
  %s = add i64 %r, %j
  %t = mul i64 %s, %m
  %u = add i64 %t, %k
  %at = getelementptr inbounds i32, ptr %a, i64 %u
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  %s.next = add i64 %s, 1
  %t.next = mul i64 %s.next, %m
  %u.next = add i64 %t.next, %k
  %to = getelementptr inbounds i32, ptr %a, i64 %u.next
  store i32 %v1, ptr %to
  %k.next = add i64 %k, 1
  %more3 = icmp ult i64 %k.next, %m
  br i1 %more3, label %l3, label %latch2

latch2:
  %j.next = add i64 %j, 1
  %more2 = icmp ult i64 %j.next, %n
  br i1 %more2, label %l2, label %latch1

latch1:
  %i.next = add i64 %i, 1
  %more1 = icmp ult i64 %i.next, %l
  br i1 %more1, label %l1, label %exit

exit:
  %first = load i32, ptr %a
  ret i32 %first
}
