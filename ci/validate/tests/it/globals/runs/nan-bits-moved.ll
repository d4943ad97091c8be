; The bits of a NaN, by way of a copy of memory.
; judged nan_bits_moved: if @tgt_nan_bits_moved keeps !tbaa

define void @src_nan_bits_moved(ptr noundef dereferenceable(4) align 4 %p, float noundef %x, float noundef %y) {
entry:
  %s = fadd float %x, %y
%s2=fadd float %x, %y
%a1=alloca float
%a2=alloca float
%d1=alloca i32
%d2=alloca i32
  store float %s, ptr %a1, !tbaa !3
call void @llvm.memcpy.p0.p0.i64(ptr %d1, ptr %a1, i64 4, i1 0)
%b1=load i32, ptr %d1, !tbaa !1
%c1=icmp slt i32 %b1, 0
  store float %s, ptr %a2, !tbaa !3
call void @llvm.memcpy.p0.p0.i64(ptr %d2, ptr %a2, i64 4, i1 0)
%b2=load i32, ptr %d2, !tbaa !1
%c2=icmp slt i32 %b2, 0
  store i32 0, ptr %p, align 4
  br i1 %c1, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  br i1 %c2, label %x1, label %z
z:
  store float 1.0, ptr %p, align 4, !tbaa !3
  br label %x1
x1:
  ret void
}
define void @tgt_nan_bits_moved(ptr noundef dereferenceable(4) align 4 %p, float noundef %x, float noundef %y) {
entry:
  %s = fadd float %x, %y
%s2=fadd float %x, %y
%a1=alloca float
%a2=alloca float
%d1=alloca i32
%d2=alloca i32
  store float %s, ptr %a1, !tbaa !3
call void @llvm.memcpy.p0.p0.i64(ptr %d1, ptr %a1, i64 4, i1 0)
%b1=load i32, ptr %d1, !tbaa !1
%c1=icmp slt i32 %b1, 0
  store float %s2, ptr %a2, !tbaa !3
call void @llvm.memcpy.p0.p0.i64(ptr %d2, ptr %a2, i64 4, i1 0)
%b2=load i32, ptr %d2, !tbaa !1
%c2=icmp slt i32 %b2, 0
  store i32 0, ptr %p, align 4
  br i1 %c1, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  br i1 %c2, label %x1, label %z
z:
  store float 1.0, ptr %p, align 4, !tbaa !3
  br label %x1
x1:
  ret void
}

!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
declare void @llvm.memcpy.p0.p0.i64(ptr,ptr,i64,i1)
