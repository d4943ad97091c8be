; What LangRef, "Volatile Memory Accesses", allows around accesses that are kept as they are: nothing beyond the bytes at the
; address is changed or seen, and a load returns for sure.

@g = global i32 0
@c = constant i32 7

; The memory at another address is not seen by it.
define i32 @src_other(ptr noalias noundef %p, ptr noalias noundef %q) {
  store i32 5, ptr %p
  %w = load volatile i32, ptr %q
  ret i32 %w
}
define i32 @tgt_other(ptr noalias noundef %p, ptr noalias noundef %q) {
  %w = load volatile i32, ptr %q
  store i32 5, ptr %p
  ret i32 %w
}

; Nor is it changed.
define i32 @src_forwarded(ptr noalias noundef %p, ptr noalias noundef %q) {
  store i32 5, ptr %p
  %w = load volatile i32, ptr %q
  store volatile i32 %w, ptr %q
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_forwarded(ptr noalias noundef %p, ptr noalias noundef %q) {
  store i32 5, ptr %p
  %w = load volatile i32, ptr %q
  store volatile i32 %w, ptr %q
  ret i32 5
}

; What a plain load finds after it stays.
define i32 @src_again(ptr noundef %p) {
  %w = load volatile i32, ptr %p
  %a = load i32, ptr %p
  %b = load i32, ptr %p
  %r = add i32 %a, %b
  ret i32 %r
}
define i32 @tgt_again(ptr noundef %p) {
  %w = load volatile i32, ptr %p
  %a = load i32, ptr %p
  %r = add i32 %a, %a
  ret i32 %r
}

; Memory that must not be written is not changed.
define i32 @src_constant() {
  %w = load volatile i32, ptr @c
  %v = load i32, ptr @c
  ret i32 %v
}
define i32 @tgt_constant() {
  %w = load volatile i32, ptr @c
  ret i32 7
}

define i32 @src_reads_only(ptr noundef %p) memory(read) {
  %a = load i32, ptr %p
  %w = load volatile i32, ptr %p
  %b = load i32, ptr %p
  %r = sub i32 %b, %a
  ret i32 %r
}
define i32 @tgt_reads_only(ptr noundef %p) memory(read) {
  %a = load i32, ptr %p
  %w = load volatile i32, ptr %p
  ret i32 0
}

; What is undefined may come before a load.
define i32 @src_before(ptr noundef %p, i32 noundef %x) {
  %w = load volatile i32, ptr %p
  %r = udiv i32 1, %x
  ret i32 %r
}
define i32 @tgt_before(ptr noundef %p, i32 noundef %x) {
  %r = udiv i32 1, %x
  %w = load volatile i32, ptr %p
  ret i32 %r
}

define i32 @src_null(i32 noundef %x) {
  %y = mul i32 %x, 2
  store volatile i32 %y, ptr null
  %w = load volatile i32, ptr null
  ret i32 %w
}
define i32 @tgt_null(i32 noundef %x) {
  %y = shl i32 %x, 1
  store volatile i32 %y, ptr null
  %w = load volatile i32, ptr null
  ret i32 %w
}

define void @src_loop(ptr noundef %p, i8 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %y = mul i8 %i, 3
  store volatile i8 %y, ptr %p
  %w = load volatile i8, ptr %p
  %i.next = add i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @tgt_loop(ptr noundef %p, i8 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %y = phi i8 [ 0, %entry ], [ %y.next, %loop ]
  store volatile i8 %y, ptr %p
  %w = load volatile i8, ptr %p
  %i.next = add i8 %i, 1
  %y.next = add i8 %y, 3
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A pointer that is poison, or an address that is misaligned, is undefined still.
define void @src_poison() {
  store volatile i32 1, ptr poison
  ret void
}
define void @tgt_poison() {
  unreachable
}
define void @src_misaligned() {
  store volatile i32 1, ptr inttoptr (i64 2 to ptr), align 4
  ret void
}
define void @tgt_misaligned() {
  unreachable
}
