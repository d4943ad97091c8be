; The start value of a loop, and the final value of another loop.
; judged c: keeps !invariant.load

define void @src_c(ptr noundef dereferenceable(8) align 8 %p, i64 noundef %a, i64 noundef %n) {
entry:
  store i64 1, ptr %p, align 8
  %c0 = icmp ult i64 0, %a
  br i1 %c0, label %pre, label %done
pre:
  br label %ha
ha:
  %k = phi i64 [ %a, %pre ], [ %k1, %la ]
  %ck = icmp eq i64 %k, %n
  br i1 %ck, label %pb, label %la
la:
  %k1 = sub i64 %k, 1
  br label %ha
pb:
  br label %hb
hb:
  %j = phi i64 [ 0, %pb ], [ %j1, %bb ]
  %c = icmp ult i64 %j, %k
  br i1 %c, label %bb, label %done
bb:
  %v = load i64, ptr %p, align 8, !invariant.load !0
  %j1 = add i64 %j, 1
  br label %hb
done:
  ret void
}
define void @tgt_c(ptr noundef dereferenceable(8) align 8 %p, i64 noundef %a, i64 noundef %n) {
entry:
  store i64 1, ptr %p, align 8
  %c0 = icmp ult i64 0, %a
  br i1 %c0, label %pre, label %done
pre:
  br label %ha
ha:
  %k = phi i64 [ %a, %pre ], [ %k1, %la ]
  %ck = icmp eq i64 %k, %n
  br i1 %ck, label %pb, label %la
la:
  %k1 = sub i64 %k, 1
  br label %ha
pb:
  %v = load i64, ptr %p, align 8, !invariant.load !0
  br label %hb
hb:
  %j = phi i64 [ 0, %pb ], [ %j1, %bb ]
  %c = icmp ult i64 %j, %k
  br i1 %c, label %bb, label %done
bb:
  %j1 = add i64 %j, 1
  br label %hb
done:
  ret void
}
!0 = !{}
