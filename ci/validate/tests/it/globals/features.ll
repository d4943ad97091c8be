; Pairs about features that the interpreter and the encoder may misinterpret alike. `judged` lines give the pair, and
; text that its verdict must contain.
; judged call_that_the_target_does_not_come_to: refuted
; judged denormal_fcmp: inconclusive
; judged denormal_fcmp_to_bits: inconclusive
; judged free_of_null: inconclusive
; judged indirectbr_from_elsewhere: `indirectbr`
; judged vscale_range: vscale_range
; judged noduplicate: noduplicate
; judged noduplicate_as_often: noduplicate
; judged noduplicate_kept: refines, all iterations
; judged convergent: convergent
; judged negative_alloca: refuted
; judged dereferenceable_dead_alloca: refuted
; judged dereferenceable_byval: refuted
; judged byref_is_dereferenceable: refines, all iterations
; judged byval_is_dereferenceable: refines, all iterations
; judged byval_lies_anywhere: inconclusive
; judged nocreateundeforpoison: nocreateundeforpoison
; judged nosync_without_memory: refines, all iterations
; judged freed_by_callee: refuted
; judged ptrtoaddr_passed: ptrtoaddr
; judged ptrtoaddr_beside_ptrtoint: ptrtoaddr
; judged ptrtoaddr_of_another: refines, all iterations
; judged willreturn_of_volatile_store: if @tgt_willreturn_of_volatile_store is willreturn
; judged willreturn_of_volatile_load: refines, all iterations
; judged captures_of_an_order: parameter 0 of @tgt_captures_of_an_order is captures(address_is_null)
; judged captures_of_a_moved_pointer: parameter 0 of @tgt_captures_of_a_moved_pointer is captures(address_is_null)
; judged captures_of_null: refines, all iterations
; judged speculatable_of_a_copy: @tgt_speculatable_of_a_copy is speculatable
; judged speculatable_of_a_number: refines, all iterations
; judged dead_before_pointer: refines, all iterations
; judged nofree_of_known_memory: inconclusive
; judged nofree_callee: inconclusive
; judged writable_constant: writable
; judged nofree_realloc: nofree
; judged endless_calls_dropped: no defined run of the source through
; judged endless_stores_changed: no defined run of the source through
; judged partly_undefined_pointer: some bits are undefined
; judged poison_after_a_difference: compared bytes are not poison
; judged set_as_many: refines
; judged number_of_poison: refuted
; judged pointer_stored_back: refines, all iterations
; judged padding_of_a_constant: refuted
; judged padding_read_as_zero: refines, all iterations
; judged unaligned_wide_characters: wide characters are aligned
; judged minnum_orders_zeros: refuted
; judged minnum_of_zeros: refines, all iterations
; judged minnum_as_select: refuted
; judged minimum_without_nan: refines, all iterations
; judged minnum_nsz: refines, all iterations
; judged least_of_vector: refuted
; judged isdigit_is_one: refuted
; judged isdigit_as_test: refines, all iterations
; judged isdigit_from_test: refuted
; judged use_after_free_past_a_loop: refuted
; judged use_of_a_result_after_free: refuted
; judged stored_back_on_entry: refines, all iterations
; judged stored_back_beside_another: inconclusive
; judged stored_by_the_target: stored-back bytes are not partly poison
; judged stored_without_a_right: refuted
; judged call_of_its_own: may break what
; judged equal_bytes_elsewhere: may break what
; judged name_of_llvm: the library function @fmaximum_numf is not modelled
; judged load_before_volatile: has a volatile load change the bytes
; judged tail_at_own_memory: tail at a call of @takes_place
; judged musttail_dropped: `musttail`
; judged musttail_kept: refines, all iterations
; judged saturated_to_two_widths: refines, all iterations
; judged musttail_dropped_beside_a_call: `musttail`
; judged musttail_kept_beside_a_call: refines, all iterations
; judged samesign_of_addresses: refuted
; judged samesign_of_itself: refines, all iterations
; judged call_that_can_not_end: refines, all iterations
; judged call_that_can_not_end_added: refuted
; judged call_that_may_stay: refuted
; judged stored_back_without_noalias: stored-back bytes are not partly poison
; judged stored_back_unless_writable: refuted
; judged strlen_of_undef_bits: refuted
; judged strlen_of_undef_bits_guarded: refuted
; judged memchr_of_undef_bits: refuted
; judged memchr_of_undef_bits_guarded: refuted
; judged strcmp_of_undef_bits: inconclusive
; judged strcmp_of_undef_bits_guarded: inconclusive
; judged extractelement_at_undef_bits: refuted
; judged extractelement_at_undef_bits_guarded: refuted
; judged insertelement_at_undef_bits: inconclusive
; judged extractelement_of_equal_lanes: refines, all iterations
; judged one_of_two_allocas: refines, all iterations
; judged one_of_two_allocas_guarded: refines, all iterations
; judged sideeffect_dropped: make progress
; judged sideeffect_dropped_guarded: make progress
; judged volatile_beside_noalias: refines, all iterations
; judged fixed_point_speculated: inconclusive
; judged raised_alignment_of_an_alloca: refines
; judged lowered_alignment_of_an_alloca: refuted
; judged raised_alignment_of_an_access: refuted
; judged lowered_alignment_of_an_access: refines, all iterations
; judged access_aligned_by_chance_elsewhere: refuted
; judged deleted_loop_without_an_end: the target ends where the source may run for ever
; judged deleted_walk: the target ends where the source may run for ever
; judged deleted_count: refines

declare void @free(ptr allocptr) allockind("free") "alloc-family"="malloc"
declare i32 @llvm.vscale.i32()
declare void @once() noduplicate
declare i32 @together() convergent memory(none) nounwind willreturn
declare i32 @creates_none(i32) nocreateundeforpoison
declare void @pure() memory(none)
declare void @takes_number(i64)
declare void @other() nounwind willreturn
declare void @frees_nothing() nounwind willreturn nofree
declare ptr @malloc(i64)
declare i32 @memcmp(ptr, ptr, i64)
declare i64 @wcslen(ptr)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.minimum.f32(float, float)
declare float @llvm.vector.reduce.fmin.v2f32(<2 x float>)
declare i32 @isdigit(i32)
declare void @goes_on(i32)
declare void @takes_place(ptr)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare float @fmaximum_numf(float, float)
declare float @llvm.maximumnum.f32(float, float)
declare i32 @looks_at(ptr readonly captures(none)) nounwind memory(argmem: read) willreturn
declare ptr @realloc(ptr, i64)
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare void @comes_back() nounwind willreturn
declare i32 @can_not_end() nounwind willreturn noreturn
declare i32 @may_stay() nounwind noreturn

