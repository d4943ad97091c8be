; The single exit block of the loop branches itself, so it has to be split before it can be a region's
; exit.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Loop single exit massaging.

define i32 @f(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 3
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %i.lcssa = phi i32 [ %i.next, %loop ]
  %exact = icmp eq i32 %i.lcssa, %n
  br i1 %exact, label %yes, label %no

yes:
  ret i32 1

no:
  ret i32 0
}
