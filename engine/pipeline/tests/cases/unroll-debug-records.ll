; loop-unroll-full<full-unroll-max=8>
; Debug records in the loop are copied with it; those after it refer to the values of the last copy.
define i32 @f(ptr %p) !dbg !5 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = load volatile i32, ptr %p
  %y = mul i32 %x, %x
  store volatile i32 %y, ptr %p
    #dbg_value(i32 %y, !9, !DIExpression(), !11)
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 3
  br i1 %c, label %loop, label %exit
exit:
  %l = phi i32 [ %x, %loop ]
    #dbg_value(i32 %y, !9, !DIExpression(), !11)
    #dbg_value(i32 %i, !9, !DIExpression(), !11)
  ret i32 %l
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
!8 = !{!9}
!9 = !DILocalVariable(name: "a", scope: !5, file: !1, line: 2, type: !10)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = !DILocation(line: 2, column: 1, scope: !5)
