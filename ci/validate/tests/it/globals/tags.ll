; Pairs about metadata that causes UB only if its instruction is executed, or whose effect depends on its position.
; `judged` lines give the pair, and text that its verdict must contain.
; judged invariant_load_speculated: keeps !invariant.load
; judged noalias_speculated: keeps !noalias
; judged tbaa_speculated: keeps !tbaa
; judged tbaa_out_of_loop: keeps !tbaa
; judged tbaa_before_a_call: keeps !tbaa
; judged tbaa_of_both_arms: refines, all iterations
; judged tbaa_out_of_rotated_loop: refines, all iterations
; judged tbaa_in_rotated_loop: refines, all iterations
; judged scope_of_all_iterations: keeps !noalias
; judged parallel_added: keeps !llvm.loop
; judged parallel_of_outer_loop: keeps !llvm.loop
; judged parallel_kept: refines, all iterations
; judged launder_dropped: keeps !invariant.group
; judged precision_of_another: inconclusive
; judged kcfi_type_changed: `!kcfi_type`
; judged kcfi_type_dropped: `!kcfi_type`

declare void @llvm.experimental.noalias.scope.decl(metadata)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare void @ends(i32) memory(none)

define i32 @src_invariant_load_speculated(ptr noundef dereferenceable(4) align 4 %p, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  %v = load i32, ptr %p, align 4, !invariant.load !0
  ret i32 %v
b:
  store i32 5, ptr %p, align 4
  ret i32 0
}
define i32 @tgt_invariant_load_speculated(ptr noundef dereferenceable(4) align 4 %p, i1 noundef %c) {
  %v = load i32, ptr %p, align 4, !invariant.load !0
  br i1 %c, label %a, label %b
a:
  ret i32 %v
b:
  store i32 5, ptr %p, align 4
  ret i32 0
}

define i32 @src_noalias_speculated(ptr noundef dereferenceable(4) %p, ptr noundef dereferenceable(4) %q, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %q, align 1, !alias.scope !3
  %v = load i32, ptr %p, align 1, !noalias !3
  ret i32 %v
b:
  store i32 1, ptr %q, align 1, !alias.scope !3
  ret i32 0
}
define i32 @tgt_noalias_speculated(ptr noundef dereferenceable(4) %p, ptr noundef dereferenceable(4) %q, i1 noundef %c) {
  store i32 1, ptr %q, align 1, !alias.scope !3
  %v = load i32, ptr %p, align 1, !noalias !3
  br i1 %c, label %a, label %b
a:
  ret i32 %v
b:
  ret i32 0
}

define i32 @src_tbaa_speculated(ptr noundef dereferenceable(4) %p, i1 noundef %c, float noundef %f) {
  br i1 %c, label %a, label %b
a:
  %v = load i32, ptr %p, align 1, !tbaa !7
  ret i32 %v
b:
  store float %f, ptr %p, align 1, !tbaa !9
  ret i32 0
}
define i32 @tgt_tbaa_speculated(ptr noundef dereferenceable(4) %p, i1 noundef %c, float noundef %f) {
  %v = load i32, ptr %p, align 1, !tbaa !7
  br i1 %c, label %a, label %b
a:
  ret i32 %v
b:
  store float %f, ptr %p, align 1, !tbaa !9
  ret i32 0
}

; The loop may have no iteration.
define i32 @src_tbaa_out_of_loop(ptr noundef dereferenceable(4) %p, ptr noundef dereferenceable(4) %q, i8 noundef %n) {
entry:
  store float 1.0, ptr %q, align 1, !tbaa !9
  br label %head
head:
  %i = phi i8 [ 0, %entry ], [ %j, %body ]
  %s = phi i32 [ 0, %entry ], [ %v, %body ]
  %c = icmp ult i8 %i, %n
  br i1 %c, label %body, label %exit
body:
  %v = load i32, ptr %p, align 1, !tbaa !7
  %j = add nuw i8 %i, 1
  br label %head
exit:
  ret i32 %s
}
define i32 @tgt_tbaa_out_of_loop(ptr noundef dereferenceable(4) %p, ptr noundef dereferenceable(4) %q, i8 noundef %n) {
entry:
  store float 1.0, ptr %q, align 1, !tbaa !9
  %v = load i32, ptr %p, align 1, !tbaa !7
  br label %head
head:
  %i = phi i8 [ 0, %entry ], [ %j, %body ]
  %s = phi i32 [ 0, %entry ], [ %v, %body ]
  %c = icmp ult i8 %i, %n
  br i1 %c, label %body, label %exit
body:
  %j = add nuw i8 %i, 1
  br label %head
exit:
  ret i32 %s
}

; The call need not return.
define i32 @src_tbaa_before_a_call(ptr noundef dereferenceable(4) %p, ptr noundef dereferenceable(4) %q) nofree nosync {
  store float 1.0, ptr %q, align 1, !tbaa !9
  call void @ends(i32 1)
  %v = load i32, ptr %p, align 1, !tbaa !7
  ret i32 %v
}
define i32 @tgt_tbaa_before_a_call(ptr noundef dereferenceable(4) %p, ptr noundef dereferenceable(4) %q) nofree nosync {
  store float 1.0, ptr %q, align 1, !tbaa !9
  %v = load i32, ptr %p, align 1, !tbaa !7
  call void @ends(i32 1)
  ret i32 %v
}

