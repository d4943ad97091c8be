; Pairs whose sides have similar but different instructions, nodes or loops. `judged` lines give the pair, and text that
; its verdict must contain.
; judged other_freeze: keeps !tbaa
; judged other_member: keeps !tbaa
; judged other_lane: keeps !tbaa
; judged other_load: keeps !tbaa
; judged other_call: keeps !tbaa
; judged other_phi: keeps !tbaa
; judged other_loaded_pointer: keeps !tbaa
; judged other_variable_offset: keeps !tbaa
; judged same_address_in_other_words: refines, all iterations
; judged one_tag_of_the_target: keeps !tbaa
; judged other_scope: keeps !noalias
; judged other_access_group: llvm.access.group
; judged other_parallel_group: keeps !llvm.loop
; judged deep_type: keeps !tbaa
; judged scope_begins_before_access: keeps !noalias
; judged scope_does_not_begin_again: keeps !noalias
; judged launder_of_another: keeps !invariant.group
; judged other_loop_makes_progress: refuted
; judged written_back_beside_noalias: inconclusive
; judged read_early_beside_noalias: refines, all iterations
; judged read_early_beside_noalias_guarded: refines, all iterations
; judged attribute_of_another_intrinsic_call: noalias
; judged attribute_of_an_intrinsic_call_elsewhere: readonly
; judged tail_of_an_intrinsic_call: tail
; judged musttail_of_another: musttail
; judged other_filter: landing pads
; judged other_catch: landing pads
; judged irreducible_loop_added: irr_loop
; judged noreturn_of_another_intrinsic_call: noreturn
; judged memory_none_of_another_intrinsic_call: memory
; judged broken_noreturn_of_an_intrinsic_call: noreturn
; judged broken_memory_none_of_an_intrinsic_call: memory(none)
; judged broken_memory_none_of_a_library_call: memory(none)
; judged byval_of_an_intrinsic_call: on an argument of a function that LLVM knows
; judged dead_on_return_of_an_intrinsic_call: on an argument of a function that LLVM knows
; judged other_calling_convention: calling convention
; judged other_type_of_a_pointer: inconclusive
; judged no_result_of_a_pointer: inconclusive
; judged too_many_lanes_to_count: more lanes than its type can count
; judged tag_of_one_store: keeps !tbaa
; judged other_personality: landing pads of another personality

declare i32 @other_personality(...)
declare i64 @strlen(ptr)
declare i32 @pure(i32) memory(none) nounwind willreturn
declare i2 @llvm.experimental.cttz.elts.i2.v8i1(<8 x i1>, i1)
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare noundef i1 @choice() nounwind willreturn nofree memory(inaccessiblemem: readwrite)
declare void @next(i32)
declare void @throws()
declare i32 @__gxx_personality_v0(...)
@A = external constant i8
@B = external constant i8

