; Every construct that the parser knows, in one module that LLVM 22's llvm-as takes. Its spelling is checked by
; reading, printing and reading again; cut anywhere, it must give an error or a module.
source_filename = "fea\C3\A4tures.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128-A5"
target triple = "x86_64-unknown-linux-gnu"
module asm "/* kept { */"

$c1 = comdat any
$"c 2" = comdat largest

%pair = type { i32, ptr }
%0 = type <{ i8, i64 }>
%"0" = type { %pair, [2 x %0] }
%"odd name" = type opaque
%list = type { i32, %list2 }
%list2 = type { [0 x i8] }
%word = type i32

@g0 = global i32 7, align 4
@g1 = external global [4 x i32]
@g2 = private unnamed_addr constant [6 x i8] c"a\22\5C\00\FFz", align 1
@g3 = internal thread_local(initialexec) global %pair { i32 -1, ptr @g0 }, section "sec", comdat($c1), !dbg !20
@g4 = dso_local local_unnamed_addr addrspace(1) externally_initialized global i64 0
@g5 = weak_odr hidden global ptr getelementptr inbounds nuw ([4 x i32], ptr @g1, i64 0, i64 2), comdat($"c 2"), align 8
@g6 = common global [3 x float] zeroinitializer
@g7 = constant <4 x i16> <i16 1, i16 undef, i16 poison, i16 -4>
@g8 = constant <2 x i32> splat (i32 5)
@g9 = global i64 ptrtoint (ptr @g0 to i64)
@g10 = global i64 sub nuw nsw (i64 ptrtoint (ptr @g1 to i64), i64 ptrtoint (ptr @g0 to i64))
@g11 = global ptr addrspace(3) addrspacecast (ptr @g0 to ptr addrspace(3))
@g12 = global i128 -170141183460469231731687303715884105728
@g13 = global [2 x double] [double 1.0e+00, double 0x7FF8000000000000]
@g14 = global [4 x half] [half 0xH3C00, half 1.5, half -0.0, half 0x3FF0000000000000]
@g15 = global x86_fp80 0xK3FFF8000000000000000
@g16 = global fp128 0xL00000000000000003FFF000000000000
@g17 = global ppc_fp128 0xM3FF00000000000000000000000000000
@g18 = global bfloat 0xR3F80
@g19 = global %0 <{ i8 u0xFF, i64 s0x80 }>
@g20 = global ptr getelementptr inbounds inrange(-4, 4) (i8, ptr @g1, i64 4)
@g21 = global i256 123
@g22 = global ptr blockaddress(@jumps, %target)
@g23 = global ptr no_cfi @declared
@0 = global i32 0
@"quoted \22name\22" = global i32 0
@"7" = global i1 true
@g24 = extern_weak global i32
@a1 = alias i32, ptr @g0
@a2 = hidden alias i8, getelementptr (i8, ptr @g0, i64 2)
@if1 = ifunc void (), ptr @resolver

declare !dbg !21 ptr @declared(ptr noalias readonly captures(none) dereferenceable(8) align 8, i32 signext, ...) #0
declare void @variadic(...)
declare noundef nonnull align 16 dereferenceable_or_null(4) ptr @attrs(i32 range(i32 0, 10) noundef %x, ptr writeonly align(8) %y, ptr byval(i64) initializes((0, 4)) %z, float nofpclass(nan inf) %w, ptr captures(address, read_provenance) dead_on_return %v) local_unnamed_addr nounwind memory(read, argmem: readwrite, inaccessiblemem: none) allocsize(0) "key" "k"="v\0A" section "text" align 32 gc "shadow-stack"
declare void @old(ptr nocapture readnone) readonly argmemonly
declare void @old2() inaccessiblemem_or_argmemonly willreturn
declare i32 @personality_fn(...)
declare void @structs(ptr sret(%pair) align 8)
declare <vscale x 4 x i32> @scal(<vscale x 4 x i32>)

define internal fastcc ptr @resolver() unnamed_addr {
  ret ptr null
}

