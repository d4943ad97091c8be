; simple-loop-unswitch<nontrivial>
; A guard on an invariant condition: in the version where it holds the guard is removed; in the other one nothing
; follows it.
declare void @effect(i32)
declare void @llvm.experimental.guard(i1, ...)

define i32 @guard(i1 %c, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %header ]
  call void @effect(i32 %i)
  call void (i1, ...) @llvm.experimental.guard(i1 %c) [ "deopt"(i32 %i) ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret i32 %next
}
