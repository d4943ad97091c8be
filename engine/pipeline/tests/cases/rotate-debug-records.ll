; loop-rotate
; Debug records of the header are copied with the values that they describe; one after the loop refers to the phi.
define i32 @f(i32 %n) !dbg !5 {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
    #dbg_value(i32 %i, !8, !DIExpression(), !9)
  %c = icmp slt i32 %i, %n
    #dbg_value(i1 %c, !8, !DIExpression(), !9)
  br i1 %c, label %body, label %exit
body:
    #dbg_value(i32 %i, !8, !DIExpression(), !9)
  %i.next = add i32 %i, 1
  br label %header
exit:
    #dbg_value(i32 %i, !8, !DIExpression(), !9)
    #dbg_value(i1 %c, !8, !DIExpression(), !9)
  ret i32 %i
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/")
!5 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !6, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocalVariable(name: "i", scope: !5, file: !2, line: 1)
!9 = !DILocation(line: 1, scope: !5)
