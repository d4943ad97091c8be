; hir-interchange,hir-distribute
; Debug records of values are kept if distribution leaves the values in the same iterations; the value of a sum before
; an iteration is unknown in another order.

define i32 @f(ptr noalias %p, ptr noalias %q, i64 %n) !dbg !4 {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.out, %latch ]
    #dbg_value(i32 %s, !8, !DIExpression(), !11)
  br label %loop
loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %t = phi i32 [ %s, %outer ], [ %t.next, %loop ]
    #dbg_value(i32 %t, !8, !DIExpression(), !11)
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %i
  %v = load i32, ptr %at, align 4
    #dbg_value(i32 %t, !9, !DIExpression(), !11)
  %w = add nsw i32 %v, 1
  store i32 %w, ptr %at, align 4, !DIAssignID !12
    #dbg_assign(i32 %w, !9, !DIExpression(), !12, ptr %at, !DIExpression(), !11)
  %t.next = add i32 %t, %v
    #dbg_value(i32 %t.next, !8, !DIExpression(), !11)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %latch
latch:
  %s.out = phi i32 [ %t.next, %loop ]
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 100
  br i1 %again, label %outer, label %exit
exit:
  %r = phi i32 [ %s.out, %latch ]
  ret i32 %r
}
define void @d(ptr noalias %p, ptr noalias %q, ptr noalias %r, i64 %n) !dbg !5 {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %j
  %v = load i32, ptr %at, align 4
  %w = add nsw i32 %v, 1
  store i32 %w, ptr %at, align 4, !DIAssignID !13
    #dbg_assign(i32 %w, !10, !DIExpression(), !13, ptr %at, !DIExpression(), !14)
  %b = getelementptr inbounds i32, ptr %q, i64 %j
  %x = load i32, ptr %b, align 4
  %j.next = add nuw nsw i64 %j, 1
  %a = getelementptr inbounds i32, ptr %q, i64 %j.next
  %y = add i32 %x, 3
  store i32 %y, ptr %a
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "d", file: !1, line: 9, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "s", scope: !4, file: !1, line: 2, type: !6)
!9 = !DILocalVariable(name: "v", scope: !4, file: !1, line: 2, type: !6)
!10 = !DILocalVariable(name: "w", scope: !5, file: !1, line: 9, type: !6)
!11 = !DILocation(line: 3, scope: !4)
!12 = distinct !DIAssignID()
!13 = distinct !DIAssignID()
!14 = !DILocation(line: 9, scope: !5)
