; A call changes what an invariant load of the source reads later.
; judged changed_before_a_loop_loads: breaks a promise of the source

declare void @g(i32) willreturn nounwind
define i32 @src_changed_before_a_loop_loads(ptr dereferenceable(4) align 4 nofree noundef %p, i32 %n) nofree nosync {
entry:
  br label %l
l:
  %i = phi i32 [0,%entry],[%i1,%l]
  %s = phi i32 [0,%entry],[%s1,%l]
  call void @g(i32 %i)
  %v = load i32, ptr %p, align 4, !invariant.load !0
  %s1 = add i32 %s, %v
  %i1 = add i32 %i, 1
  %d = icmp eq i32 %i1, %n
  br i1 %d, label %x, label %l
x:
  ret i32 %s1
}
define i32 @tgt_changed_before_a_loop_loads(ptr dereferenceable(4) align 4 nofree noundef %p, i32 %n) nofree nosync {
entry:
  %v = load i32, ptr %p, align 4, !invariant.load !0
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %i1, %l ]
  %s = phi i32 [ 0, %entry ], [ %s1, %l ]
  call void @g(i32 %i)
  %s1 = add i32 %s, %v
  %i1 = add i32 %i, 1
  %d = icmp eq i32 %i1, %n
  br i1 %d, label %x, label %l
x:
  %r = phi i32 [ %s1, %l ]
  ret i32 %r
}
!0 = !{}
