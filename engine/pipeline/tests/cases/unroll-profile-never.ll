; loop-unroll<runtime;peeling;profile-peeling;machine=in-order>
; The function was never called, so no gain justifies its growth.
define void @f(ptr %a, i64 %n) !prof !0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %d = icmp ult i64 %i.next, %n
  br i1 %d, label %loop, label %exit, !prof !1
exit:
  ret void
}
; Few iterations: the loop would be fully unrolled if the function were called.
define void @g(ptr %a) !prof !0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %d = icmp ult i64 %i.next, 8
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
!0 = !{!"function_entry_count", i64 0}
!1 = !{!"branch_weights", i32 2, i32 1}
