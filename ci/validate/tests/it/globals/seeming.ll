; Real and apparent similarities of source and target: promises of accesses that only look alike, and promises of a source
; that decide whether a failing run is a refutation.

; judged other_step: if @tgt_other_step keeps !invariant.load
; judged phi_of_other_bits: if @tgt_phi_of_other_bits keeps !invariant.load
; judged phi_swapped: if @tgt_phi_swapped keeps !invariant.load
; judged join_of_other_ways: if @tgt_join_of_other_ways keeps !invariant.load
; judged join_of_other_cases: if @tgt_join_of_other_cases keeps !invariant.load
; judged load_shifted: if @tgt_load_shifted keeps !invariant.load
; judged freeze_swapped: if @tgt_freeze_swapped keeps !invariant.load
; judged guard_of_another_step: if @tgt_guard_of_another_step keeps !invariant.load
; judged pointer_made_dereferenceable: if @tgt_pointer_made_dereferenceable keeps !dereferenceable
; judged pointer_made_from_what_is_dereferenceable: `!dereferenceable`: `%p = inttoptr
; judged pointer_made_nofree: if @tgt_pointer_made_nofree keeps !nofree
; judged write_beside: if memory that @tgt_write_beside writes is reached through `noalias` parameters as in the source
; judged write_of_more: if memory that @tgt_write_of_more writes is reached through `noalias` parameters as in the source
; judged order_within_a_function_that_returns: breaks a promise of the source: `nounwind` and `willreturn`
; judged order_within_a_callee_that_returns: if no input is undef
; judged branch_on_an_undef_bit: refuted by an undef input
; judged returned_broken: refuted
; judged flags_of_an_array: refuted
; judged flags_of_an_array_dropped: refines, all iterations
; judged flags_of_a_struct: refuted
; judged phi_far_away: if @tgt_phi_far_away keeps !invariant.load
; judged write_after_a_loop: if memory that @tgt_write_after_a_loop writes is reached through `noalias` parameters as in the source
; judged vectors_beside: refines, all iterations
; judged stored_before_what_does_not_unwind: breaks a promise of the source: `nounwind`
; judged stored_in_a_global_before_a_call: refuted
; judged abi_of_a_call_dropped: how arguments are passed at a call of @widened
; judged abi_of_a_call_added: refines
; judged noundef_beside_range: `noundef` on a result that metadata or flags make poison

define i32 @src_other_step(ptr %a) {
entry:
  br label %h
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %h ]
  %s = phi i32 [ 0, %entry ], [ %s1, %h ]
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p, !invariant.load !0
  %s1 = add i32 %s, %v
  %i1 = add i64 %i, 1
  %c = icmp ult i64 %i1, 2
  br i1 %c, label %h, label %m
m:
  %p2 = getelementptr i32, ptr %a, i64 2
  %v2 = load i32, ptr %p2
  %p3 = getelementptr i32, ptr %a, i64 3
  %v3 = load i32, ptr %p3
  %t = add i32 %v2, %v3
  %r = add i32 %s1, %t
  store i32 0, ptr %p2
  ret i32 %r
}

define i32 @tgt_other_step(ptr %a) {
entry:
  br label %h
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %h ]
  %s = phi i32 [ 0, %entry ], [ %s1, %h ]
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p, !invariant.load !0
  %i2 = add i64 %i, 1
  %q = getelementptr i32, ptr %a, i64 %i2
  %w = load i32, ptr %q
  %vw = add i32 %v, %w
  %s1 = add i32 %s, %vw
  %i1 = add i64 %i, 2
  %c = icmp ult i64 %i1, 4
  br i1 %c, label %h, label %m
m:
  %p2 = getelementptr i32, ptr %a, i64 2
  store i32 0, ptr %p2
  ret i32 %s1
}

define i32 @src_phi_of_other_bits(ptr %a, i1 %c, i64 %x, i64 %y) {
entry:
  %w = load i32, ptr %a
  %a1 = getelementptr i32, ptr %a, i64 1
  %w1 = load i32, ptr %a1
  br i1 %c, label %l, label %r
l:
  %x1 = and i64 %x, 0
  br label %j
r:
  %y1 = and i64 %y, 0
  br label %j
j:
  %i = phi i64 [ %x1, %l ], [ %y1, %r ]
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p, !invariant.load !1
  store i32 0, ptr %a1
  ret i32 0
}

define i32 @tgt_phi_of_other_bits(ptr %a, i1 %c, i64 %x, i64 %y) {
entry:
  br i1 %c, label %l, label %r
l:
  %x1 = and i64 %x, 1
  br label %j
r:
  %y1 = and i64 %y, 1
  br label %j
j:
  %i = phi i64 [ %x1, %l ], [ %y1, %r ]
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p, !invariant.load !1
  %a1 = getelementptr i32, ptr %a, i64 1
  store i32 0, ptr %a1
  ret i32 0
}

define i32 @src_phi_swapped(ptr %a, ptr %b, i1 %c) {
entry:
  %w = load i32, ptr %a
  %w2 = load i32, ptr %b
  br i1 %c, label %l, label %r
l:
  br label %j
r:
  br label %j
j:
  %i = phi ptr [ %a, %l ], [ %b, %r ]
  %v = load i32, ptr %i, !invariant.load !2
  store i32 0, ptr %a
  ret i32 0
}

define i32 @tgt_phi_swapped(ptr %a, ptr %b, i1 %c) {
entry:
  br i1 %c, label %l, label %r
l:
  br label %j
r:
  br label %j
j:
  %i = phi ptr [ %b, %l ], [ %a, %r ]
  %v = load i32, ptr %i, !invariant.load !2
  store i32 0, ptr %a
  ret i32 0
}

define i32 @src_join_of_other_ways(ptr %p, i1 noundef %c, i1 noundef %d, i1 noundef %e) {
entry:
  br i1 %c, label %l, label %r
l:
  br i1 %d, label %j, label %x
r:
  br i1 %e, label %j, label %x
j:
  %v = load i32, ptr %p, !invariant.load !3
  br label %x
x:
  store i32 0, ptr %p
  ret i32 0
}

define i32 @tgt_join_of_other_ways(ptr %p, i1 noundef %c, i1 noundef %d, i1 noundef %e) {
entry:
  br i1 %c, label %l, label %r
l:
  br i1 %d, label %x, label %j
r:
  br i1 %e, label %x, label %j
j:
  %v = load i32, ptr %p, !invariant.load !3
  br label %x
x:
  store i32 0, ptr %p
  ret i32 0
}

define i32 @src_join_of_other_cases(ptr %p, i32 noundef %c) {
entry:
  switch i32 %c, label %x [ i32 1, label %l
   i32 2, label %r
   i32 3, label %m ]
l:
  br label %j
r:
  br label %j
m:
  br label %x
j:
  %v = load i32, ptr %p, !invariant.load !3
  br label %x
x:
  store i32 0, ptr %p
  ret i32 0
}

define i32 @tgt_join_of_other_cases(ptr %p, i32 noundef %c) {
entry:
  switch i32 %c, label %x [ i32 1, label %l
   i32 2, label %r
   i32 3, label %m ]
l:
  br label %x
r:
  br label %j
m:
  br label %j
j:
  %v = load i32, ptr %p, !invariant.load !3
  br label %x
x:
  store i32 0, ptr %p
  ret i32 0
}

define i32 @src_load_shifted(ptr %a, ptr %b, ptr %s) {
entry:
  %x = load i64, ptr %s
  %x1 = and i64 %x, 1
  store i64 0, ptr %s
  %y = load i64, ptr %s
  %y1 = and i64 %y, 1
  %p = getelementptr i32, ptr %a, i64 %x1
  %v0 = load i32, ptr %p
  %q = getelementptr i32, ptr %a, i64 %y1
  %v = load i32, ptr %q, !invariant.load !4
  store i32 0, ptr %p
  ret i32 0
}

define i32 @tgt_load_shifted(ptr %a, ptr %b, ptr %s) {
entry:
  %w = load i64, ptr %s
  %x = load i64, ptr %s
  %x1 = and i64 %x, 1
  store i64 0, ptr %s
  %p = getelementptr i32, ptr %a, i64 %x1
  %v0 = load i32, ptr %p, !invariant.load !4
  store i32 0, ptr %p
  ret i32 0
}

define i32 @src_freeze_swapped(ptr dereferenceable(8) align 4 %a, i64 %x) {
entry:
  %f = freeze i64 %x
  %g = freeze i64 %x
  %f1 = and i64 %f, 1
  %g1 = and i64 %g, 1
  %p = getelementptr i32, ptr %a, i64 %f1
  %v = load i32, ptr %p, !invariant.load !4
  %q = getelementptr i32, ptr %a, i64 %g1
  store i32 %v, ptr %q
  ret i32 0
}

define i32 @tgt_freeze_swapped(ptr dereferenceable(8) align 4 %a, i64 %x) {
entry:
  %g = freeze i64 %x
  %f = freeze i64 %x
  %f1 = and i64 %f, 1
  %g1 = and i64 %g, 1
  %p = getelementptr i32, ptr %a, i64 %f1
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %a, i64 %g1
  %vv = load i32, ptr %q, !invariant.load !4
  store i32 %v, ptr %q
  ret i32 0
}

define i32 @src_guard_of_another_step(ptr %p, ptr %q, i64 %n) {
entry:
  br label %h
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %l ]
  %c = icmp eq i64 %i, 2
  br i1 %c, label %w, label %l
w:
  %o = load i32, ptr %p, !invariant.load !5
  br label %l
l:
  %i1 = add i64 %i, 1
  %d = icmp ult i64 %i1, 2
  br i1 %d, label %h, label %e
e:
  store i32 4, ptr %p
  ret i32 0
}

define i32 @tgt_guard_of_another_step(ptr %p, ptr %q, i64 %n) {
entry:
  br label %h
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %l ]
  %c = icmp eq i64 %i, 2
  br i1 %c, label %w, label %l
w:
  %o = load i32, ptr %p, !invariant.load !5
  br label %l
l:
  %i1 = add i64 %i, 2
  %d = icmp ult i64 %i1, 3
  br i1 %d, label %h, label %e
e:
  store i32 4, ptr %p
  ret i32 0
}

define i32 @src_pointer_made_dereferenceable(i64 %x, ptr %q) {
entry:
  %p = inttoptr i64 %x to ptr
  ret i32 0
}

define i32 @tgt_pointer_made_dereferenceable(i64 %x, ptr %q) {
entry:
  %p = inttoptr i64 %x to ptr, !dereferenceable !6
  ret i32 0
}

define i32 @src_pointer_made_from_what_is_dereferenceable(i64 noundef %x, i1 noundef %c) {
entry:
  %p = inttoptr i64 %x to ptr, !dereferenceable !7
  br i1 %c, label %a, label %b
a:
  %v = load i32, ptr %p, align 1
  ret i32 %v
b:
  ret i32 0
}

define i32 @tgt_pointer_made_from_what_is_dereferenceable(i64 noundef %x, i1 noundef %c) {
entry:
  %p = inttoptr i64 %x to ptr, !dereferenceable !7
  %v = load i32, ptr %p, align 1
  %s = select i1 %c, i32 %v, i32 0
  ret i32 %s
}

define void @src_pointer_made_nofree(i64 %x, i64 %y, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %p = inttoptr i64 %x to ptr, !nofree !2
  ret void
b:
  call void @any()
  ret void
}

define void @tgt_pointer_made_nofree(i64 %x, i64 %y, i1 %c) {
entry:
  %p = inttoptr i64 %y to ptr, !nofree !2
  br i1 %c, label %a, label %b
a:
  ret void
b:
  call void @any()
  ret void
}

define i8 @src_write_beside(ptr noalias %p, ptr %q) {
entry:
  store i8 1, ptr %q
  %q1 = getelementptr i8, ptr %q, i64 1
  %w = load i8, ptr %q1
  %c = icmp eq i8 %w, 5
  br i1 %c, label %a, label %b
a:
  %v = load i8, ptr %p
  ret i8 %v
b:
  ret i8 0
}

define i8 @tgt_write_beside(ptr noalias %p, ptr %q) {
entry:
  store i8 1, ptr %q
  %q1 = getelementptr i8, ptr %q, i64 1
  %w = load i8, ptr %q1
  %c = icmp eq i8 %w, 5
  br i1 %c, label %a, label %b
a:
  store i8 5, ptr %q1
  %v = load i8, ptr %p
  ret i8 %v
b:
  ret i8 0
}

define void @src_write_of_more(ptr noalias align 2 dereferenceable(2) %p, ptr %q) {
entry:
  %w = load i8, ptr %q
  %k = icmp eq i8 %w, 5
  br i1 %k, label %go, label %out
go:
  %p1 = getelementptr i8, ptr %p, i64 1
  %x = load i8, ptr %p1
  %kx = icmp eq i8 %x, 5
  br i1 %kx, label %g2, label %out
g2:
  store i8 3, ptr %p
  ret void
out:
  ret void
}

define void @tgt_write_of_more(ptr noalias align 2 dereferenceable(2) %p, ptr %q) {
entry:
  %w = load i8, ptr %q
  %k = icmp eq i8 %w, 5
  br i1 %k, label %go, label %out
go:
  %p1 = getelementptr i8, ptr %p, i64 1
  %x = load i8, ptr %p1
  %kx = icmp eq i8 %x, 5
  br i1 %kx, label %g2, label %out
g2:
  store i16 1283, ptr %p
  ret void
out:
  ret void
}

define i32 @src_order_within_a_function_that_returns(i32 %a, i32 %b) nounwind willreturn {
entry:
  call void @any()
  %d = udiv i32 %a, %b
  ret i32 %d
}

define i32 @tgt_order_within_a_function_that_returns(i32 %a, i32 %b) nounwind willreturn {
entry:
  %d = udiv i32 %a, %b
  call void @any()
  ret i32 %d
}

define i32 @src_order_within_a_callee_that_returns(i32 %a, i32 %b) {
entry:
  call void @inner()
  %d = udiv i32 %a, %b
  ret i32 %d
}

define internal void @inner() nounwind willreturn {
  call void @any()
  ret void
}

define i32 @tgt_order_within_a_callee_that_returns(i32 %a, i32 %b) {
entry:
  %d = udiv i32 %a, %b
  call void @inner()
  ret i32 %d
}

define void @src_branch_on_an_undef_bit(i8 %x) {
  %c = icmp ugt i8 %x, 200
  br i1 %c, label %g, label %b
g:
  ret void
b:
  ret void
}

define void @tgt_branch_on_an_undef_bit(i8 %x) {
  %c = icmp ugt i8 %x, 200
  br i1 %c, label %g, label %b
g:
  %d = trunc i8 %x to i1
  br i1 %d, label %a, label %b
a:
  ret void
b:
  ret void
}

define i32 @src_returned_broken(i32 noundef %x, i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
out:
  ret i32 0
go:
  %r = call i32 @cal(i32 %x)
  ret i32 %x
}

define internal i32 @cal(i32 returned %x) {
  ret i32 5
}

define i32 @tgt_returned_broken(i32 noundef %x, i64 noundef %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
out:
  ret i32 0
go:
  %r = call i32 @cal(i32 %x)
  ret i32 %r
}

define float @src_flags_of_an_array(i1 noundef %c, [2 x float] %x, [2 x float] %y, i64 %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
out:
  ret float 0.0
go:
  %p = select i1 %c, [2 x float] %x, [2 x float] %y
  %e = extractvalue [2 x float] %p, 0
  ret float %e
}

define float @tgt_flags_of_an_array(i1 noundef %c, [2 x float] %x, [2 x float] %y, i64 %k) {
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %go, label %out
out:
  ret float 0.0
go:
  %p = select nnan i1 %c, [2 x float] %x, [2 x float] %y
  %e = extractvalue [2 x float] %p, 0
  ret float %e
}

define float @src_flags_of_an_array_dropped(i1 noundef %c, [2 x float] %x, [2 x float] %y) {
  %p = select nnan i1 %c, [2 x float] %x, [2 x float] %y
  %e = extractvalue [2 x float] %p, 0
  %n = fcmp uno float %e, 0.0
  %r = select i1 %n, float 1.0, float %e
  ret float %r
}

define float @tgt_flags_of_an_array_dropped(i1 noundef %c, [2 x float] %x, [2 x float] %y) {
  %p = select i1 %c, [2 x float] %x, [2 x float] %y
  %e = extractvalue [2 x float] %p, 0
  ret float %e
}

define float @src_flags_of_a_struct(i1 noundef %c, {float,float} %x, {float,float} %y) {
  %p = select i1 %c, {float,float} %x, {float,float} %y
  %e = extractvalue {float,float} %p, 0
  ret float %e
}

define float @tgt_flags_of_a_struct(i1 noundef %c, {float,float} %x, {float,float} %y) {
  %p = select ninf i1 %c, {float,float} %x, {float,float} %y
  %e = extractvalue {float,float} %p, 0
  ret float %e
}

define i8 @src_noundef_beside_range() {
  %r = call noundef i8 @ret(), !range !8
  %f = freeze i8 %r
  ret i8 %f
}

define i8 @tgt_noundef_beside_range() {
  %r = call noundef i8 @ret(), !range !8
  ret i8 %r
}

declare i8 @ret()
declare void @any()

!0 = !{}
!1 = !{}
!2 = !{}
!3 = !{}
!4 = !{}
!5 = !{}
!6 = !{i64 4}
!7 = !{i64 4}
!8 = !{i8 0, i8 10}

define i32 @src_phi_far_away(ptr %a, i64 %x, i1 noundef %c0, i1 noundef %c1, i1 noundef %c2, i1 noundef %c3, i1 noundef %c4, i1 noundef %c5, i1 noundef %c6, i1 noundef %c7, i1 noundef %c8, i1 noundef %c9, i1 noundef %c10, i1 noundef %c11) {
entry:
  %w = load i32, ptr %a
  %a1 = getelementptr i32, ptr %a, i64 1
  %w1 = load i32, ptr %a1
  %v0 = and i64 %x, 0
  br label %h0
h0:
  br i1 %c0, label %t0, label %h1
t0:
  br label %h1
h1:
  %v1 = phi i64 [ %v0, %h0 ], [ %v0, %t0 ]
  br i1 %c1, label %t1, label %h2
t1:
  br label %h2
h2:
  %v2 = phi i64 [ %v1, %h1 ], [ %v1, %t1 ]
  br i1 %c2, label %t2, label %h3
t2:
  br label %h3
h3:
  %v3 = phi i64 [ %v2, %h2 ], [ %v2, %t2 ]
  br i1 %c3, label %t3, label %h4
t3:
  br label %h4
h4:
  %v4 = phi i64 [ %v3, %h3 ], [ %v3, %t3 ]
  br i1 %c4, label %t4, label %h5
t4:
  br label %h5
h5:
  %v5 = phi i64 [ %v4, %h4 ], [ %v4, %t4 ]
  br i1 %c5, label %t5, label %h6
t5:
  br label %h6
h6:
  %v6 = phi i64 [ %v5, %h5 ], [ %v5, %t5 ]
  br i1 %c6, label %t6, label %h7
t6:
  br label %h7
h7:
  %v7 = phi i64 [ %v6, %h6 ], [ %v6, %t6 ]
  br i1 %c7, label %t7, label %h8
t7:
  br label %h8
h8:
  %v8 = phi i64 [ %v7, %h7 ], [ %v7, %t7 ]
  br i1 %c8, label %t8, label %h9
t8:
  br label %h9
h9:
  %v9 = phi i64 [ %v8, %h8 ], [ %v8, %t8 ]
  br i1 %c9, label %t9, label %h10
t9:
  br label %h10
h10:
  %v10 = phi i64 [ %v9, %h9 ], [ %v9, %t9 ]
  br i1 %c10, label %t10, label %h11
t10:
  br label %h11
h11:
  %v11 = phi i64 [ %v10, %h10 ], [ %v10, %t10 ]
  br i1 %c11, label %t11, label %h12
t11:
  br label %h12
h12:
  %v12 = phi i64 [ %v11, %h11 ], [ %v11, %t11 ]
  %p = getelementptr i32, ptr %a, i64 %v12
  %v = load i32, ptr %p, !invariant.load !2
  store i32 0, ptr %a1
  ret i32 0
}

define i32 @tgt_phi_far_away(ptr %a, i64 %x, i1 noundef %c0, i1 noundef %c1, i1 noundef %c2, i1 noundef %c3, i1 noundef %c4, i1 noundef %c5, i1 noundef %c6, i1 noundef %c7, i1 noundef %c8, i1 noundef %c9, i1 noundef %c10, i1 noundef %c11) {
entry:
  %v0 = and i64 %x, 1
  br label %h0
h0:
  br i1 %c0, label %t0, label %h1
t0:
  br label %h1
h1:
  %v1 = phi i64 [ %v0, %h0 ], [ %v0, %t0 ]
  br i1 %c1, label %t1, label %h2
t1:
  br label %h2
h2:
  %v2 = phi i64 [ %v1, %h1 ], [ %v1, %t1 ]
  br i1 %c2, label %t2, label %h3
t2:
  br label %h3
h3:
  %v3 = phi i64 [ %v2, %h2 ], [ %v2, %t2 ]
  br i1 %c3, label %t3, label %h4
t3:
  br label %h4
h4:
  %v4 = phi i64 [ %v3, %h3 ], [ %v3, %t3 ]
  br i1 %c4, label %t4, label %h5
t4:
  br label %h5
h5:
  %v5 = phi i64 [ %v4, %h4 ], [ %v4, %t4 ]
  br i1 %c5, label %t5, label %h6
t5:
  br label %h6
h6:
  %v6 = phi i64 [ %v5, %h5 ], [ %v5, %t5 ]
  br i1 %c6, label %t6, label %h7
t6:
  br label %h7
h7:
  %v7 = phi i64 [ %v6, %h6 ], [ %v6, %t6 ]
  br i1 %c7, label %t7, label %h8
t7:
  br label %h8
h8:
  %v8 = phi i64 [ %v7, %h7 ], [ %v7, %t7 ]
  br i1 %c8, label %t8, label %h9
t8:
  br label %h9
h9:
  %v9 = phi i64 [ %v8, %h8 ], [ %v8, %t8 ]
  br i1 %c9, label %t9, label %h10
t9:
  br label %h10
h10:
  %v10 = phi i64 [ %v9, %h9 ], [ %v9, %t9 ]
  br i1 %c10, label %t10, label %h11
t10:
  br label %h11
h11:
  %v11 = phi i64 [ %v10, %h10 ], [ %v10, %t10 ]
  br i1 %c11, label %t11, label %h12
t11:
  br label %h12
h12:
  %v12 = phi i64 [ %v11, %h11 ], [ %v11, %t11 ]
  %p = getelementptr i32, ptr %a, i64 %v12
  %v = load i32, ptr %p, !invariant.load !2
  %a1 = getelementptr i32, ptr %a, i64 1
  store i32 0, ptr %a1
  ret i32 0
}

define i8 @src_write_after_a_loop(ptr noalias dereferenceable(9) %p, ptr dereferenceable(9) %q, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 0, ptr %a
  %j = add nuw i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  %z = getelementptr inbounds i8, ptr %p, i64 8
  %w = load i8, ptr %z
  %is = icmp eq i8 %w, 5
  br i1 %is, label %five, label %out
five:
  %y = getelementptr inbounds i8, ptr %q, i64 8
  %v = load i8, ptr %y
  ret i8 %v
out:
  ret i8 0
}

define i8 @tgt_write_after_a_loop(ptr noalias dereferenceable(9) %p, ptr dereferenceable(9) %q, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 0, ptr %a
  %j = add nuw i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  %z = getelementptr inbounds i8, ptr %p, i64 8
  %w = load i8, ptr %z
  %is = icmp eq i8 %w, 5
  br i1 %is, label %five, label %out
five:
  store i8 5, ptr %z
  %y = getelementptr inbounds i8, ptr %q, i64 8
  %v = load i8, ptr %y
  ret i8 %v
out:
  ret i8 0
}

define void @src_vectors_beside(ptr noalias noundef align 4 %p, ptr noundef align 4 %q, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  store i8 %v, ptr %a
  %j = add nuw i64 %i, 1
  %c = icmp ult i64 %j, 4
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @tgt_vectors_beside(ptr noalias noundef align 4 %p, ptr noundef align 4 %q, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  %s = insertelement <2 x i8> poison, i8 %v, i64 0
  %t = insertelement <2 x i8> %s, i8 %v, i64 1
  store <2 x i8> %t, ptr %a
  %j = add nuw i64 %i, 2
  %c = icmp ult i64 %j, 4
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @src_stored_before_what_does_not_unwind(ptr noalias %p) nounwind {
  store i32 1, ptr %p
  call void @any()
  store i32 2, ptr %p
  ret void
}

define void @tgt_stored_before_what_does_not_unwind(ptr noalias %p) nounwind {
  call void @any()
  store i32 2, ptr %p
  ret void
}

@seen_by_all = global i32 0

define void @src_stored_in_a_global_before_a_call(ptr noalias %p) nounwind {
  store i32 1, ptr @seen_by_all
  call void @any()
  store i32 2, ptr @seen_by_all
  ret void
}

define void @tgt_stored_in_a_global_before_a_call(ptr noalias %p) nounwind {
  call void @any()
  store i32 2, ptr @seen_by_all
  ret void
}

declare void @widened(i8 zeroext)

define void @src_abi_of_a_call_dropped(i8 %a) {
  call void @widened(i8 zeroext %a)
  ret void
}

define void @tgt_abi_of_a_call_dropped(i8 %a) {
  call void @widened(i8 %a)
  ret void
}

define void @src_abi_of_a_call_added(i8 noundef %a) {
  call void @widened(i8 %a)
  ret void
}

define void @tgt_abi_of_a_call_added(i8 noundef %a) {
  call void @widened(i8 zeroext %a)
  ret void
}
