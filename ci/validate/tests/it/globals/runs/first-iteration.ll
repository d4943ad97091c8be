; A condition of the first iteration and one of the last.
; judged a: keeps !invariant.load

define void @src_a(ptr noundef dereferenceable(8) align 8 %p, i64 noundef %n) {
entry:
  store i64 1, ptr %p, align 8
  %c0 = icmp ult i64 0, %n
  br i1 %c0, label %h, label %done
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %l ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %b, label %exit
b:
  %e = icmp eq i64 %i, 7
  br i1 %e, label %ld, label %l
ld:
  %v = load i64, ptr %p, align 8, !invariant.load !0
  br label %l
l:
  %i1 = add i64 %i, 1
  br label %h
exit:
  %f = icmp eq i64 %i, 7
  br i1 %f, label %x, label %done
x:
  br label %done
done:
  ret void
}
define void @tgt_a(ptr noundef dereferenceable(8) align 8 %p, i64 noundef %n) {
entry:
  store i64 1, ptr %p, align 8
  %c0 = icmp ult i64 0, %n
  br i1 %c0, label %h, label %done
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %l ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %b, label %exit
b:
  %e = icmp eq i64 %i, 7
  br i1 %e, label %ld, label %l
ld:
  br label %l
l:
  %i1 = add i64 %i, 1
  br label %h
exit:
  %f = icmp eq i64 %i, 7
  br i1 %f, label %x, label %done
x:
  %v = load i64, ptr %p, align 8, !invariant.load !0
  br label %done
done:
  ret void
}
!0 = !{}
