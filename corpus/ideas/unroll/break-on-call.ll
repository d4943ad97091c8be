; for (i in 0 to N) { if (cant_analyze()) break; g_a = 5; }: in the unrolled loop the second store of
; 5 is redundant only if the call does not write g_a.
; From loop-opt-ideas.rst: Unroll Heuristics.

@g_a = global i32 0

declare i1 @cant_analyze()

define void @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %check, label %exit

check:
  %stop = call i1 @cant_analyze()
  br i1 %stop, label %exit, label %body

body:
  store i32 5, ptr @g_a
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

; The call reads at most: five is there once it has been stored.
declare i1 @looks() memory(read) nounwind

define void @g(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %check, label %exit

check:
  %stop = call i1 @looks()
  br i1 %stop, label %exit, label %body

body:
  store i32 5, ptr @g_a
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}