define i32 @arith(i32 %a, i32 noundef %"b c", i1 %c, i32 %0) #1 personality ptr @personality_fn {
"entry block":
  %x = add nuw nsw i32 %a, %"b c"
  %1 = sub i32 %x, 1
  %2 = mul nsw i32 %1, %0
  %3 = udiv exact i32 %2, 3
  %4 = sdiv i32 %3, -3
  %5 = urem i32 %4, 5
  %6 = srem i32 %5, 7
  %7 = shl nuw i32 %6, 1
  %8 = lshr exact i32 %7, 1
  %9 = ashr i32 %8, 1
  %10 = and i32 %9, 255
  %11 = or disjoint i32 %10, 256
  %12 = xor i32 %11, -1
  %t = trunc nuw nsw i32 %12 to i8
  %z = zext nneg i8 %t to i64
  %s = sext i8 %t to %word
  %f = uitofp nneg i64 %z to double
  %g = fptrunc nnan double %f to float
  %h = fpext float %g to double
  %i = fptosi double %h to i32
  %j = bitcast i32 %i to <2 x i16>
  %cmp = icmp samesign ult i32 %i, %s
  %fc = fcmp nnan ninf oeq double %h, 1.5
  %sel = select i1 %cmp, i32 %i, i32 %s
  %fsel = select fast <2 x i1> <i1 true, i1 false>, <2 x float> zeroinitializer, <2 x float> <float 1.0, float -2.5>
  %fr = freeze i32 %sel
  %neg = fneg contract double %h
  %fa = fadd reassoc nsz arcp afn double %neg, 0x4000000000000000
  br i1 %fc, label %loop, label %exit, !prof !0

loop:                                             ; preds = %loop
  %iv = phi i32 [ 0, %"entry block" ], [ %iv.next, %loop ]
  %fphi = phi fast float [ 0.0, %"entry block" ], [ %fphi, %loop ]
  %iv.next = add i32 %iv, 1
  switch i32 %iv.next, label %loop [
    i32 5, label %exit
    i32 -6, label %13
  ], !llvm.loop !1

13:
  unreachable

exit:
  %r = phi i32 [ %fr, %"entry block" ], [ %iv, %loop ]
  ret i32 %r
}

define void @memory(ptr %p, ptr addrspace(1) %q, i64 %n) addrspace(0) {
  %a = alloca i32, align 4, addrspace(5)
  %b = alloca [4 x i8], i64 %n, align 16
  %l = load volatile i32, ptr %p, align 4, !range !2, !noundef !{}
  %la = load atomic i32, ptr %p syncscope("agent") acquire, align 4
  store i32 %l, ptr addrspace(5) %a, !tbaa !3
  store atomic volatile i32 %la, ptr %p seq_cst, align 4
  %g = getelementptr inbounds %pair, ptr %p, i64 %n, i32 1
  %g2 = getelementptr nusw nuw i8, ptr %p, i64 1
  %gv = getelementptr i32, ptr %p, <2 x i64> <i64 0, i64 1>
  %ca = addrspacecast ptr addrspace(1) %q to ptr
  %rmw = atomicrmw volatile umax ptr %p, i32 1 monotonic, align 4
  %rmwf = atomicrmw fadd ptr %p, float 1.0 syncscope("x") acq_rel
  %cx = cmpxchg weak ptr %p, i32 0, i32 1 acq_rel monotonic
  %ok = extractvalue { i32, i1 } %cx, 1
  %agg = insertvalue %pair poison, i32 4, 0, !annotation !4
  fence syncscope("singlethread") seq_cst
  %v0 = insertelement <4 x i32> poison, i32 1, i32 0
  %v1 = shufflevector <4 x i32> %v0, <4 x i32> undef, <4 x i32> zeroinitializer
  %v2 = shufflevector <4 x i32> %v1, <4 x i32> %v0, <2 x i32> <i32 7, i32 poison>
  %e = extractelement <2 x i32> %v2, i64 1
  %pi = ptrtoint ptr %p to i64
  %pa = ptrtoaddr ptr %p to i64
  %ip = inttoptr i64 %pi to ptr
  %va = va_arg ptr %p, i32
  ret void
}