define i32 @src_tbaa_of_both_arms(ptr noundef %p, ptr noundef %q, i1 noundef %c) {
  store float 1.0, ptr %q, align 1, !tbaa !9
  br i1 %c, label %a, label %b
a:
  %v = load i32, ptr %p, align 1, !tbaa !7, !noundef !0
  ret i32 %v
b:
  %w = load i32, ptr %p, align 1, !tbaa !7, !noundef !0
  %x = add i32 %w, 1
  ret i32 %x
}
define i32 @tgt_tbaa_of_both_arms(ptr noundef %p, ptr noundef %q, i1 noundef %c) {
  store float 1.0, ptr %q, align 1, !tbaa !9
  %v = load i32, ptr %p, align 1, !tbaa !7, !noundef !0
  br i1 %c, label %a, label %b
a:
  ret i32 %v
b:
  %x = add i32 %v, 1
  ret i32 %x
}

define i32 @src_tbaa_out_of_rotated_loop(ptr noundef %p, ptr noundef %q, i8 noundef %n) {
entry:
  store float 1.0, ptr %q, align 1, !tbaa !9
  %g = icmp ult i8 0, %n
  br i1 %g, label %body, label %exit
body:
  %i = phi i8 [ 0, %entry ], [ %j, %body ]
  %v = load i32, ptr %p, align 1, !tbaa !7, !noundef !0
  %j = add nuw i8 %i, 1
  %c = icmp ult i8 %j, %n
  br i1 %c, label %body, label %exit
exit:
  %s = phi i32 [ 0, %entry ], [ %v, %body ]
  ret i32 %s
}
define i32 @tgt_tbaa_out_of_rotated_loop(ptr noundef %p, ptr noundef %q, i8 noundef %n) {
entry:
  store float 1.0, ptr %q, align 1, !tbaa !9
  %g = icmp ult i8 0, %n
  br i1 %g, label %before, label %exit
before:
  %v = load i32, ptr %p, align 1, !tbaa !7, !noundef !0
  br label %body
body:
  %i = phi i8 [ 0, %before ], [ %j, %body ]
  %j = add nuw i8 %i, 1
  %c = icmp ult i8 %j, %n
  br i1 %c, label %body, label %exit
exit:
  %s = phi i32 [ 0, %entry ], [ %v, %body ]
  ret i32 %s
}

; The test of the first iteration is before the loop.
define i32 @src_tbaa_in_rotated_loop(ptr noundef dereferenceable(4) %p, ptr noundef dereferenceable(4) %q, i8 noundef %n) {
entry:
  store float 1.0, ptr %q, align 1, !tbaa !9
  br label %head
head:
  %i = phi i8 [ 0, %entry ], [ %j, %body ]
  %s = phi i32 [ 0, %entry ], [ %v, %body ]
  %c = icmp ult i8 %i, %n
  br i1 %c, label %body, label %exit
body:
  %v = load i32, ptr %p, align 1, !tbaa !7, !noundef !0
  %j = add nuw i8 %i, 1
  br label %head
exit:
  ret i32 %s
}
define i32 @tgt_tbaa_in_rotated_loop(ptr noundef dereferenceable(4) %p, ptr noundef dereferenceable(4) %q, i8 noundef %n) {
entry:
  store float 1.0, ptr %q, align 1, !tbaa !9
  %g = icmp ult i8 0, %n
  br i1 %g, label %body, label %exit
body:
  %i = phi i8 [ 0, %entry ], [ %j, %body ]
  %v = load i32, ptr %p, align 1, !tbaa !7, !noundef !0
  %j = add nuw i8 %i, 1
  %c = icmp ult i8 %j, %n
  br i1 %c, label %body, label %exit
exit:
  %s = phi i32 [ 0, %entry ], [ %v, %body ]
  ret i32 %s
}

; A scope that begins outside the loop is the same in all iterations.
define i32 @src_scope_of_all_iterations(ptr noundef %p, ptr noundef %q, i32 noundef %n) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  %pi = getelementptr inbounds i32, ptr %p, i32 %i
  %qi = getelementptr inbounds i32, ptr %q, i32 %i
  %v = load i32, ptr %pi, align 4, !noalias !3
  store i32 %v, ptr %qi, align 4, !alias.scope !3
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %e
e:
  ret i32 0
}
define i32 @tgt_scope_of_all_iterations(ptr noundef %p, ptr noundef %q, i32 noundef %n) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %pi = getelementptr inbounds i32, ptr %p, i32 %i
  %qi = getelementptr inbounds i32, ptr %q, i32 %i
  %v = load i32, ptr %pi, align 4, !noalias !3
  store i32 %v, ptr %qi, align 4, !alias.scope !3
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %e
e:
  ret i32 0
}

