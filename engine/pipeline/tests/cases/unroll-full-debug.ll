; loop-unroll-full<full-unroll-max=10>
; Debug records of a variable in an otherwise empty block are kept in each copy.
declare i1 @q(i32)
define i32 @f(i32 %n) !dbg !5 {
entry:
    #dbg_value(i32 77, !9, !DIExpression(), !10)
  br label %h, !dbg !10
h:
  %o = phi i32 [ 0, %entry ], [ %o1, %latch ]
  %c = call i1 @q(i32 %n), !dbg !10
  br i1 %c, label %latch, label %out, !dbg !10
latch:
    #dbg_value(i32 5, !9, !DIExpression(), !10)
  %o1 = add i32 %o, 1, !dbg !10
  %e = icmp ult i32 %o1, 2, !dbg !10
  br i1 %e, label %h, label %out, !dbg !10
out:
  ret i32 %n, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "x.c", directory: "/")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: null, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 1, type: !8)
!10 = !DILocation(line: 2, column: 1, scope: !5)