define i1 @src_denormal_fcmp() "denormal-fp-math"="ieee,preserve-sign" {
  %r = fcmp oeq float 0x36A0000000000000, 0.0
  ret i1 %r
}
define i1 @tgt_denormal_fcmp() "denormal-fp-math"="ieee,preserve-sign" {
  ret i1 false
}

define i1 @src_denormal_fcmp_to_bits(float %x) "denormal-fp-math"="preserve-sign,preserve-sign" {
  %r = fcmp oeq float %x, 0.0
  ret i1 %r
}
define i1 @tgt_denormal_fcmp_to_bits(float %x) "denormal-fp-math"="preserve-sign,preserve-sign" {
  %b = bitcast float %x to i32
  %s = shl i32 %b, 1
  %r = icmp eq i32 %s, 0
  ret i1 %r
}

define void @src_free_of_null(ptr %p, i64 %gk) minsize {
  %gx = xor i64 %gk, 81985529216486895
  %gc = icmp eq i64 %gx, 1234567890123456789
  br i1 %gc, label %go, label %n
go:
  %c = icmp eq ptr %p, null
  br i1 %c, label %n, label %y
y:
  call void @free(ptr %p)
  br label %n
n:
  ret void
}
define void @tgt_free_of_null(ptr %p, i64 %gk) minsize {
  %gx = xor i64 %gk, 81985529216486895
  %gc = icmp eq i64 %gx, 1234567890123456789
  br i1 %gc, label %go, label %n
go:
  %c = icmp eq ptr %p, null
  call void @free(ptr %p)
  br i1 %c, label %n, label %y
y:
  br label %n
n:
  ret void
}

define ptr @gives_block() {
  ret ptr blockaddress(@src_indirectbr_from_elsewhere, %b)
}
define i32 @src_indirectbr_from_elsewhere(ptr %p, i1 %k) {
  br i1 %k, label %go, label %a
go:
  indirectbr ptr %p, [label %a, label %b]
a:
  ret i32 0
b:
  ret i32 1
}
define i32 @tgt_indirectbr_from_elsewhere(ptr %p, i1 %k) {
  ret i32 0
}

define i32 @src_vscale_range() vscale_range(2,2) { 
 %v = call i32 @llvm.vscale.i32()
 ret i32 %v }
define i32 @tgt_vscale_range() vscale_range(2,2) { 
 ret i32 2 }

define void @src_noduplicate(i1 noundef %c) {
  call void @once()
  ret void
}
define void @tgt_noduplicate(i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  call void @once()
  ret void
b:
  call void @once()
  ret void
}

; One call is duplicated, and two others are merged.
define void @src_noduplicate_as_often(i1 noundef %c) {
  call void @once()
  br i1 %c, label %a, label %b
a:
  call void @once()
  ret void
b:
  call void @once()
  ret void
}
define void @tgt_noduplicate_as_often(i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  call void @once()
  br label %e
b:
  call void @once()
  br label %e
e:
  call void @once()
  ret void
}
define i32 @src_noduplicate_kept(i32 noundef %x) {
  call void @once()
  %y = add i32 %x, 0
  call void @once()
  ret i32 %y
}
define i32 @tgt_noduplicate_kept(i32 noundef %x) {
  call void @once()
  call void @once()
  ret i32 %x
}

define void @src_convergent(i1 noundef %c, ptr %p) {
  %v = call i32 @together()
  br i1 %c, label %a, label %b
a:
  store i32 %v, ptr %p
  ret void
b:
  ret void
}
define void @tgt_convergent(i1 noundef %c, ptr %p) {
  br i1 %c, label %a, label %b
a:
  %v = call i32 @together()
  store i32 %v, ptr %p
  ret void
b:
  ret void
}

define i8 @src_negative_alloca() { 
 ret i8 0 }
define i8 @tgt_negative_alloca() { 
 %a = alloca i8, i64 -1
 store i8 0, ptr %a
 ret i8 0 }

define ptr @src_dereferenceable_dead_alloca() { 
 %a = alloca i32
 ret ptr %a }
define dereferenceable(4) ptr @tgt_dereferenceable_dead_alloca() { 
 %a = alloca i32
 ret ptr %a }

define ptr @src_dereferenceable_byval(ptr byval(i32) %p) { 
 ret ptr %p }
define dereferenceable(4) ptr @tgt_dereferenceable_byval(ptr byval(i32) %p) { 
 ret ptr %p }

define i32 @src_byref_is_dereferenceable(ptr byref(i32) %p, i1 noundef %c) { 
 br i1 %c, label %a, label %b
a:
 %v = load i32, ptr %p, align 1
 ret i32 %v
b:
 ret i32 0 }
define i32 @tgt_byref_is_dereferenceable(ptr byref(i32) %p, i1 noundef %c) { 
 %v = load i32, ptr %p, align 1
 %s = select i1 %c, i32 %v, i32 0
 ret i32 %s }

define i32 @src_byval_is_dereferenceable(ptr byval(i32) %p, i1 noundef %c) { 
 br i1 %c, label %a, label %b
a:
 %v = load i32, ptr %p, align 1
 ret i32 %v
b:
 ret i32 0 }
define i32 @tgt_byval_is_dereferenceable(ptr byval(i32) %p, i1 noundef %c) { 
 %v = load i32, ptr %p, align 1
 %s = select i1 %c, i32 %v, i32 0
 ret i32 %s }

define i32 @src_byval_lies_anywhere(ptr byval(i32) %p) { 
 ret i32 0 }
define i32 @tgt_byval_lies_anywhere(ptr byval(i32) %p) { 
 %v = load i32, ptr %p
 ret i32 0 }

define i32 @src_nocreateundeforpoison(i32 noundef %x) {
  %r = call i32 @creates_none(i32 %x)
  ret i32 %r
}
define noundef i32 @tgt_nocreateundeforpoison(i32 noundef %x) {
  %r = call i32 @creates_none(i32 %x)
  ret i32 %r
}

