; The bits of a NaN that a masked store stores.
; judged nan_bits_of_lanes: if @tgt_nan_bits_of_lanes keeps !tbaa

define void @src_nan_bits_of_lanes(ptr noundef dereferenceable(4) align 4 %p, <1 x float> noundef %x, <1 x float> noundef %y) {
entry:
  %s = fadd <1 x float> %x, %y
%s2=fadd <1 x float> %x, %y
%a1=alloca float
%a2=alloca float
  call void @llvm.masked.store.v1f32.p0(<1 x float> %s, ptr %a1, i32 4, <1 x i1> <i1 1>)
%b1=load i32, ptr %a1
%c1=icmp slt i32 %b1, 0
  call void @llvm.masked.store.v1f32.p0(<1 x float> %s, ptr %a2, i32 4, <1 x i1> <i1 1>)
%b2=load i32, ptr %a2
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
define void @tgt_nan_bits_of_lanes(ptr noundef dereferenceable(4) align 4 %p, <1 x float> noundef %x, <1 x float> noundef %y) {
entry:
  %s = fadd <1 x float> %x, %y
%s2=fadd <1 x float> %x, %y
%a1=alloca float
%a2=alloca float
  call void @llvm.masked.store.v1f32.p0(<1 x float> %s, ptr %a1, i32 4, <1 x i1> <i1 1>)
%b1=load i32, ptr %a1
%c1=icmp slt i32 %b1, 0
  call void @llvm.masked.store.v1f32.p0(<1 x float> %s2, ptr %a2, i32 4, <1 x i1> <i1 1>)
%b2=load i32, ptr %a2
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
!6 = !{}
declare void @llvm.masked.store.v1f32.p0(<1 x float>,ptr,i32,<1 x i1>)
