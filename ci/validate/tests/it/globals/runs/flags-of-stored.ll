; Flags of the value stored in one branch, before a freeze of the loaded value.
; judged flags_of_stored: if @tgt_flags_of_stored keeps !tbaa

define i32 @src_flags_of_stored(ptr dereferenceable(8) align 4 %p, ptr dereferenceable(4) align 4 %q, i64 noundef %x, i1 noundef %d) {
entry:
  %m = alloca i64
  store float 1.0, ptr %q, align 4, !tbaa !3
  br i1 %d, label %t, label %e
t:
  %s = add i64 %x, 1
  store i64 %s, ptr %m
  br label %j
e:
  store i64 0, ptr %m
  br label %j
j:
  %l = load i64, ptr %m
  %fr = freeze i64 %l
  %b = and i64 %fr, 1
  %a = getelementptr i32, ptr %p, i64 %b
  %v = load i32, ptr %a, align 4, !tbaa !1
  ret i32 0
}
define i32 @tgt_flags_of_stored(ptr dereferenceable(8) align 4 %p, ptr dereferenceable(4) align 4 %q, i64 noundef %x, i1 noundef %d) {
entry:
  %m = alloca i64
  store float 1.0, ptr %q, align 4, !tbaa !3
  br i1 %d, label %t, label %e
t:
  %s = add nuw nsw i64 %x, 1
  store i64 %s, ptr %m
  br label %j
e:
  store i64 0, ptr %m
  br label %j
j:
  %l = load i64, ptr %m
  %fr = freeze i64 %l
  %b = and i64 %fr, 1
  %a = getelementptr i32, ptr %p, i64 %b
  %v = load i32, ptr %a, align 4, !tbaa !1
  ret i32 0
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