define void @src_nosync_without_memory() {
  call void @pure()
  ret void
}
define void @tgt_nosync_without_memory() nosync {
  call void @pure()
  ret void
}

define internal void @frees_it(ptr %p) {
  call void @free(ptr %p)
  ret void
}
define i32 @src_freed_by_callee(ptr dereferenceable(4) %p, i1 %c, i64 %k) {
  %x = xor i64 %k, 6148914691236517205
  %g = icmp eq i64 %x, 1311768467463790320
  br i1 %g, label %body, label %b
body:
  call void @frees_it(ptr %p)
  br i1 %c, label %a, label %b
a:
  %v = load i32, ptr %p, align 1
  ret i32 %v
b:
  ret i32 0
}
define i32 @tgt_freed_by_callee(ptr dereferenceable(4) %p, i1 %c, i64 %k) {
  %x = xor i64 %k, 6148914691236517205
  %g = icmp eq i64 %x, 1311768467463790320
  br i1 %g, label %body, label %b
body:
  call void @frees_it(ptr %p)
  %v = load i32, ptr %p, align 1
  %r = select i1 %c, i32 %v, i32 0
  ret i32 %r
b:
  ret i32 0
}

define i32 @src_ptrtoaddr_passed() {
  %a = alloca i32
  store i32 1, ptr %a
  %i = ptrtoint ptr %a to i64
  call void @takes_number(i64 %i)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_ptrtoaddr_passed() {
  %a = alloca i32
  store i32 1, ptr %a
  %i = ptrtoaddr ptr %a to i64
  call void @takes_number(i64 %i)
  %v = load i32, ptr %a
  ret i32 %v
}

define i64 @src_ptrtoaddr_beside_ptrtoint(ptr noundef %p, ptr noundef %q) {
  %i = ptrtoint ptr %p to i64
  ret i64 %i
}
define i64 @tgt_ptrtoaddr_beside_ptrtoint(ptr noundef %p, ptr noundef %q) {
  %d = ptrtoint ptr %q to i64
  %i = ptrtoaddr ptr %p to i64
  ret i64 %i
}
define i64 @src_ptrtoaddr_of_another(ptr noundef %p, ptr noundef %q) {
  %i = ptrtoint ptr %p to i64
  %a = ptrtoaddr ptr %q to i64
  %s = add i64 %i, %a
  ret i64 %s
}
define i64 @tgt_ptrtoaddr_of_another(ptr noundef %p, ptr noundef %q) {
  %a = ptrtoaddr ptr %q to i64
  %i = ptrtoint ptr %p to i64
  %s = add i64 %a, %i
  ret i64 %s
}

; Execution need not continue after a volatile store, but must after a volatile load.
define void @src_willreturn_of_volatile_store(ptr noundef %p) {
  store volatile i32 0, ptr %p
  ret void
}
define void @tgt_willreturn_of_volatile_store(ptr noundef %p) willreturn {
  store volatile i32 0, ptr %p
  ret void
}
define void @src_willreturn_of_volatile_load(ptr noundef %p) {
  %v = load volatile i32, ptr %p
  ret void
}
define void @tgt_willreturn_of_volatile_load(ptr noundef %p) willreturn {
  %v = load volatile i32, ptr %p
  ret void
}

; A comparison with null reveals more than whether the parameter is null if it is relational or tests another pointer.
define i1 @src_captures_of_an_order(ptr noundef %p) {
  %c = icmp slt ptr %p, null
  ret i1 %c
}
define i1 @tgt_captures_of_an_order(ptr noundef captures(address_is_null) %p) {
  %c = icmp slt ptr %p, null
  ret i1 %c
}
define i1 @src_captures_of_a_moved_pointer(ptr noundef %p) {
  %g = getelementptr i8, ptr %p, i64 -4096
  %c = icmp eq ptr %g, null
  ret i1 %c
}
define i1 @tgt_captures_of_a_moved_pointer(ptr noundef captures(address_is_null) %p) {
  %g = getelementptr i8, ptr %p, i64 -4096
  %c = icmp eq ptr %g, null
  ret i1 %c
}
define i1 @src_captures_of_null(ptr noundef %p) {
  %c = icmp eq ptr %p, null
  ret i1 %c
}
define i1 @tgt_captures_of_null(ptr noundef captures(address_is_null) %p) {
  %c = icmp eq ptr %p, null
  ret i1 %c
}

; A call that is made anywhere has nothing to copy.
define i32 @src_speculatable_of_a_copy(ptr byval(i32) %p) {
  ret i32 0
}
define i32 @tgt_speculatable_of_a_copy(ptr byval(i32) %p) speculatable {
  ret i32 0
}
define i32 @src_speculatable_of_a_number(i32 signext %x) nounwind willreturn memory(none) {
  ret i32 0
}
define i32 @tgt_speculatable_of_a_number(i32 signext %x) nounwind willreturn memory(none) speculatable {
  ret i32 0
}

define void @src_dead_before_pointer(ptr dead_on_return %p) {
  %q = getelementptr i8, ptr %p, i64 -4
  store i32 1, ptr %q, align 1
  ret void
}
define void @tgt_dead_before_pointer(ptr dead_on_return %p) {
  ret void
}

define i8 @src_nofree_of_known_memory(i1 noundef %c, ptr noundef %p) nofree {
  %v = load i8, ptr %p
  call void @other()
  br i1 %c, label %a, label %b
a:
  %w = load i8, ptr %p
  ret i8 %w
b:
  ret i8 0
}
define i8 @tgt_nofree_of_known_memory(i1 noundef %c, ptr noundef %p) nofree {
  %v = load i8, ptr %p
  call void @other()
  %w = load i8, ptr %p
  %r = select i1 %c, i8 %w, i8 0
  ret i8 %r
}

define i8 @src_nofree_callee(i1 noundef %c, ptr noundef %p)  {
  %v = load i8, ptr %p
  call void @frees_nothing()
  br i1 %c, label %a, label %b
a:
  %w = load i8, ptr %p
  ret i8 %w
b:
  ret i8 0
}
define i8 @tgt_nofree_callee(i1 noundef %c, ptr noundef %p)  {
  %v = load i8, ptr %p
  call void @frees_nothing()
  %w = load i8, ptr %p
  %r = select i1 %c, i8 %w, i8 0
  ret i8 %r
}

@fixed = constant i32 1
define void @writes_back(ptr writable dereferenceable(4) %q) noinline {
  ret void
}
define i32 @src_writable_constant() {
  call void @writes_back(ptr @fixed)
  ret i32 0
}
define i32 @tgt_writable_constant() {
  ret i32 1
}

define i32 @src_nofree_realloc() {
  %m = call ptr @malloc(i64 8)
  %n = icmp eq ptr %m, null
  br i1 %n, label %z, label %o
o:
  %r = call ptr @realloc(ptr nofree %m, i64 16)
  %f = icmp eq ptr %r, null
  br i1 %f, label %z, label %k
k:
  ret i32 1
z:
  ret i32 0
}
define i32 @tgt_nofree_realloc() {
  %m = call ptr @malloc(i64 8)
  %n = icmp eq ptr %m, null
  br i1 %n, label %z, label %o
o:
  %r = call ptr @realloc(ptr nofree %m, i64 16)
  %f = icmp eq ptr %r, null
  br i1 %f, label %z, label %k
k:
  ret i32 2
z:
  ret i32 0
}

define i32 @src_endless_calls_dropped(i1 noundef %c)  mustprogress {
entry:
  br i1 %c, label %h, label %x
h:
  call void @comes_back()
  br label %h
x:
  ret i32 1
}
define i32 @tgt_endless_calls_dropped(i1 noundef %c)  mustprogress {
  ret i32 1

}

@port = global i32 0
define void @src_endless_stores_changed(ptr noundef %p, i64 %gk)  {
entry:
  %gx = xor i64 %gk, 81985529216486895
  %gc = icmp eq i64 %gx, 1234567890123456789
  br i1 %gc, label %go, label %gno
gno:
  ret void
go:
  br label %l
l:
  store volatile i32 1, ptr @port
  br label %l
}
define void @tgt_endless_stores_changed(ptr noundef %p, i64 %gk)  {
entry:
  %gx = xor i64 %gk, 81985529216486895
  %gc = icmp eq i64 %gx, 1234567890123456789
  br i1 %gc, label %go, label %gno
gno:
  ret void
go:
  br label %l
l:
  store volatile i32 2, ptr @port
  br label %l

}

define i64 @src_partly_undefined_pointer(i64 noundef %k) {
  %m = mul i64 %k, -7046029254386353131
  %c = icmp eq i64 %k, 5
  %u = alloca i32
  %uu = load i32, ptr %u
  %x = select i1 %c, i32 %uu, i32 0
  %a = alloca i64
  store i64 0, ptr %a
  store i32 %x, ptr %a
  %p = load ptr, ptr %a
  %fp = freeze ptr %p
  %i = ptrtoint ptr %fp to i64
  ret i64 %i
}
define i64 @tgt_partly_undefined_pointer(i64 noundef %k) {
  %m = mul i64 %k, -7046029254386353131
  %c = icmp eq i64 %k, 5
  %u = alloca ptr
  %uu = load ptr, ptr %u
  %p = select i1 %c, ptr %uu, ptr null
  %fp = freeze ptr %p
  %i = ptrtoint ptr %fp to i64
  ret i64 %i
}

; LLVM compares whole words in place of the function.
define i1 @src_poison_after_a_difference(ptr %q) {
  %p = alloca i16
  store i8 1, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 1
  store i8 poison, ptr %p1
  %c = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %r = icmp eq i32 %c, 0
  ret i1 %r
}
define i1 @tgt_poison_after_a_difference(ptr %q) {
  %p = alloca i16
  store i8 1, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 1
  store i8 poison, ptr %p1
  %a = load i16, ptr %p, align 1
  %b = load i16, ptr %q, align 1
  %r = icmp eq i16 %a, %b
  ret i1 %r
}

define i1 @src_unaligned_wide_characters(ptr %p) {
  %n = call i64 @wcslen(ptr %p)
  %r = icmp eq i64 %n, 0
  ret i1 %r
}
define i1 @tgt_unaligned_wide_characters(ptr %p) {
  %c = load i32, ptr %p
  %r = icmp eq i32 %c, 0
  ret i1 %r
}

; LangRef orders the zeros.
define float @src_minnum_orders_zeros(float %x) {
  %r = call float @llvm.minnum.f32(float 0.0, float -0.0)
  ret float %r
}
define float @tgt_minnum_orders_zeros(float %x) {
  ret float 0.0
}
define float @src_minnum_of_zeros(float %x) {
  ret float -0.0
}
define float @tgt_minnum_of_zeros(float %x) {
  %r = call float @llvm.minnum.f32(float 0.0, float -0.0)
  ret float %r
}
define float @src_minnum_as_select(float nofpclass(nan) %x, float nofpclass(nan) %y) {
  %r = call float @llvm.minnum.f32(float %x, float %y)
  ret float %r
}
define float @tgt_minnum_as_select(float nofpclass(nan) %x, float nofpclass(nan) %y) {
  %c = fcmp olt float %x, %y
  %r = select i1 %c, float %x, float %y
  ret float %r
}
define float @src_minimum_without_nan(float noundef %x, float noundef %y) {
  %r = call nnan float @llvm.minimum.f32(float %x, float %y)
  ret float %r
}
define float @tgt_minimum_without_nan(float noundef %x, float noundef %y) {
  %r = call nnan float @llvm.minnum.f32(float %x, float %y)
  ret float %r
}
define float @src_minnum_nsz(float %x) {
  %r = call nsz float @llvm.minnum.f32(float 0.0, float -0.0)
  ret float %r
}
define float @tgt_minnum_nsz(float %x) {
  ret float 0.0
}
define float @src_least_of_vector(float %x) {
  %r = call float @llvm.vector.reduce.fmin.v2f32(<2 x float> <float 0.0, float -0.0>)
  ret float %r
}
define float @tgt_least_of_vector(float %x) {
  ret float 0.0
}

; The true result is any nonzero number.
define i1 @src_isdigit_is_one(i32 %x) {
  %d = call i32 @isdigit(i32 %x)
  %r = icmp ne i32 %d, 0
  ret i1 %r
}
define i1 @tgt_isdigit_is_one(i32 %x) {
  %d = call i32 @isdigit(i32 %x)
  %r = icmp eq i32 %d, 1
  ret i1 %r
}
define i32 @src_isdigit_as_test(i32 noundef %x) {
  %r = call i32 @isdigit(i32 %x)
  ret i32 %r
}
define i32 @tgt_isdigit_as_test(i32 noundef %x) {
  %d = sub i32 %x, 48
  %c = icmp ult i32 %d, 10
  %r = zext i1 %c to i32
  ret i32 %r
}
define i32 @src_isdigit_from_test(i32 %x) {
  %d = sub i32 %x, 48
  %c = icmp ult i32 %d, 10
  %r = zext i1 %c to i32
  ret i32 %r
}
define i32 @tgt_isdigit_from_test(i32 %x) {
  %r = call i32 @isdigit(i32 %x)
  ret i32 %r
}

define void @src_tail_at_own_memory(i32 %x) {
  %a = alloca i32
  store i32 %x, ptr %a
  call void @takes_place(ptr %a)
  ret void
}
define void @tgt_tail_at_own_memory(i32 %x) {
  %a = alloca i32
  store i32 %x, ptr %a
  tail call void @takes_place(ptr %a)
  ret void
}
define void @src_musttail_dropped(i32 %x) {
  musttail call void @goes_on(i32 %x)
  ret void
}
define void @tgt_musttail_dropped(i32 %x) {
  call void @goes_on(i32 %x)
  ret void
}
define void @src_musttail_kept(i32 noundef %x) {
  musttail call void @goes_on(i32 %x)
  ret void
}
define void @tgt_musttail_kept(i32 noundef %x) {
  %y = add i32 %x, 0
  musttail call void @goes_on(i32 %y)
  ret void
}
define void @src_musttail_dropped_beside_a_call(i32 noundef %x) {
  call void @goes_on(i32 %x)
  musttail call void @goes_on(i32 %x)
  ret void
}
define void @tgt_musttail_dropped_beside_a_call(i32 noundef %x) {
  call void @goes_on(i32 %x)
  call void @goes_on(i32 %x)
  ret void
}
define void @src_musttail_kept_beside_a_call(i32 noundef %x) {
  call void @goes_on(i32 %x)
  musttail call void @goes_on(i32 %x)
  ret void
}
define void @tgt_musttail_kept_beside_a_call(i32 noundef %x) {
  %y = add i32 %x, 0
  call void @goes_on(i32 %y)
  musttail call void @goes_on(i32 %x)
  ret void
}

define i32 @src_saturated_to_two_widths(float noundef %x) {
  %a = call i8 @llvm.fptosi.sat.i8.f32(float %x)
  %b = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  %c = sext i8 %a to i32
  %r = add i32 %b, %c
  ret i32 %r
}
define i32 @tgt_saturated_to_two_widths(float noundef %x) {
  %b = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  %a = call i8 @llvm.fptosi.sat.i8.f32(float %x)
  %c = sext i8 %a to i32
  %r = add i32 %c, %b
  ret i32 %r
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}

; Attributes about the memory of a parameter or a result hold at that point, not after the memory is freed.
define i32 @src_use_after_free_past_a_loop(ptr dereferenceable(4) %p, i64 %n) {
entry:
  call void @free(ptr %p)
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %i2, %l ]
  %i2 = add i64 %i, 1
  %c = icmp ne i64 %i2, %n
  br i1 %c, label %l, label %o
o:
  ret i32 0
}
define i32 @tgt_use_after_free_past_a_loop(ptr dereferenceable(4) %p, i64 %n) {
entry:
  call void @free(ptr %p)
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %i2, %l ]
  %i2 = add i64 %i, 1
  %c = icmp ne i64 %i2, %n
  br i1 %c, label %l, label %o
