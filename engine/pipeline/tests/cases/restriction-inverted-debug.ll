; early-exit-inversion
define i32 @f(i32 %a, i32 %n, ptr %p) !dbg !5 {
ph:
  br label %header
header:
  %h = phi i32 [ 0, %ph ], [ %m, %latch ]
  %iv = phi i32 [ 0, %ph ], [ %iv.next, %latch ]
  %cmp = icmp slt i32 %iv, %a
  br i1 %cmp, label %taken, label %latch
taken:
  %next = add i32 %h, 5
  store volatile i32 %h, ptr %p
  br label %latch
latch:
  %m = phi i32 [ %next, %taken ], [ %h, %header ]
  %iv.next = add nsw i32 %iv, 1
  %c = icmp slt i32 %iv.next, %n
  br i1 %c, label %header, label %exit
exit:
  %r = phi i32 [ %m, %latch ]
    #dbg_value(i32 %iv, !9, !DIExpression(), !11)
    #dbg_value(i32 %h, !12, !DIExpression(), !11)
    #dbg_value(i32 %iv.next, !13, !DIExpression(), !11)
  ret i32 %r, !dbg !11
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!3 = !{i32 2, !"Dwarf Version", i32 4}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !8)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !{!9, !12, !13}
!9 = !DILocalVariable(name: "i", scope: !5, file: !1, line: 2, type: !10)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = !DILocation(line: 3, column: 1, scope: !5)
!12 = !DILocalVariable(name: "h", scope: !5, file: !1, line: 2, type: !10)
!13 = !DILocalVariable(name: "k", scope: !5, file: !1, line: 2, type: !10)
