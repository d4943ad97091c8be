; loop-vectorize<force-vector-width=4>
define i32 @del(i32 %n, ptr %p) !dbg !20 {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %in, %h ]
    #dbg_value(i32 %i, !22, !DIExpression(), !21)
  %g = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %g
  %in = add nuw nsw i32 %i, 1
  %d = icmp ult i32 %in, %n
  br i1 %d, label %h, label %x
x:
    #dbg_value(i32 %in, !22, !DIExpression(), !21)
  ret i32 0, !dbg !21
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
!8 = !{!9, !12}
!9 = !DILocalVariable(name: "i", scope: !5, file: !1, line: 2, type: !10)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = !DILocation(line: 3, column: 1, scope: !5)
!12 = !DILocalVariable(name: "h", scope: !5, file: !1, line: 2, type: !10)
!20 = distinct !DISubprogram(name: "del", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = !DILocation(line: 3, column: 1, scope: !20)
!22 = !DILocalVariable(name: "i", scope: !20, file: !1, line: 2, type: !10)
