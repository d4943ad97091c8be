; Branches and switches on poison and undef, unreachable code, freeze before a branch.

; @br_poison(poison) -> ub branch-on-poison
; @br_poison(1) -> i8 1
define i8 @br_poison(i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret i8 1
b:
  ret i8 2
}
; @br_undef(undef) -> ub branch-on-undef
define i8 @br_undef(i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret i8 1
b:
  ret i8 2
}
; Both ways lead to one block, and it is undefined all the same.
; @br_undef_same_target(undef) -> ub branch-on-undef
; @br_undef_same_target(poison) -> ub branch-on-poison
define i8 @br_undef_same_target(i1 %c) {
  br i1 %c, label %a, label %a
a:
  ret i8 1
}
; @br_compare_undef(undef) -> ub branch-on-undef
define i8 @br_compare_undef(i8 %x) {
  %c = icmp eq i8 %x, 0
  br i1 %c, label %a, label %b
a:
  ret i8 1
b:
  ret i8 1
}
; The comparison is decided, so nothing is undefined.
; @br_decided_undef(undef) -> i8 1
define i8 @br_decided_undef(i8 %x) {
  %m = or i8 %x, 1
  %c = icmp eq i8 %m, 0
  br i1 %c, label %b, label %a
a:
  ret i8 1
b:
  ret i8 2
}
; An undef that went through arithmetic is as undefined as before.
; @br_undef_plus_one(undef) -> ub branch-on-undef
define i8 @br_undef_plus_one(i8 %x) {
  %y = add i8 %x, 1
  %c = icmp slt i8 %y, 0
  br i1 %c, label %a, label %b
a:
  ret i8 1
b:
  ret i8 2
}
; @br_undef_times_three(undef) -> ub branch-on-undef
define i8 @br_undef_times_three(i8 %x) {
  %y = mul i8 %x, 3
  %c = icmp slt i8 %y, 0
  br i1 %c, label %a, label %b
a:
  ret i8 1
b:
  ret i8 2
}
; @br_frozen(poison) -> i8 1 | i8 2
; @br_frozen(undef) -> i8 1 | i8 2
define i8 @br_frozen(i1 %c) {
  %f = freeze i1 %c
  br i1 %f, label %a, label %b
a:
  ret i8 1
b:
  ret i8 2
}
; @br_overflow(127) -> ub branch-on-poison
; @br_overflow(1) -> i8 0
define i8 @br_overflow(i8 %x) {
  %y = add nsw i8 %x, 1
  %c = icmp sgt i8 %y, %x
  br i1 %c, label %a, label %b
a:
  ret i8 0
b:
  ret i8 1
}
; @switch_poison(poison) -> ub branch-on-poison
; @switch_poison(undef) -> ub branch-on-undef
; @switch_poison(1) -> i8 11
; @switch_poison(7) -> i8 10
define i8 @switch_poison(i8 %x) {
  switch i8 %x, label %d [ i8 1, label %one ]
one:
  ret i8 11
d:
  ret i8 10
}
; A switch without cases still looks at its operand.
; @switch_no_cases(poison) -> ub branch-on-poison
; @switch_no_cases(undef) -> ub branch-on-undef
; @switch_no_cases(5) -> i8 10
define i8 @switch_no_cases(i8 %x) {
  switch i8 %x, label %d [ ]
d:
  ret i8 10
}
; @reach(1) -> ub unreachable
; @reach(0) -> i8 3
define i8 @reach(i1 %c) {
  br i1 %c, label %bad, label %ok
bad:
  unreachable
ok:
  ret i8 3
}
; Poison that nothing depends on does no harm.
; @dead_poison(255) -> i8 3
define i8 @dead_poison(i8 %x) {
  %p = add nuw i8 %x, 1
  %q = mul nsw i8 %p, %p
  ret i8 3
}
; @branch_on_uninitialised(zeros:1) -> i8 3
; undef: @branch_on_uninitialised(uninit:1) -> ub branch-on-undef
; poison: @branch_on_uninitialised(uninit:1) -> ub branch-on-undef
define i8 @branch_on_uninitialised(ptr %p) {
  %x = load i8, ptr %p
  %c = icmp eq i8 %x, 0
  br i1 %c, label %a, label %b
a:
  ret i8 3
b:
  ret i8 4
}
; All bits of uninitialised memory are undefined, those beyond an i1 too, as after a store of one.
; undef: @branch_on_fresh_alloca() -> ub branch-on-undef
; poison: @branch_on_fresh_alloca() -> ub branch-on-poison
define i8 @branch_on_fresh_alloca() {
  %p = alloca i1
  %c = load i1, ptr %p
  br i1 %c, label %a, label %b
a:
  ret i8 3
b:
  ret i8 4
}
; undef: @switch_on_fresh_alloca() -> ub branch-on-undef
; poison: @switch_on_fresh_alloca() -> ub branch-on-poison
define i8 @switch_on_fresh_alloca() {
  %p = alloca i8
  %x = load i8, ptr %p
  switch i8 %x, label %d [ i8 1, label %d ]
d:
  ret i8 4
}
; undef: @branch_on_partly_initialised() -> ub branch-on-undef
; poison: @branch_on_partly_initialised() -> ub branch-on-poison
define i8 @branch_on_partly_initialised() {
  %p = alloca i16
  store i8 0, ptr %p
  %x = load i16, ptr %p
  %c = icmp eq i16 %x, 0
  br i1 %c, label %a, label %b
a:
  ret i8 3
b:
  ret i8 4
}
; The byte that was written decides: under the reading as undef the other one does not matter.
; undef: @branch_decided_by_one_byte() -> i8 4
; poison: @branch_decided_by_one_byte() -> ub branch-on-poison
define i8 @branch_decided_by_one_byte() {
  %p = alloca i16
  store i8 1, ptr %p
  %x = load i16, ptr %p
  %c = icmp eq i16 %x, 0
  br i1 %c, label %a, label %b
a:
  ret i8 3
b:
  ret i8 4
}