o:
  %v = load i32, ptr %p, align 1
  ret i32 0
}
define i32 @src_use_of_a_result_after_free(ptr %p, i64 %n) {
entry:
  %q = call dereferenceable(4) ptr @llvm.launder.invariant.group.p0(ptr %p)
  call void @free(ptr %p)
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %i2, %l ]
  %i2 = add i64 %i, 1
  %c = icmp ne i64 %i2, %n
  br i1 %c, label %l, label %o
o:
  ret i32 0
}
define i32 @tgt_use_of_a_result_after_free(ptr %p, i64 %n) {
entry:
  %q = call dereferenceable(4) ptr @llvm.launder.invariant.group.p0(ptr %p)
  call void @free(ptr %p)
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %i2, %l ]
  %i2 = add i64 %i, 1
  %c = icmp ne i64 %i2, %n
  br i1 %c, label %l, label %o
o:
  %v = load i32, ptr %q, align 1
  ret i32 0
}

; What `writable` says is loaded and stored back nobody else may access, if the argument is `noalias`.
define i8 @src_stored_back_on_entry(ptr noundef %q, ptr noalias noundef writable dereferenceable(1) %p) {
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
define i8 @tgt_stored_back_on_entry(ptr noundef %q, ptr noalias noundef writable dereferenceable(1) %p) {
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
define i8 @src_stored_back_beside_another(ptr %q) {
  %v = call i8 @takes_both(ptr %q, ptr %q)
  ret i8 %v
}
define i8 @tgt_stored_back_beside_another(ptr %q) {
  ret i8 0
}
define internal i8 @takes_both(ptr %q, ptr noalias writable dereferenceable(1) %p) {
  %v = load i8, ptr %q, align 1
  ret i8 %v
}

define i8 @src_stored_by_the_target(ptr noalias writable dereferenceable(1) %p, ptr %q) {
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
define i8 @tgt_stored_by_the_target(ptr noalias writable dereferenceable(1) %p, ptr %q) {
  %o = load i8, ptr %p, align 1
  store i8 %o, ptr %p, align 1
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
define i8 @src_stored_without_a_right(ptr noalias dereferenceable(1) %p, ptr %q) {
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
define i8 @tgt_stored_without_a_right(ptr noalias dereferenceable(1) %p, ptr %q) {
  %o = load i8, ptr %p, align 1
  store i8 %o, ptr %p, align 1
  %v = load i8, ptr %q, align 1
  ret i8 %v
}

; A function that captures no address returns the same result for equal bytes at any address.
define i32 @src_call_of_its_own(ptr noundef align 4 %s) {
  %t = alloca i32
  %v = load i32, ptr %s
  store i32 %v, ptr %t
  %r = call i32 @looks_at(ptr noalias readonly captures(none) %t)
  ret i32 %r
}
define i32 @tgt_call_of_its_own(ptr noundef align 4 %s) {
  %r = call i32 @looks_at(ptr noalias readonly captures(none) %s)
  ret i32 %r
}
define i32 @src_equal_bytes_elsewhere() {
  %a = alloca i32
  %b = alloca i32
  store i32 1, ptr %a
  store i32 1, ptr %b
  %r = call i32 @looks_at(ptr %a)
  %q = call i32 @looks_at(ptr %b)
  %s = sub i32 %r, %q
  ret i32 %s
}
define i32 @tgt_equal_bytes_elsewhere() {
  %a = alloca i32
  store i32 1, ptr %a
  %r = call i32 @looks_at(ptr %a)
  %q = call i32 @looks_at(ptr %a)
  %s = sub i32 %r, %q
  ret i32 %s
}

; LLVM knows more library functions than the engines model.
define float @src_name_of_llvm(float %x, float %y) {
  %r = call float @fmaximum_numf(float %x, float %y)
  ret float %r
}
define float @tgt_name_of_llvm(float %x, float %y) {
  %r = call float @llvm.maximumnum.f32(float %x, float %y)
  ret float %r
}

; A volatile access may change memory at its address, and other accesses may be reordered with it.
define i8 @src_load_before_volatile(ptr noundef %p) {
  %v = load volatile i8, ptr %p
  %w = load i8, ptr %p
  ret i8 %w
}
define i8 @tgt_load_before_volatile(ptr noundef %p) {
  %w = load i8, ptr %p
  %v = load volatile i8, ptr %p
  ret i8 %w
}

; `samesign` compares addresses, even if offsets decide whether pointers are equal: an object may span the middle of
; the address space.
define i1 @src_samesign_of_addresses(ptr noundef %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %c = icmp eq ptr %p, %q
  ret i1 %c
}
define i1 @tgt_samesign_of_addresses(ptr noundef %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %c = icmp samesign eq ptr %p, %q
  ret i1 %c
}
define i1 @src_samesign_of_itself(ptr noundef %p) {
  %c = icmp eq ptr %p, %p
  ret i1 %c
}
define i1 @tgt_samesign_of_itself(ptr noundef %p) {
  %c = icmp samesign eq ptr %p, %p
  ret i1 %c
}

; A call that can neither return nor unwind nor run forever is UB.
define i32 @src_call_that_can_not_end(i1 noundef %c) {
  br i1 %c, label %y, label %n
y:
  %v = call i32 @can_not_end()
  ret i32 %v
n:
  ret i32 1
}
define i32 @tgt_call_that_can_not_end(i1 noundef %c) {
  ret i32 1
}
define i32 @src_call_that_can_not_end_added(i1 noundef %c) {
  ret i32 1
}
define i32 @tgt_call_that_can_not_end_added(i1 noundef %c) {
  br i1 %c, label %y, label %n
y:
  %v = call i32 @can_not_end()
  ret i32 1
n:
  ret i32 1
}
define i32 @src_call_that_may_stay(i1 noundef %c) {
  br i1 %c, label %y, label %n
y:
  %v = call i32 @may_stay()
  ret i32 %v
n:
  ret i32 1
}
define i32 @tgt_call_that_may_stay(i1 noundef %c) {
  ret i32 1
}

; What `writable` says is stored back without `noalias` as well.
define void @src_stored_back_without_noalias(ptr noundef writable dereferenceable(1) %p) {
  ret void
}
define void @tgt_stored_back_without_noalias(ptr noundef writable dereferenceable(1) %p) {
  %o = load i8, ptr %p
  store i8 %o, ptr %p
  ret void
}
define void @src_stored_back_unless_writable(ptr noundef dereferenceable(1) %p) {
  ret void
}
define void @tgt_stored_back_unless_writable(ptr noundef dereferenceable(1) %p) {
  %o = load i8, ptr %p
  store i8 %o, ptr %p
  ret void
}

@letters_ab = private constant [2 x i8] c"ab"

define i64 @src_strlen_of_undef_bits() {
  %a = alloca [2 x i8], align 1
  %u = or i8 undef, 1
  store i8 %u, ptr %a, align 1
  %b = getelementptr i8, ptr %a, i64 1
  store i8 0, ptr %b, align 1
  %r = call i64 @strlen(ptr %a)
  ret i64 %r
}

define i64 @tgt_strlen_of_undef_bits() {
  ret i64 7
}

define i64 @src_strlen_of_undef_bits_guarded(i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  %a = alloca [2 x i8], align 1
  %u = or i8 undef, 1
  store i8 %u, ptr %a, align 1
  %b = getelementptr i8, ptr %a, i64 1
  store i8 0, ptr %b, align 1
  %r = call i64 @strlen(ptr %a)
  ret i64 %r
out:
  ret i64 0
}

define i64 @tgt_strlen_of_undef_bits_guarded(i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  ret i64 7
out:
  ret i64 0
}

define i1 @src_memchr_of_undef_bits() {
  %u = and i32 undef, 256
  %w = or i32 %u, 98
  %r = call ptr @memchr(ptr @letters_ab, i32 %w, i64 2)
  %c = icmp eq ptr %r, null
  ret i1 %c
}

define i1 @tgt_memchr_of_undef_bits() {
  ret i1 true
}

define i1 @src_memchr_of_undef_bits_guarded(i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  %u = and i32 undef, 256
  %w = or i32 %u, 98
  %r = call ptr @memchr(ptr @letters_ab, i32 %w, i64 2)
  %c = icmp eq ptr %r, null
  ret i1 %c
out:
  ret i1 false
}

define i1 @tgt_memchr_of_undef_bits_guarded(i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  ret i1 true
out:
  ret i1 false
}

define i1 @src_strcmp_of_undef_bits() {
  %a = alloca [2 x i8], align 1
  %u = or i8 undef, 1
  store i8 %u, ptr %a, align 1
  %b = getelementptr i8, ptr %a, i64 1
  store i8 0, ptr %b, align 1
  %r = call i32 @strcmp(ptr %a, ptr %b)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

define i1 @tgt_strcmp_of_undef_bits() {
  ret i1 true
}

define i1 @src_strcmp_of_undef_bits_guarded(i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  %a = alloca [2 x i8], align 1
  %u = or i8 undef, 1
  store i8 %u, ptr %a, align 1
  %b = getelementptr i8, ptr %a, i64 1
  store i8 0, ptr %b, align 1
  %r = call i32 @strcmp(ptr %a, ptr %b)
  %c = icmp eq i32 %r, 0
  ret i1 %c
out:
  ret i1 false
}

define i1 @tgt_strcmp_of_undef_bits_guarded(i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  ret i1 true
out:
  ret i1 false
}

define i32 @src_extractelement_at_undef_bits() {
  %u = and i32 undef, 1
  %r = extractelement <2 x i32> <i32 5, i32 6>, i32 %u
  ret i32 %r
}

define i32 @tgt_extractelement_at_undef_bits() {
  ret i32 7
}

define i32 @src_extractelement_at_undef_bits_guarded(i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  %u = and i32 undef, 1
  %r = extractelement <2 x i32> <i32 5, i32 6>, i32 %u
  ret i32 %r
out:
  ret i32 0
}

define i32 @tgt_extractelement_at_undef_bits_guarded(i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  ret i32 7
out:
  ret i32 0
}

define <2 x i8> @src_insertelement_at_undef_bits() {
  %u = and i32 undef, 1
  %r = insertelement <2 x i8> <i8 5, i8 6>, i8 4, i32 %u
  ret <2 x i8> %r
}

define <2 x i8> @tgt_insertelement_at_undef_bits() {
  ret <2 x i8> <i8 9, i8 9>
}

define i32 @src_extractelement_of_equal_lanes() {
  %u = and i32 undef, 1
  %f = freeze i32 %u
  %r = extractelement <2 x i32> <i32 5, i32 5>, i32 %f
  ret i32 %r
}

define i32 @tgt_extractelement_of_equal_lanes() {
  %u = and i32 undef, 1
  %r = extractelement <2 x i32> <i32 5, i32 5>, i32 %u
  ret i32 %r
}

define i4 @src_one_of_two_allocas(i1 noundef %a) {
  ret i4 0
}

define i4 @tgt_one_of_two_allocas(i1 noundef %a) {
  %v = alloca ptr, align 8
  %w = alloca ptr, align 8
  %p = select i1 %a, ptr %w, ptr %v
  %l = load ptr, ptr %p, align 8
  ret i4 0
}

define i4 @src_one_of_two_allocas_guarded(i1 noundef %a, i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  ret i4 0
out:
  ret i4 0
}

define i4 @tgt_one_of_two_allocas_guarded(i1 noundef %a, i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  %v = alloca ptr, align 8
  %w = alloca ptr, align 8
  %p = select i1 %a, ptr %w, ptr %v
  %l = load ptr, ptr %p, align 8
  ret i4 0
out:
  ret i4 0
}

define i4 @src_sideeffect_dropped(i1 noundef %c) mustprogress {
  br i1 %c, label %h, label %x
h:
  %i = phi i32 [ 0, %0 ], [ %j, %h ]
  call void @llvm.sideeffect()
  %j = add i32 %i, 1
  br label %h
x:
  ret i4 0
}

define i4 @tgt_sideeffect_dropped(i1 noundef %c) mustprogress {
  br i1 %c, label %h, label %x
h:
  %i = phi i32 [ 0, %0 ], [ %j, %h ]
  %j = add i32 %i, 1
  br label %h
x:
  ret i4 0
}

define i4 @src_sideeffect_dropped_guarded(i1 noundef %c, i64 noundef %k) mustprogress {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  br i1 %c, label %h, label %x
h:
  %i = phi i32 [ 0, %go ], [ %j, %h ]
  call void @llvm.sideeffect()
  %j = add i32 %i, 1
  br label %h
x:
  ret i4 0
out:
  ret i4 0
}

define i4 @tgt_sideeffect_dropped_guarded(i1 noundef %c, i64 noundef %k) mustprogress {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
go:
  br i1 %c, label %h, label %x
h:
  %i = phi i32 [ 0, %go ], [ %j, %h ]
  %j = add i32 %i, 1
  br label %h
x:
  ret i4 0
out:
  ret i4 0
}

declare i64 @strlen(ptr)

declare ptr @memchr(ptr, i32, i64)

declare i32 @strcmp(ptr, ptr)

declare void @llvm.sideeffect()

define i1 @src_volatile_beside_noalias(ptr noalias %a, ptr %b) {
entry:
  br label %b1
b1:
  %p1 = phi i1 [ false, %entry ], [ true, %b1 ]
  %v1 = load volatile i1, ptr %b, align 1
  %v2 = load i1, ptr %a
  br i1 %p1, label %b2, label %b1
b2:
  ret i1 false
}

define i1 @tgt_volatile_beside_noalias(ptr noalias %a, ptr %b) {
  %v1 = load volatile i1, ptr %b, align 1
  %v2 = load volatile i1, ptr %b, align 1
  ret i1 false
}

define i8 @src_fixed_point_speculated(i8 noundef %v, i8 noundef %w, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  %r = call i8 @llvm.smul.fix.i8(i8 %v, i8 %w, i32 2)
  ret i8 %r
b:
  ret i8 0
}

define i8 @tgt_fixed_point_speculated(i8 noundef %v, i8 noundef %w, i1 noundef %c) {
  %r = call i8 @llvm.smul.fix.i8(i8 %v, i8 %w, i32 2)
  br i1 %c, label %a, label %b
a:
  ret i8 %r
b:
  ret i8 0
}

declare i8 @llvm.smul.fix.i8(i8, i8, i32)

define i32 @src_raised_alignment_of_an_alloca() {
  %v1 = alloca [16 x i8], align 8
  %v2 = getelementptr i8, ptr %v1, i64 8
  store i32 1, ptr %v2, align 16
  %l = load i32, ptr %v2, align 4
  ret i32 %l
}

define i32 @tgt_raised_alignment_of_an_alloca() {
  %v1 = alloca [16 x i8], align 16
  %v2 = getelementptr i8, ptr %v1, i64 8
  store i32 1, ptr %v2, align 16
  %l = load i32, ptr %v2, align 4
  ret i32 %l
}

define i32 @src_lowered_alignment_of_an_alloca() {
  %v1 = alloca [16 x i8], align 16
  %v2 = getelementptr i8, ptr %v1, i64 8
  store i32 1, ptr %v2, align 8
  %l = load i32, ptr %v2, align 4
  ret i32 %l
}

define i32 @tgt_lowered_alignment_of_an_alloca() {
  %v1 = alloca [16 x i8], align 8
  %v2 = getelementptr i8, ptr %v1, i64 8
  store i32 1, ptr %v2, align 16
  %l = load i32, ptr %v2, align 4
  ret i32 %l
}

define i32 @src_raised_alignment_of_an_access() {
  %v1 = alloca [16 x i8], align 8
  %v2 = getelementptr i8, ptr %v1, i64 8
  store i32 1, ptr %v2, align 8
  ret i32 1
}

define i32 @tgt_raised_alignment_of_an_access() {
  %v1 = alloca [16 x i8], align 8
  %v2 = getelementptr i8, ptr %v1, i64 8
  store i32 1, ptr %v2, align 16
  ret i32 1
}

define i32 @src_lowered_alignment_of_an_access(i1 noundef %c) {
  %v1 = alloca [16 x i8], align 4
  %v2 = getelementptr i8, ptr %v1, i64 4
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %v2, align 8
  ret i32 1
b:
  ret i32 2
}

define i32 @tgt_lowered_alignment_of_an_access(i1 noundef %c) {
  %v1 = alloca [16 x i8], align 8
  %v2 = getelementptr i8, ptr %v1, i64 4
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %v2, align 4
  ret i32 1
b:
  ret i32 2
}

define i32 @src_access_aligned_by_chance_elsewhere(i1 noundef %c) {
  %v1 = alloca [16 x i8], align 4
  %v2 = getelementptr i8, ptr %v1, i64 4
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %v2, align 8
  ret i32 1
b:
  ret i32 2
}

define i32 @tgt_access_aligned_by_chance_elsewhere(i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  ret i32 3
}

define void @src_deleted_loop_without_an_end(i32 noundef %n, i64 %gk) {
g0:
  %gx = xor i64 %gk, 81985529216486895
  %gc = icmp eq i64 %gx, 1311768467463790320
  br i1 %gc, label %entry, label %gno
gno:
  ret void
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %i1, %h ]
  %i1 = add i32 %i, 2
  %c = icmp eq i32 %i1, %n
  br i1 %c, label %x, label %h
x:
  ret void
}

define void @tgt_deleted_loop_without_an_end(i32 noundef %n, i64 %gk) {
g0:
  %gx = xor i64 %gk, 81985529216486895
  %gc = icmp eq i64 %gx, 1311768467463790320
  br i1 %gc, label %entry, label %gno
gno:
  ret void
entry:
  ret void
}

define i32 @src_deleted_walk(ptr noundef %p, i64 %k) {
entry:
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %walk, label %out
walk:
  %at = phi ptr [ %p, %entry ], [ %next, %walk ]
  %next = load ptr, ptr %at
  %end = icmp eq ptr %next, null
  br i1 %end, label %out, label %walk
out:
  ret i32 0
}

define i32 @tgt_deleted_walk(ptr noundef %p, i64 %k) {
  ret i32 0
}

define i32 @src_deleted_count(i32 noundef %n, i64 %k) {
entry:
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %out, label %loop
out:
  ret i32 0
}

define i32 @tgt_deleted_count(i32 noundef %n, i64 %k) {
  ret i32 0
}

; The source is defined for one answer to its call; the target does not reach that call.
declare i1 @answer_of_two()

define void @src_call_that_the_target_does_not_come_to(i1 %a, i1 %x) {
entry:
  br label %loop
loop:
  %k = call i1 @answer_of_two() willreturn nounwind
  br i1 %k, label %out, label %next
next:
  br i1 %a, label %latch, label %latch
latch:
  %b = and i1 %a, %x
  br i1 %b, label %out, label %loop
out:
  ret void
}

define void @tgt_call_that_the_target_does_not_come_to(i1 %a, i1 %x) {
entry:
  br i1 %a, label %loop, label %loop
loop:
  %k = call i1 @answer_of_two() willreturn nounwind
  br i1 %k, label %out, label %next
next:
  br i1 %a, label %latch, label %latch
latch:
  %b = and i1 %a, %x
  br i1 %b, label %out, label %loop
out:
  ret void
}

; Both sides set equally many bytes; neither side is known to set more than the other.
define void @src_set_as_many(ptr %p, i64 %n) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  ret void
}
define void @tgt_set_as_many(ptr %p, i64 %n) {
  %m = add i64 %n, 0
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %m, i1 false)
  ret void
}

; Parts of a pointer beside other bytes make no pointer, and stay what they are.
define void @src_pointer_stored_back(ptr noundef %p) {
  %v = load ptr, ptr %p, !noundef !0
  store ptr %v, ptr %p
  ret void
}
define void @tgt_pointer_stored_back(ptr noundef %p) {
  ret void
}
; An initializer does not define the padding bytes after an i20.
@i20 = constant i20 1
define i8 @src_padding_of_a_constant() {
  ret i8 0
}
define i8 @tgt_padding_of_a_constant() {
  %p = getelementptr i8, ptr @i20, i64 3
  %v = load i8, ptr %p
  ret i8 %v
}
define i8 @src_padding_read_as_zero() {
  %p = getelementptr i8, ptr @i20, i64 3
  %v = load i8, ptr %p
  ret i8 %v
}
define i8 @tgt_padding_read_as_zero() {
  ret i8 0
}

; Two values with one number, of which one may be poison: a pointer is stored as it was loaded only where that was defined.
define void @src_number_of_poison(ptr noundef %p, ptr noundef %q, i64 noundef %x) {
  %a = alloca i64
  %v = add nsw i64 %x, 1
  store i64 %v, ptr %a
  %l = load ptr, ptr %a
  store ptr %l, ptr %q
  %w = add i64 %x, 1
  %i = inttoptr i64 %w to ptr
  store ptr %i, ptr %p
  ret void
}
define void @tgt_number_of_poison(ptr noundef %p, ptr noundef %q, i64 noundef %x) {
  %a = alloca i64
  %v = add nsw i64 %x, 1
  store i64 %v, ptr %a
  %l = load ptr, ptr %a
  store ptr %l, ptr %q
  %c = icmp eq i64 %x, 9223372036854775807
  br i1 %c, label %t, label %e
t:
  store ptr null, ptr %p
  ret void
e:
  %w = add i64 %x, 1
  %i = inttoptr i64 %w to ptr
  store ptr %i, ptr %p
  ret void
}
