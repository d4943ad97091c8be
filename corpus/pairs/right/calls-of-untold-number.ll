; What a call does that reads nothing of what it writes out of sight it does again when it is called again: LLVM makes one
; call of many. The engines take each call for an event and do not say that this is wrong.

declare void @note(i32) memory(write) nounwind
declare i32 @compute()
declare void @log(i32) nounwind

define void @src_written(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @note(i32 0)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @tgt_written(i32 %n) {
entry:
  call void @note(i32 0)
  ret void
}

; That the call may not return is told where it is made.

define i32 @src_at_the_call(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = call i32 @compute() nounwind memory(none)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %x
}

define i32 @tgt_at_the_call(i32 %n) {
entry:
  %x = call i32 @compute() nounwind memory(none)
  ret i32 %x
}

; The call may have been left out in front of what is undefined in both.

declare float @absolute(float) nounwind memory(none)

define float @src_before_undefined(float %x, i32 %n) {
  %a = call float @absolute(float %x)
  %q = udiv i32 %n, 0
  ret float %a
}

define float @tgt_before_undefined(float %x, i32 %n) {
  %q = udiv i32 %n, 0
  ret float %x
}

; Of what reads and writes out of sight the number of calls is seen.

define void @src_logged(i32 %n) {
  call void @log(i32 0)
  call void @log(i32 0)
  ret void
}

define void @tgt_logged(i32 %n) {
  call void @log(i32 0)
  ret void
}

; A guard may fail where its condition holds: what runs on from there is as good.

declare void @llvm.experimental.guard(i1, ...)

define i32 @src_guarded(i1 %a, i1 %b) {
  call void (i1, ...) @llvm.experimental.guard(i1 %a) [ "deopt"() ]
  call void (i1, ...) @llvm.experimental.guard(i1 %b) [ "deopt"() ]
  ret i32 0
}

define i32 @tgt_guarded(i1 %a, i1 %b) {
  %both = and i1 %a, %b
  call void (i1, ...) @llvm.experimental.guard(i1 %both) [ "deopt"() ]
  ret i32 0
}
