; Promises of sources about memory, in runs that keep them and in runs that break them. A failing run refutes a pair only
; if its source keeps its promises: pairs of the first kind are refuted; for the second kind the verdict names the instruction.

; judged captured_elsewhere: refuted
; judged passed_on: refuted
; judged freed_elsewhere: refuted
; judged nofree_beside_a_call: refuted
; judged initialized_here: refuted
; judged captured_here: `captures(none)` on parameter 0: `store ptr %p, ptr @g` in @src_captured_here
; judged written_elsewhere: refuted
; judged captured_elsewhere_by_a_callee: refuted
; judged synchronized_elsewhere: refuted
; judged written_here: vacuous
; judged captured_by_a_callee: `captures(none)` on parameter 0 of @cal: `store ptr %p, ptr @g` in @cal
; judged not_initialized: `initializes((0, 4))` on parameter 0

declare void @ext(ptr)

declare void @extn(ptr captures(none))
@g = global ptr null

define i32 @src_captured_elsewhere(ptr captures(none) %p, i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %t, label %e
t:
  store ptr %p, ptr @g
  ret i32 0
e:
  ret i32 %x
}

define i32 @tgt_captured_elsewhere(ptr captures(none) %p, i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %t, label %e
t:
  store ptr %p, ptr @g
  ret i32 0
e:
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @src_passed_on(ptr captures(none) %p, i32 noundef %x) {
  call void @ext(ptr %p)
  ret i32 %x
}

define i32 @tgt_passed_on(ptr captures(none) %p, i32 noundef %x) {
  call void @ext(ptr %p)
  %y = add i32 %x, 1
  ret i32 %y
}

declare void @free(ptr)

define i32 @src_freed_elsewhere(ptr nofree %p, i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %t, label %e
t:
  call void @free(ptr %p)
  ret i32 0
e:
  ret i32 %x
}

define i32 @tgt_freed_elsewhere(ptr nofree %p, i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %t, label %e
t:
  call void @free(ptr %p)
  ret i32 0
e:
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @src_nofree_beside_a_call(ptr %p, i32 noundef %x) nofree {
  call void @ext(ptr %p)
  ret i32 %x
}

define i32 @tgt_nofree_beside_a_call(ptr %p, i32 noundef %x) nofree {
  call void @ext(ptr %p)
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @src_initialized_here(ptr initializes((0, 4)) %p, i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %t, label %e
t:
  ret i32 0
e:
  store i32 %x, ptr %p
  ret i32 %x
}

define i32 @tgt_initialized_here(ptr initializes((0, 4)) %p, i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %t, label %e
t:
  ret i32 0
e:
  store i32 %x, ptr %p
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @src_captured_here(ptr captures(none) %p, i32 noundef %x) {
  store ptr %p, ptr @g
  ret i32 %x
}

define i32 @tgt_captured_here(ptr captures(none) %p, i32 noundef %x) {
  store ptr %p, ptr @g
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @src_written_elsewhere(ptr readonly %p, i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %t, label %e
t:
  store i32 0, ptr %p
  ret i32 0
e:
  ret i32 %x
}

define i32 @tgt_written_elsewhere(ptr readonly %p, i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %t, label %e
t:
  store i32 0, ptr %p
  ret i32 0
e:
  %y = add i32 %x, 1
  ret i32 %y
}

define internal void @cal(ptr captures(none) %p, i1 %c) noinline {
  br i1 %c, label %t, label %e
t:
  store ptr %p, ptr @g
  ret void
e:
  ret void
}

define i32 @src_captured_elsewhere_by_a_callee(ptr %p, i1 noundef %c, i32 noundef %x) {
  call void @cal(ptr %p, i1 %c)
  ret i32 %x
}

define i32 @tgt_captured_elsewhere_by_a_callee(ptr %p, i1 noundef %c, i32 noundef %x) {
  call void @cal(ptr %p, i1 %c)
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @src_synchronized_elsewhere(i1 noundef %c, i32 noundef %x) nosync nounwind {
  br i1 %c, label %t, label %e
t:
  fence seq_cst
  ret i32 0
e:
  ret i32 %x
}

define i32 @tgt_synchronized_elsewhere(i1 noundef %c, i32 noundef %x) nosync nounwind {
  br i1 %c, label %t, label %e
t:
  fence seq_cst
  ret i32 0
e:
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @src_written_here(ptr readonly %p, i32 noundef %x) {
  store i32 0, ptr %p
  ret i32 %x
}

define i32 @tgt_written_here(ptr readonly %p, i32 noundef %x) {
  store i32 0, ptr %p
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @src_captured_by_a_callee(ptr %p, i32 noundef %x) {
  call void @cal(ptr %p, i1 true)
  ret i32 %x
}

define i32 @tgt_captured_by_a_callee(ptr %p, i32 noundef %x) {
  call void @cal(ptr %p, i1 true)
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @src_not_initialized(ptr initializes((0, 4)) %p, i32 noundef %x) {
  ret i32 %x
}

define i32 @tgt_not_initialized(ptr initializes((0, 4)) %p, i32 noundef %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
