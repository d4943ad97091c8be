; The value frozen in the first iteration, and those of others.
; judged freeze_of_first_iteration: if @tgt_freeze_of_first_iteration keeps !tbaa

define void @src_freeze_of_first_iteration(ptr noundef dereferenceable(4) align 4 %p) {
entry:
  store i32 0, ptr %p, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  %pz = phi i1 [ true, %entry ], [ %z, %latch ]
  %z = freeze i1 poison
  %zd = and i1 %z, %d
  br i1 %zd, label %acc, label %nx
acc:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %nx
nx:
  %np = xor i1 %pz, true
  %zn = and i1 %z, %np
  br i1 %zn, label %fl, label %latch
fl:
  store float 1.0, ptr %p, align 4, !tbaa !3
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %loop, label %x
x:
  ret void
}
define void @tgt_freeze_of_first_iteration(ptr noundef dereferenceable(4) align 4 %p) {
entry:
  store i32 0, ptr %p, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  %pz = phi i1 [ true, %entry ], [ %z, %latch ]
  %z = freeze i1 poison
  %zd = and i1 %z, true
  br i1 %zd, label %acc, label %nx
acc:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %nx
nx:
  %np = xor i1 %pz, true
  %zn = and i1 %z, %np
  br i1 %zn, label %fl, label %latch
fl:
  store float 1.0, ptr %p, align 4, !tbaa !3
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %loop, label %x
x:
  ret void
}

!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