define void @src_parallel_added(ptr noundef %p, i32 noundef %n) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %v = load i32, ptr %p, align 4, !llvm.access.group !10
  %w = add i32 %v, %i
  store i32 %w, ptr %p, align 4, !llvm.access.group !10
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %e
e:
  ret void
}
define void @tgt_parallel_added(ptr noundef %p, i32 noundef %n) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %v = load i32, ptr %p, align 4, !llvm.access.group !10
  %w = add i32 %v, %i
  store i32 %w, ptr %p, align 4, !llvm.access.group !10
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %e, !llvm.loop !11
e:
  ret void
}

define void @src_parallel_of_outer_loop(ptr noundef %p, i32 noundef %n) {
entry:
  br label %o
o:
  %i = phi i32 [ 0, %entry ], [ %i1, %ol ]
  br label %l
l:
  %j = phi i32 [ 0, %o ], [ %j1, %l ]
  %q = getelementptr inbounds i32, ptr %p, i32 %j
  store i32 %i, ptr %q, align 4, !llvm.access.group !10
  %j1 = add nuw nsw i32 %j, 1
  %c = icmp ult i32 %j1, 2
  br i1 %c, label %l, label %ol, !llvm.loop !11
ol:
  %i1 = add nuw i32 %i, 1
  %d = icmp ult i32 %i1, %n
  br i1 %d, label %o, label %e
e:
  ret void
}
define void @tgt_parallel_of_outer_loop(ptr noundef %p, i32 noundef %n) {
entry:
  br label %o
o:
  %i = phi i32 [ 0, %entry ], [ %i1, %ol ]
  br label %l
l:
  %j = phi i32 [ 0, %o ], [ %j1, %l ]
  %q = getelementptr inbounds i32, ptr %p, i32 %j
  store i32 %i, ptr %q, align 4, !llvm.access.group !10
  %j1 = add nuw nsw i32 %j, 1
  %c = icmp ult i32 %j1, 2
  br i1 %c, label %l, label %ol
ol:
  %i1 = add nuw i32 %i, 1
  %d = icmp ult i32 %i1, %n
  br i1 %d, label %o, label %e, !llvm.loop !11
e:
  ret void
}

define i32 @src_parallel_kept(ptr noundef %p, i32 noundef %n) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %v = load i32, ptr %p, align 4, !llvm.access.group !10, !noundef !0
  %w = add i32 %v, %i
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %e, !llvm.loop !11
e:
  ret i32 %w
}
define i32 @tgt_parallel_kept(ptr noundef %p, i32 noundef %n) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %v = load i32, ptr %p, align 4, !llvm.access.group !10, !noundef !0
  %w = add i32 %i, %v
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %e, !llvm.loop !11
e:
  ret i32 %w
}

define i32 @src_launder_dropped(ptr noundef dereferenceable(4) align 4 %p, i32 noundef %x) {
  store i32 1, ptr %p, align 4, !invariant.group !0
  %v = load i32, ptr %p, align 4, !invariant.group !0
  %p2 = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  store i32 %x, ptr %p2, align 4, !invariant.group !0
  %w = load i32, ptr %p2, align 4, !invariant.group !0
  %r = add i32 %v, %w
  ret i32 %r
}
define i32 @tgt_launder_dropped(ptr noundef dereferenceable(4) align 4 %p, i32 noundef %x) {
  store i32 1, ptr %p, align 4, !invariant.group !0
  %v = load i32, ptr %p, align 4, !invariant.group !0
  store i32 %x, ptr %p, align 4, !invariant.group !0
  %w = load i32, ptr %p, align 4, !invariant.group !0
  %r = add i32 %v, %w
  ret i32 %r
}

define void @src_precision_of_another(ptr noundef %p, float noundef %x, float noundef %y, float noundef %z) {
  %a = fdiv float %x, %y, !fpmath !13
  %b = fdiv float %x, %z
  store float %a, ptr %p, align 1
  %q = getelementptr i8, ptr %p, i64 4
  store float %b, ptr %q, align 1
  ret void
}
define void @tgt_precision_of_another(ptr noundef %p, float noundef %x, float noundef %y, float noundef %z) {
  %a = fdiv float %x, %y
  %b = fdiv float %x, %z, !fpmath !13
  store float %a, ptr %p, align 1
  %q = getelementptr i8, ptr %p, i64 4
  store float %b, ptr %q, align 1
  ret void
}

define void @src_kcfi_type_changed() !kcfi_type !14 {
  ret void
}
define void @tgt_kcfi_type_changed() !kcfi_type !15 {
  ret void
}
define void @src_kcfi_type_dropped() !kcfi_type !14 {
  ret void
}
define void @tgt_kcfi_type_dropped() {
  ret void
}

!0 = !{}
!1 = distinct !{!1}
!2 = distinct !{!2, !1}
!3 = !{!2}
!4 = !{!"root"}
!5 = !{!"char", !4, i64 0}
!6 = !{!"int", !5, i64 0}
!7 = !{!6, !6, i64 0}
!8 = !{!"float", !5, i64 0}
!9 = !{!8, !8, i64 0}
!10 = distinct !{}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.parallel_accesses", !10}
!13 = !{float 2.5}
!14 = !{i32 305419896}
!15 = !{i32 7}
