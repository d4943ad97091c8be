; Count words, as clang -O1 leaves it: counts words in a string: a small state machine as a switch
; inside a loop.
;
; C source: count-words.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @count_words(ptr noundef readonly captures(none) %s) local_unnamed_addr #0 {
entry:
  br label %for.cond.outer

for.cond.outer:
  %s.addr.0.ph = phi ptr [ %incdec.ptr, %sw.default ], [ %s, %entry ]
  %words.0.ph = phi i32 [ %spec.select, %sw.default ], [ 0, %entry ]
  %tobool.not.ph = phi i32 [ 0, %sw.default ], [ 1, %entry ]
  br label %for.cond

for.cond:
  %s.addr.0 = phi ptr [ %s.addr.0.ph, %for.cond.outer ], [ %incdec.ptr, %for.cond.backedge ]
  %tobool.not = phi i32 [ %tobool.not.ph, %for.cond.outer ], [ 1, %for.cond.backedge ]
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %s.addr.0, i64 1
  %0 = load i8, ptr %s.addr.0, align 1
  switch i8 %0, label %sw.default [
    i8 0, label %sw.bb
    i8 32, label %for.cond.backedge
    i8 10, label %for.cond.backedge
  ]

for.cond.backedge:
  br label %for.cond, !llvm.loop !0

sw.bb:
  ret i32 %words.0.ph

sw.default:
  %spec.select = add nsw i32 %tobool.not, %words.0.ph
  br label %for.cond.outer, !llvm.loop !0
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
