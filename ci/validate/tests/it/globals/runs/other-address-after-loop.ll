; An address in a loop, and the same one after the last iteration.
; judged b: keeps !
; judged t: keeps !

define void @src_b(ptr noundef %p, i64 noundef %n) {
entry:
  %pn = getelementptr i64, ptr %p, i64 %n
  store i64 1, ptr %pn, align 8
  %c0 = icmp ult i64 0, %n
  br i1 %c0, label %h, label %done
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %b ]
  %g = getelementptr i64, ptr %p, i64 %i
  %c = icmp ult i64 %i, %n
  br i1 %c, label %b, label %exit
b:
  %v = load i64, ptr %g, align 8, !invariant.load !0
  %i1 = add i64 %i, 1
  br label %h
exit:
  br label %done
done:
  ret void
}
define void @tgt_b(ptr noundef %p, i64 noundef %n) {
entry:
  %pn = getelementptr i64, ptr %p, i64 %n
  store i64 1, ptr %pn, align 8
  %c0 = icmp ult i64 0, %n
  br i1 %c0, label %h, label %done
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %b ]
  %g = getelementptr i64, ptr %p, i64 %i
  %c = icmp ult i64 %i, %n
  br i1 %c, label %b, label %exit
b:
  %v = load i64, ptr %g, align 8, !invariant.load !0
  %i1 = add i64 %i, 1
  br label %h
exit:
  %w = load i64, ptr %g, align 8, !invariant.load !0
  br label %done
done:
  ret void
}
define void @src_t(ptr noundef %p, i64 noundef %n) {
entry:
  %pn = getelementptr i64, ptr %p, i64 %n
  store i64 1, ptr %pn, align 8, !tbaa !2
  %c0 = icmp ult i64 0, %n
  br i1 %c0, label %h, label %done
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %b ]
  %g = getelementptr i64, ptr %p, i64 %i
  %c = icmp ult i64 %i, %n
  br i1 %c, label %b, label %exit
b:
  %v = load i64, ptr %g, align 8, !tbaa !3
  %i1 = add i64 %i, 1
  br label %h
exit:
  br label %done
done:
  ret void
}
define void @tgt_t(ptr noundef %p, i64 noundef %n) {
entry:
  %pn = getelementptr i64, ptr %p, i64 %n
  store i64 1, ptr %pn, align 8, !tbaa !2
  %c0 = icmp ult i64 0, %n
  br i1 %c0, label %h, label %done
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %b ]
  %g = getelementptr i64, ptr %p, i64 %i
  %c = icmp ult i64 %i, %n
  br i1 %c, label %b, label %exit
b:
  %v = load i64, ptr %g, align 8, !tbaa !3
  %i1 = add i64 %i, 1
  br label %h
exit:
  %w = load i64, ptr %g, align 8, !tbaa !3
  br label %done
done:
  ret void
}
!1 = !{!"root"}
!2 = !{!4, !4, i64 0}
!3 = !{!5, !5, i64 0}
!4 = !{!"a", !1}
!5 = !{!"b", !1}
!0 = !{}
