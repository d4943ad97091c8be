; LangRef, "Volatile Memory Accesses": the address of such an access may have no memory, null too; the access does not show that
; a plain one of the address is defined; and where a plain store would be allowed it may change memory.

@g = global i32 0
@c = constant i32 7

; A store of what is loaded moved over the load, where runs don't find the way to it.
define i32 @src_moved(ptr noundef %p, i64 noundef %k) {
  %m = mul i64 %k, -7046029254386353131
  %c = icmp eq i64 %m, 1552334026878672757
  br i1 %c, label %a, label %b
a:
  store i32 5, ptr %p
  %w = load volatile i32, ptr %p
  ret i32 %w
b:
  ret i32 0
}
define i32 @tgt_moved(ptr noundef %p, i64 noundef %k) {
  %m = mul i64 %k, -7046029254386353131
  %c = icmp eq i64 %m, 1552334026878672757
  br i1 %c, label %a, label %b
a:
  %w = load volatile i32, ptr %p
  store i32 5, ptr %p
  ret i32 %w
b:
  ret i32 0
}

; The value is not used, but the access has seen other bytes.
define void @src_unused(ptr noundef %p) {
  store i32 5, ptr %p
  %w = load volatile i32, ptr %p
  ret void
}
define void @tgt_unused(ptr noundef %p) {
  %w = load volatile i32, ptr %p
  store i32 5, ptr %p
  ret void
}

define void @src_store_null() {
  store volatile i32 0, ptr null
  ret void
}
define void @tgt_store_null() {
  unreachable
}

define i32 @src_load_null() {
  %w = load volatile i32, ptr null
  ret i32 %w
}
define i32 @tgt_load_null() {
  unreachable
}

; A load from null gives any value.
define i32 @src_value_of_null() {
  %w = load volatile i32, ptr null
  ret i32 %w
}
define i32 @tgt_value_of_null() {
  %w = load volatile i32, ptr null
  ret i32 0
}

define void @src_number() {
  store volatile i32 1, ptr inttoptr (i64 4096 to ptr)
  ret void
}
define void @tgt_number() {
  unreachable
}

define void @src_beyond() {
  store volatile i32 1, ptr getelementptr (i8, ptr @g, i64 8)
  ret void
}
define void @tgt_beyond() {
  unreachable
}

define void @src_constant() {
  store volatile i32 1, ptr @c
  ret void
}
define void @tgt_constant() {
  unreachable
}

; LangRef contradicts itself about what such a load changes: no run refutes by it.
define i32 @src_modifies(ptr noundef %p) {
  store i32 5, ptr %p
  %w = load volatile i32, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_modifies(ptr noundef %p) {
  store i32 5, ptr %p
  %w = load volatile i32, ptr %p
  ret i32 5
}

; The same of a variable of the module, in a loop that waits for it.
define i32 @src_waits(i32 %n) {
entry:
  store i32 1, ptr @g
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %w = load volatile i32, ptr @g
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %v = load i32, ptr @g
  ret i32 %v
}
define i32 @tgt_waits(i32 %n) {
entry:
  store i32 1, ptr @g
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %w = load volatile i32, ptr @g
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 1
}

; The same of an alloca that nobody else knows.
define i32 @src_alloca() {
  %p = alloca i32
  store i32 5, ptr %p
  %w = load volatile i32, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_alloca() {
  %p = alloca i32
  store i32 5, ptr %p
  %w = load volatile i32, ptr %p
  ret i32 5
}

define i32 @src_proves_load(ptr noundef %p, i1 noundef %c) {
  %v = load volatile i32, ptr %p
  br i1 %c, label %a, label %b
a:
  %w = load i32, ptr %p
  ret i32 %w
b:
  ret i32 0
}
define i32 @tgt_proves_load(ptr noundef %p, i1 noundef %c) {
  %v = load volatile i32, ptr %p
  %w = load i32, ptr %p
  %r = select i1 %c, i32 %w, i32 0
  ret i32 %r
}

define i32 @src_store_proves_load(ptr noundef %p, i1 noundef %c) {
  store volatile i32 1, ptr %p
  br i1 %c, label %a, label %b
a:
  %w = load i32, ptr %p
  ret i32 %w
b:
  ret i32 0
}
define i32 @tgt_store_proves_load(ptr noundef %p, i1 noundef %c) {
  store volatile i32 1, ptr %p
  %w = load i32, ptr %p
  %r = select i1 %c, i32 %w, i32 0
  ret i32 %r
}

; A plain load hoisted out of a loop that may not run it, after a volatile access of the same address.
define i32 @src_hoisted(ptr noundef %p, i32 noundef %n) {
entry:
  %v = load volatile i32, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit
latch:
  %w = load i32, ptr %p
  %s.next = add i32 %s, %w
  %i.next = add i32 %i, 1
  br label %loop
exit:
  ret i32 %s
}
define i32 @tgt_hoisted(ptr noundef %p, i32 noundef %n) {
entry:
  %v = load volatile i32, ptr %p
  %w = load i32, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit
latch:
  %s.next = add i32 %s, %w
  %i.next = add i32 %i, 1
  br label %loop
exit:
  ret i32 %s
}

; A store need not return: what is undefined after it must not come before it.
define void @src_crash(i32 noundef %x) {
  store volatile i32 1, ptr null
  %r = udiv i32 1, %x
  ret void
}
define void @tgt_crash(i32 noundef %x) {
  %r = udiv i32 1, %x
  store volatile i32 1, ptr null
  ret void
}