define i32 @src_other_freeze(ptr noundef align 4 dereferenceable(4) %p, i1 %x) {
  %c1 = freeze i1 %x
  %c2 = freeze i1 %x
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @tgt_other_freeze(ptr noundef align 4 dereferenceable(4) %p, i1 %x) {
  %c1 = freeze i1 %x
  %c2 = freeze i1 %x
  br i1 %c2, label %H, label %J
H:
  %early = load i32, ptr %p, align 4, !tbaa !0
  br label %J
J:
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @src_other_member(ptr noundef align 4 dereferenceable(4) %p, { i1, i1 } noundef %s) {
  %c1 = extractvalue { i1, i1 } %s, 0
  %c2 = extractvalue { i1, i1 } %s, 1
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @tgt_other_member(ptr noundef align 4 dereferenceable(4) %p, { i1, i1 } noundef %s) {
  %c1 = extractvalue { i1, i1 } %s, 0
  %c2 = extractvalue { i1, i1 } %s, 1
  br i1 %c2, label %H, label %J
H:
  %early = load i32, ptr %p, align 4, !tbaa !0
  br label %J
J:
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @src_other_lane(ptr noundef align 4 dereferenceable(4) %p, <2 x i1> noundef %s) {
  %t1 = shufflevector <2 x i1> %s, <2 x i1> poison, <2 x i32> zeroinitializer
  %t2 = shufflevector <2 x i1> %s, <2 x i1> poison, <2 x i32> <i32 1, i32 1>
  %c1 = extractelement <2 x i1> %t1, i32 0
  %c2 = extractelement <2 x i1> %t2, i32 0
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @tgt_other_lane(ptr noundef align 4 dereferenceable(4) %p, <2 x i1> noundef %s) {
  %t1 = shufflevector <2 x i1> %s, <2 x i1> poison, <2 x i32> zeroinitializer
  %t2 = shufflevector <2 x i1> %s, <2 x i1> poison, <2 x i32> <i32 1, i32 1>
  %c1 = extractelement <2 x i1> %t1, i32 0
  %c2 = extractelement <2 x i1> %t2, i32 0
  br i1 %c2, label %H, label %J
H:
  %early = load i32, ptr %p, align 4, !tbaa !0
  br label %J
J:
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @src_other_load(ptr noundef align 4 dereferenceable(4) %p, ptr noundef dereferenceable(1) %q, i1 noundef %x) {
  %c1 = load i1, ptr %q, !noundef !{}
  store i1 %x, ptr %q
  %c2 = load i1, ptr %q, !noundef !{}
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @tgt_other_load(ptr noundef align 4 dereferenceable(4) %p, ptr noundef dereferenceable(1) %q, i1 noundef %x) {
  %c1 = load i1, ptr %q, !noundef !{}
  store i1 %x, ptr %q
  %c2 = load i1, ptr %q, !noundef !{}
  br i1 %c2, label %H, label %J
H:
  %early = load i32, ptr %p, align 4, !tbaa !0
  br label %J
J:
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @src_other_call(ptr noundef align 4 dereferenceable(4) %p) {
  %c1 = call i1 @choice()
  %c2 = call i1 @choice()
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @tgt_other_call(ptr noundef align 4 dereferenceable(4) %p) {
  %c1 = call i1 @choice()
  %c2 = call i1 @choice()
  br i1 %c2, label %H, label %J
H:
  %early = load i32, ptr %p, align 4, !tbaa !0
  br label %J
J:
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @src_other_phi(ptr noundef align 4 dereferenceable(4) %p, i1 noundef %x) {
  br i1 %x, label %one, label %two
one:
  br label %both
two:
  br label %both
both:
  %c1 = phi i1 [ true, %one ], [ false, %two ]
  %c2 = phi i1 [ false, %one ], [ true, %two ]
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @tgt_other_phi(ptr noundef align 4 dereferenceable(4) %p, i1 noundef %x) {
  br i1 %x, label %one, label %two
one:
  br label %both
two:
  br label %both
both:
  %c1 = phi i1 [ true, %one ], [ false, %two ]
  %c2 = phi i1 [ false, %one ], [ true, %two ]
  br i1 %c2, label %H, label %J
H:
  %early = load i32, ptr %p, align 4, !tbaa !0
  br label %J
J:
  br i1 %c1, label %A, label %B
A:
  %v = load i32, ptr %p, align 4, !tbaa !0
  ret i32 %v
B:
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret i32 0
}

define i32 @src_other_loaded_pointer(ptr noundef dereferenceable(8) align 8 %a, ptr noundef dereferenceable(8) align 8 %b) {
  %p = load ptr, ptr %a, align 8, !noundef !{}, !dereferenceable !{i64 4}, !align !{i64 4}
  %q = load ptr, ptr %b, align 8, !noundef !{}, !dereferenceable !{i64 4}, !align !{i64 4}
  %v = load i32, ptr %p, align 4, !tbaa !0
  store float 1.0, ptr %q, align 4, !tbaa !1
  ret i32 %v
}

define i32 @tgt_other_loaded_pointer(ptr noundef dereferenceable(8) align 8 %a, ptr noundef dereferenceable(8) align 8 %b) {
  %p = load ptr, ptr %a, align 8, !noundef !{}, !dereferenceable !{i64 4}, !align !{i64 4}
  %q = load ptr, ptr %b, align 8, !noundef !{}, !dereferenceable !{i64 4}, !align !{i64 4}
  %v = load i32, ptr %p, align 4, !tbaa !0
  %early = load i32, ptr %q, align 4, !tbaa !0
  store float 1.0, ptr %q, align 4, !tbaa !1
  ret i32 %v
}

define i32 @src_other_variable_offset(ptr noundef %p, i64 noundef %i, i64 noundef %j) {
  %pi = getelementptr i32, ptr %p, i64 %i
  %pj = getelementptr i32, ptr %p, i64 %j
  %v = load i32, ptr %pi, align 4, !tbaa !0
  store float 1.0, ptr %pj, align 4, !tbaa !1
  ret i32 %v
}

define i32 @tgt_other_variable_offset(ptr noundef %p, i64 noundef %i, i64 noundef %j) {
  %pi = getelementptr i32, ptr %p, i64 %i
  %pj = getelementptr i32, ptr %p, i64 %j
  %v = load i32, ptr %pi, align 4, !tbaa !0
  %early = load i32, ptr %pj, align 4, !tbaa !0
  store float 1.0, ptr %pj, align 4, !tbaa !1
  ret i32 %v
}

define i32 @src_same_address_in_other_words(ptr noundef %p, i64 noundef %i, ptr noundef %q) {
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i8, ptr %a, i64 4
  %v = load i32, ptr %b, align 4, !tbaa !0, !noundef !{}
  store float 1.0, ptr %q, align 4, !tbaa !1
  ret i32 %v
}

define i32 @tgt_same_address_in_other_words(ptr noundef %p, i64 noundef %i, ptr noundef %q) {
  %j = add i64 %i, 1
  %b = getelementptr i32, ptr %p, i64 %j
  %v = load i32, ptr %b, align 4, !tbaa !0, !noundef !{}
  store float 1.0, ptr %q, align 4, !tbaa !1
  ret i32 %v
}

define i32 @src_one_tag_of_the_target(ptr noundef align 4 dereferenceable(4) %p) {
  call void @stores_float(ptr %p)
  %v = load i32, ptr %p, align 4, !noundef !{}
  ret i32 %v
}

define i32 @tgt_one_tag_of_the_target(ptr noundef align 4 dereferenceable(4) %p) {
  call void @stores_float(ptr %p)
  %v = load i32, ptr %p, align 4, !tbaa !0, !noundef !{}
  ret i32 %v
}

define void @stores_float(ptr noundef %p) {
  store float 1.0, ptr %p, align 4, !tbaa !1
  ret void
}

define i32 @src_other_scope(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
  %v = load i32, ptr %p, align 4, !alias.scope !10, !noundef !{}
  store i32 1, ptr %q, align 4, !noalias !11
  ret i32 %v
}

define i32 @tgt_other_scope(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
  %v = load i32, ptr %p, align 4, !alias.scope !10, !noundef !{}
  store i32 1, ptr %q, align 4, !noalias !10
  ret i32 %v
}

define void @src_other_access_group(ptr noundef align 4 %p, i64 noundef %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a, align 4, !llvm.access.group !21
  %b = getelementptr i32, ptr %a, i64 1
  store i32 %v, ptr %b, align 4, !llvm.access.group !21
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %x, !llvm.loop !30
x:
  ret void
}

define void @tgt_other_access_group(ptr noundef align 4 %p, i64 noundef %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a, align 4, !llvm.access.group !20
  %b = getelementptr i32, ptr %a, i64 1
  store i32 %v, ptr %b, align 4, !llvm.access.group !20
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %x, !llvm.loop !30
x:
  ret void
}

define void @src_other_parallel_group(ptr noundef align 4 %p, i64 noundef %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a, align 4, !llvm.access.group !21
  %b = getelementptr i32, ptr %a, i64 1
  store i32 %v, ptr %b, align 4, !llvm.access.group !21
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %x, !llvm.loop !30
x:
  ret void
}

define void @tgt_other_parallel_group(ptr noundef align 4 %p, i64 noundef %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a, align 4, !llvm.access.group !21
  %b = getelementptr i32, ptr %a, i64 1
  store i32 %v, ptr %b, align 4, !llvm.access.group !21
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %x, !llvm.loop !31
x:
  ret void
}

define i32 @src_deep_type(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
  %v = load i32, ptr %p, align 4, !tbaa !60, !noundef !{}
  store i32 1, ptr %q, align 4, !tbaa !61
  ret i32 %v
}

define i32 @tgt_deep_type(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
  %v = load i32, ptr %p, align 4, !tbaa !60, !noundef !{}
  store i32 1, ptr %q, align 4, !tbaa !62
  ret i32 %v
}

define i32 @src_scope_begins_before_access(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
  %v = load i32, ptr %p, align 4, !alias.scope !10, !noundef !{}
  call void @llvm.experimental.noalias.scope.decl(metadata !10)
  store i32 1, ptr %q, align 4, !noalias !10
  ret i32 %v
}

define i32 @tgt_scope_begins_before_access(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
  call void @llvm.experimental.noalias.scope.decl(metadata !10)
  %v = load i32, ptr %p, align 4, !alias.scope !10, !noundef !{}
  store i32 1, ptr %q, align 4, !noalias !10
  ret i32 %v
}

define i32 @src_scope_does_not_begin_again(ptr noundef align 4 dereferenceable(4) %p, i1 noundef %c) {
  br i1 %c, label %b, label %j
b:
  call void @llvm.experimental.noalias.scope.decl(metadata !10)
  store i32 7, ptr %p, align 4, !alias.scope !10
  br label %j
j:
  call void @llvm.experimental.noalias.scope.decl(metadata !10)
  %w = load i32, ptr %p, align 4, !noalias !10, !noundef !{}
  ret i32 %w
}

define i32 @tgt_scope_does_not_begin_again(ptr noundef align 4 dereferenceable(4) %p, i1 noundef %c) {
  br i1 %c, label %b, label %j
b:
  call void @llvm.experimental.noalias.scope.decl(metadata !10)
  store i32 7, ptr %p, align 4, !alias.scope !10
  br label %j
j:
  %w = load i32, ptr %p, align 4, !noalias !10, !noundef !{}
  ret i32 %w
}

define i32 @src_launder_of_another(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %r) {
  %v = load i32, ptr %p, align 4, !invariant.group !{}
  store i32 7, ptr %p, align 4
  %q = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  %w = load i32, ptr %q, align 4, !invariant.group !{}
  ret i32 %w
}

define i32 @tgt_launder_of_another(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %r) {
  %v = load i32, ptr %p, align 4, !invariant.group !{}
  store i32 7, ptr %p, align 4
  %q = call ptr @llvm.launder.invariant.group.p0(ptr %r)
  %w = load i32, ptr %p, align 4, !invariant.group !{}
  ret i32 %w
}

define void @src_other_loop_makes_progress(i1 noundef %c) {
  br label %a
a:
  %i = phi i32 [ 0, %0 ], [ %j, %a ]
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, 3
  br i1 %d, label %b, label %a, !llvm.loop !40
b:
  br i1 %c, label %b, label %x
x:
  ret void
}

define void @tgt_other_loop_makes_progress(i1 noundef %c) {
  br label %a
a:
  %i = phi i32 [ 0, %0 ], [ %j, %a ]
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, 3
  br i1 %d, label %b, label %a
b:
  br i1 %c, label %b, label %x, !llvm.loop !40
x:
  ret void
}

define i32 @src_written_back_beside_noalias(ptr noalias noundef dereferenceable(4) align 4 %p, ptr noundef dereferenceable(4) align 4 %q, i1 noundef %c, i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %code, label %out
code:
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p, align 4
  ret i32 1
b:
  store i32 2, ptr %q, align 4
  ret i32 2
out:
  ret i32 0
}

define i32 @tgt_written_back_beside_noalias(ptr noalias noundef dereferenceable(4) align 4 %p, ptr noundef dereferenceable(4) align 4 %q, i1 noundef %c, i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %code, label %out
code:
  %v = load i32, ptr %p, align 4
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p, align 4
  ret i32 1
b:
  store i32 2, ptr %q, align 4
  store i32 %v, ptr %p, align 4
  ret i32 2
out:
  ret i32 0
}

define i32 @src_read_early_beside_noalias(ptr noalias noundef dereferenceable(4) align 4 %p, ptr noundef dereferenceable(4) align 4 %q, i1 noundef %c, i64 noundef %k) {
  br i1 %c, label %a, label %b
a:
  %v = load i32, ptr %p, align 4, !noundef !{}
  ret i32 %v
b:
  store i32 2, ptr %q, align 4
  ret i32 2
}

define i32 @tgt_read_early_beside_noalias(ptr noalias noundef dereferenceable(4) align 4 %p, ptr noundef dereferenceable(4) align 4 %q, i1 noundef %c, i64 noundef %k) {
  %v = load i32, ptr %p, align 4
  br i1 %c, label %a, label %b
a:
  ret i32 %v
b:
  store i32 2, ptr %q, align 4
  ret i32 2
}

define i32 @src_read_early_beside_noalias_guarded(ptr noalias noundef dereferenceable(4) align 4 %p, ptr noundef dereferenceable(4) align 4 %q, i1 noundef %c, i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %code, label %out
code:
  br i1 %c, label %a, label %b
a:
  %v = load i32, ptr %p, align 4, !noundef !{}
  ret i32 %v
b:
  store i32 2, ptr %q, align 4
  ret i32 2
out:
  ret i32 0
}

define i32 @tgt_read_early_beside_noalias_guarded(ptr noalias noundef dereferenceable(4) align 4 %p, ptr noundef dereferenceable(4) align 4 %q, i1 noundef %c, i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %code, label %out
code:
  %v = load i32, ptr %p, align 4
  br i1 %c, label %a, label %b
a:
  ret i32 %v
b:
  store i32 2, ptr %q, align 4
  ret i32 2
out:
  ret i32 0
}

define void @src_attribute_of_another_intrinsic_call(ptr noundef dereferenceable(8) %p, ptr noundef dereferenceable(8) %q) {
  %a = alloca i64
  %b = alloca i64
  store i64 0, ptr %b
  call void @llvm.memmove.p0.p0.i64(ptr noalias %a, ptr noalias %b, i64 8, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false)
  ret void
}

define void @tgt_attribute_of_another_intrinsic_call(ptr noundef dereferenceable(8) %p, ptr noundef dereferenceable(8) %q) {
  %a = alloca i64
  %b = alloca i64
  store i64 0, ptr %b
  call void @llvm.memmove.p0.p0.i64(ptr noalias %a, ptr noalias %b, i64 8, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr noalias %p, ptr noalias %q, i64 8, i1 false)
  ret void
}

define void @src_attribute_of_an_intrinsic_call_elsewhere(i1 noundef %c, ptr noundef dereferenceable(8) %p) {
  br i1 %c, label %x, label %y
x:
  call void @llvm.memset.p0.i64(ptr readonly %p, i8 0, i64 8, i1 false)
  ret void
y:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  ret void
}

define void @tgt_attribute_of_an_intrinsic_call_elsewhere(i1 noundef %c, ptr noundef dereferenceable(8) %p) {
  br i1 %c, label %x, label %y
x:
  call void @llvm.memset.p0.i64(ptr readonly %p, i8 0, i64 8, i1 false)
  ret void
y:
  call void @llvm.memset.p0.i64(ptr readonly %p, i8 0, i64 8, i1 false)
  ret void
}

define i8 @src_tail_of_an_intrinsic_call(i8 noundef %x) {
  %a = alloca i64
  call void @llvm.memset.p0.i64(ptr %a, i8 %x, i64 8, i1 false)
  %v = load i8, ptr %a
  ret i8 %v
}

define i8 @tgt_tail_of_an_intrinsic_call(i8 noundef %x) {
  %a = alloca i64
  tail call void @llvm.memset.p0.i64(ptr %a, i8 %x, i64 8, i1 false)
  %v = load i8, ptr %a
  ret i8 %v
}

define void @src_musttail_of_another(i32 noundef %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %b
a:
  musttail call void @next(i32 %x)
  ret void
b:
  call void @next(i32 %x)
  ret void
}

define void @tgt_musttail_of_another(i32 noundef %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %b
a:
  call void @next(i32 %x)
  ret void
b:
  musttail call void @next(i32 %x)
  ret void
}

define i32 @src_other_filter(i32 noundef %x) personality ptr @__gxx_personality_v0 {
  %y = add i32 %x, 0
  invoke void @throws() to label %a unwind label %b
a:
  ret i32 %y
b:
  %l = landingpad { ptr, i32 } filter [1 x ptr] [ptr @A]
  ret i32 1
}

define i32 @tgt_other_filter(i32 noundef %x) personality ptr @__gxx_personality_v0 {
  %y = add i32 %x, 0
  invoke void @throws() to label %a unwind label %b
a:
  ret i32 %x
b:
  %l = landingpad { ptr, i32 } filter [1 x ptr] [ptr @B]
  ret i32 1
}

define i32 @src_other_catch(i32 noundef %x) personality ptr @__gxx_personality_v0 {
  %y = add i32 %x, 0
  invoke void @throws() to label %a unwind label %b
a:
  ret i32 %y
b:
  %l = landingpad { ptr, i32 } catch ptr getelementptr (i8, ptr @A, i64 1)
  ret i32 1
}

define i32 @tgt_other_catch(i32 noundef %x) personality ptr @__gxx_personality_v0 {
  %y = add i32 %x, 0
  invoke void @throws() to label %a unwind label %b
a:
  ret i32 %x
b:
  %l = landingpad { ptr, i32 } catch ptr getelementptr (i8, ptr @B, i64 1)
  ret i32 1
}

define void @src_irreducible_loop_added(i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  ret void
}

define void @tgt_irreducible_loop_added(i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  br label %b, !irr_loop !50
b:
  ret void
}

define void @src_noreturn_of_another_intrinsic_call(i1 noundef %c, ptr noundef dereferenceable(8) %p) {
  br i1 %c, label %x, label %y
x:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) noreturn
  ret void
y:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  ret void
}

define void @tgt_noreturn_of_another_intrinsic_call(i1 noundef %c, ptr noundef dereferenceable(8) %p) {
  br i1 %c, label %x, label %y
x:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  ret void
y:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) noreturn
  ret void
}

define void @src_memory_none_of_another_intrinsic_call(i1 noundef %c, ptr noundef dereferenceable(8) %p) {
  br i1 %c, label %x, label %y
x:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) memory(none)
  ret void
y:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  ret void
}

define void @tgt_memory_none_of_another_intrinsic_call(i1 noundef %c, ptr noundef dereferenceable(8) %p) {
  br i1 %c, label %x, label %y
x:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  ret void
y:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) memory(none)
  ret void
}

define i32 @src_broken_noreturn_of_an_intrinsic_call(ptr noundef dereferenceable(8) %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) noreturn
  ret i32 0
}

define i32 @tgt_broken_noreturn_of_an_intrinsic_call(ptr noundef dereferenceable(8) %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) noreturn
  unreachable
}

define i8 @src_broken_memory_none_of_an_intrinsic_call(ptr noundef dereferenceable(8) %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) memory(none)
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @tgt_broken_memory_none_of_an_intrinsic_call(ptr noundef dereferenceable(8) %p) {
  %v = load i8, ptr %p
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) memory(none)
  ret i8 %v
}

define i64 @src_broken_memory_none_of_a_library_call(ptr noundef dereferenceable(2) %p, ptr noundef dereferenceable(1) %q) {
  store i8 0, ptr %p
  %a = call i64 @strlen(ptr %p)
  store i8 1, ptr %p
  store i8 0, ptr %q
  %b = call i64 @strlen(ptr %p) memory(none)
  %d = sub i64 %a, %b
  ret i64 %d
}

define i64 @tgt_broken_memory_none_of_a_library_call(ptr noundef dereferenceable(2) %p, ptr noundef dereferenceable(1) %q) {
  store i8 1, ptr %p
  store i8 0, ptr %q
  ret i64 0
}

define i8 @src_byval_of_an_intrinsic_call(ptr noundef dereferenceable(8) %p) {
  call void @llvm.memset.p0.i64(ptr byval(i64) %p, i8 1, i64 8, i1 false)
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @tgt_byval_of_an_intrinsic_call(ptr noundef dereferenceable(8) %p) {
  call void @llvm.memset.p0.i64(ptr byval(i64) %p, i8 1, i64 8, i1 false)
  ret i8 1
}

define i8 @src_dead_on_return_of_an_intrinsic_call(ptr noundef dereferenceable(8) %p) {
  call void @llvm.memset.p0.i64(ptr dead_on_return %p, i8 1, i64 8, i1 false)
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @tgt_dead_on_return_of_an_intrinsic_call(ptr noundef dereferenceable(8) %p) {
  call void @llvm.memset.p0.i64(ptr dead_on_return %p, i8 1, i64 8, i1 false)
  ret i8 1
}

define i32 @src_other_calling_convention(i32 noundef %x, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  %s = call fastcc i32 @pure(i32 %x)
  ret i32 0
b:
  %r = call i32 @pure(i32 %x)
  ret i32 0
}

define i32 @tgt_other_calling_convention(i32 noundef %x, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  %s = call fastcc i32 @pure(i32 %x)
  ret i32 0
b:
  %r = call fastcc i32 @pure(i32 %x)
  ret i32 0
}

define i32 @src_other_type_of_a_pointer(ptr noundef %p, i32 noundef %x) {
  %r = call i32 %p(i32 %x) memory(none) nounwind willreturn
  ret i32 0
}

define i32 @tgt_other_type_of_a_pointer(ptr noundef %p, i32 noundef %x) {
  %r = call i64 %p(i32 %x) memory(none) nounwind willreturn
  ret i32 0
}

define i32 @src_no_result_of_a_pointer(ptr noundef %p, i32 noundef %x) {
  %r = call i32 %p(i32 %x) memory(none) nounwind willreturn
  ret i32 0
}

define i32 @tgt_no_result_of_a_pointer(ptr noundef %p, i32 noundef %x) {
  call void %p(i32 %x) memory(none) nounwind willreturn
  ret i32 0
}

define i32 @src_too_many_lanes_to_count(<8 x i1> noundef %x) {
  ret i32 0
}

define i32 @tgt_too_many_lanes_to_count(<8 x i1> noundef %x) {
  %r = call i2 @llvm.experimental.cttz.elts.i2.v8i1(<8 x i1> %x, i1 false)
  ret i32 0
}

define i32 @src_tag_of_one_store(ptr noundef align 4 dereferenceable(4) %p, i32 noundef %x) {
  store i32 1, ptr %p, align 4
  %y = add i32 %x, 0
  ret i32 %y
}

define i32 @tgt_tag_of_one_store(ptr noundef align 4 dereferenceable(4) %p, i32 noundef %x) {
  store i32 1, ptr %p, align 4, !tbaa !0
  ret i32 %x
}

define i32 @src_other_personality(ptr noundef dereferenceable(4) align 4 %p) personality ptr @__gxx_personality_v0 {
  invoke void @throws() to label %a unwind label %b
a:
  ret i32 0
b:
  %l = landingpad { ptr, i32 } cleanup
  store i32 1, ptr %p
  resume { ptr, i32 } %l
}

define i32 @tgt_other_personality(ptr noundef dereferenceable(4) align 4 %p) personality ptr @other_personality {
  invoke void @throws() to label %a unwind label %b
a:
  ret i32 0
b:
  %l = landingpad { ptr, i32 } cleanup
  store i32 1, ptr %p
  resume { ptr, i32 } %l
}

!0 = !{!2, !2, i64 0}
!1 = !{!3, !3, i64 0}
!2 = !{!"int", !4}
!3 = !{!"float", !4}
!4 = !{!"root"}
!10 = !{!12}
!11 = !{!13}
!12 = distinct !{!12, !14}
!13 = distinct !{!13, !14}
!14 = distinct !{!14}
!20 = distinct !{}
!21 = distinct !{}
!30 = distinct !{!30, !32}
!31 = distinct !{!31, !33}
!32 = !{!"llvm.loop.parallel_accesses", !20}
!33 = !{!"llvm.loop.parallel_accesses", !21}
!40 = distinct !{!40, !41}
!41 = !{!"llvm.loop.mustprogress"}
!50 = !{!"loop_header_weight", i64 100}
!60 = !{!79, !79, i64 0}
!61 = !{!89, !89, i64 0}
!62 = !{!79, !79, i64 0}
!64 = !{!"one root"}
!65 = !{!"another root"}
!70 = !{!"t0", !64}
!71 = !{!"t1", !70}
!72 = !{!"t2", !71}
!73 = !{!"t3", !72}
!74 = !{!"t4", !73}
!75 = !{!"t5", !74}
!76 = !{!"t6", !75}
!77 = !{!"t7", !76}
!78 = !{!"t8", !77}
!79 = !{!"t9", !78}
!80 = !{!"t0", !65}
!81 = !{!"t1", !80}
!82 = !{!"t2", !81}
!83 = !{!"t3", !82}
!84 = !{!"t4", !83}
!85 = !{!"t5", !84}
!86 = !{!"t6", !85}
!87 = !{!"t7", !86}
!88 = !{!"t8", !87}
!89 = !{!"t9", !88}