define i32 @calls(ptr %fp, i32 %x) personality ptr @personality_fn !dbg !22 {
entry:
  %c = tail call fastcc i32 %fp(i32 signext %x, ptr @g0) #2, !dbg !23
  %d = call i32 (ptr, i32, ...) @declared2(ptr null, i32 1, double 2.0) nounwind "attr" [ "deopt"(i32 %x, ptr %fp), "empty"() ]
  %u = call i32 @llvm.umax.i32(i32 %x, i32 3)
  call cc 10 void @variadic()
  call void (...) @variadic(i32 1) memory(none)
  %m = notail call fast nofpclass(nan) float @fl(float inreg 1.0)
  call void @llvm.assume(i1 true) [ "align"(ptr %fp, i64 8) ]
    #dbg_value(i32 %c, !24, !DIExpression(DW_OP_plus_uconst, 1), !23)
    #dbg_value(!DIArgList(i32 %c, i32 %x), !24, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !23)
    #dbg_declare(ptr %fp, !24, !DIExpression(), !23)
  %s = call i64 @llvm.read_register.i64(metadata !5)
  %q = call double @llvm.experimental.constrained.fadd.f64(double 1.0, double 2.0, metadata !"round.dynamic", metadata !"fpexcept.strict")
  %in = invoke i32 @may_throw(i32 %x)
          to label %fine unwind label %pad

fine:
  ret i32 %in

pad:
  %lp = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr @g0]
  resume { ptr, i32 } %lp
}

declare i32 @declared2(ptr, i32, ...)
declare i32 @may_throw(i32)
declare float @fl(float)
declare i64 @llvm.read_register.i64(metadata)

define void @jumps(ptr %p) {
  indirectbr ptr %p, [label %target, label %1]
1:
  ret void
target:
  ret void
}

define void @assembly() {
  call void asm sideeffect "nop } ; {", "~{memory}"()
  ret void
}

define <vscale x 4 x i32> @scalable(<vscale x 4 x i32> %v) {
  ret <vscale x 4 x i32> %v
}

define void @tail_and_more(ptr %p) prefix i32 4 prologue i8 1 {
  musttail call void @tail_and_more(ptr %p)
  ret void
}

attributes #0 = { nounwind willreturn memory(argmem: read) "no-builtins" alignstack=16 uwtable(sync) }
attributes #1 = { mustprogress norecurse vscale_range(1,2) allockind("alloc,zeroed") }
attributes #2 = { nomerge }

!named = !{!0, !1, !DIExpression()}
!llvm.dbg.cu = !{!25}
!llvm.module.flags = !{!26}
!0 = !{!"branch_weights", i32 1, i32 -1}
!1 = distinct !{!1, !{!"llvm.loop.mustprogress"}, null}
!2 = !{i32 0, i32 10}
!3 = !{!6, !6, i64 0}
!4 = !{!"auto-init \22x\22"}
!5 = !{!"sp\00"}
!6 = !{!"int", !7}
!7 = !{!"root"}
!8 = !{ptr @g0, i256 5, ptr @arith}
!20 = !DIGlobalVariableExpression(var: !27, expr: !DIExpression())
!21 = !DISubprogram(name: "declared", scope: !28, file: !28, line: 1, type: !29, spFlags: 0)
!22 = distinct !DISubprogram(name: "calls", scope: !28, file: !28, line: 2, type: !29, spFlags: DISPFlagDefinition, unit: !25)
!23 = !DILocation(line: 3, column: 1, scope: !22)
!24 = !DILocalVariable(name: "x", scope: !22, file: !28, line: 3, type: !30)
!25 = distinct !DICompileUnit(language: DW_LANG_C99, file: !28, producer: "hand { \22", emissionKind: FullDebug, globals: !{!20})
!26 = !{i32 2, !"Debug Info Version", i32 3}
!27 = distinct !DIGlobalVariable(name: "g3", scope: !25, file: !28, line: 9, type: !30, isDefinition: true)
!28 = !DIFile(filename: "a.c", directory: "/")
!29 = !DISubroutineType(types: !{null})
!30 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
