; loop(loop-idiom),loop-unroll<runtime;count=4>
; New instructions get the location of the loop's branch; a call that replaces a store gets the location of the store.
define void @f(i32 %n, ptr %p) !dbg !5 {
entry:
  br label %h, !dbg !11
h:
  %i = phi i32 [ 0, %entry ], [ %i.n, %h ], !dbg !12
  store volatile i32 %i, ptr %p, !dbg !15
  %i.n = add nsw i32 %i, 1, !dbg !16
  %c = icmp ult i32 %i.n, %n, !dbg !13
  br i1 %c, label %h, label %ex, !dbg !14, !llvm.loop !17
ex:
  ret void, !dbg !16
}
define void @clear(ptr %p) !dbg !25 {
entry:
  br label %h, !dbg !26
h:
  %i = phi i64 [ 0, %entry ], [ %i.n, %h ], !dbg !26
  %q = getelementptr i32, ptr %p, i64 %i, !dbg !26
  store i32 0, ptr %q, !dbg !28
  %i.n = add nuw nsw i64 %i, 1, !dbg !26
  %c = icmp ult i64 %i.n, 1000, !dbg !26
  br i1 %c, label %h, label %ex, !dbg !26
ex:
  ret void, !dbg !26
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!11 = !DILocation(line: 4, column: 1, scope: !5)
!12 = !DILocation(line: 4, column: 2, scope: !5)
!13 = !DILocation(line: 4, column: 3, scope: !5)
!14 = !DILocation(line: 4, column: 4, scope: !5)
!15 = !DILocation(line: 5, column: 5, scope: !5)
!16 = !DILocation(line: 6, column: 6, scope: !5)
!17 = distinct !{!17, !11, !16}
!25 = distinct !DISubprogram(name: "clear", scope: !1, file: !1, line: 30, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!26 = !DILocation(line: 31, column: 1, scope: !25)
!28 = !DILocation(line: 32, column: 7, scope: !25)
