; Other asm, other operands, another destination: each plain, and where only one argument of many reaches it.

define i32 @src_text(i32 %x, ptr %p) {
  %r = call i32 asm sideeffect "bswap $0", "=r,0"(i32 %x)
  ret i32 %r
}

define i32 @src_text_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = call i32 asm sideeffect "bswap $0", "=r,0"(i32 %x)
  ret i32 %r
}

define i32 @tgt_text(i32 %x, ptr %p) {
  %r = call i32 asm sideeffect "not $0", "=r,0"(i32 %x)
  ret i32 %r
}

define i32 @tgt_text_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = call i32 asm sideeffect "not $0", "=r,0"(i32 %x)
  ret i32 %r
}

define i32 @src_constraint(i32 %x, ptr %p) {
  %r = call i32 asm sideeffect "bswap $0", "=r,0"(i32 %x)
  ret i32 %r
}

define i32 @src_constraint_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = call i32 asm sideeffect "bswap $0", "=r,0"(i32 %x)
  ret i32 %r
}

define i32 @tgt_constraint(i32 %x, ptr %p) {
  %r = call i32 asm sideeffect "bswap $0", "=a,0"(i32 %x)
  ret i32 %r
}

define i32 @tgt_constraint_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = call i32 asm sideeffect "bswap $0", "=a,0"(i32 %x)
  ret i32 %r
}

define i32 @src_operand(i32 %x, ptr %p) {
  %r = call i32 asm "bswap $0", "=r,0"(i32 %x)
  ret i32 %r
}

define i32 @src_operand_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = call i32 asm "bswap $0", "=r,0"(i32 %x)
  ret i32 %r
}

define i32 @tgt_operand(i32 %x, ptr %p) {
  %r = call i32 asm "bswap $0", "=r,0"(i32 7)
  ret i32 %r
}

define i32 @tgt_operand_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = call i32 asm "bswap $0", "=r,0"(i32 7)
  ret i32 %r
}

define i32 @src_dropped(i32 %x, ptr %p) {
  call void asm sideeffect "cli", ""()
  %r = add i32 %x, 0
  ret i32 %r
}

define i32 @src_dropped_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  call void asm sideeffect "cli", ""()
  %r = add i32 %x, 0
  ret i32 %r
}

define i32 @tgt_dropped(i32 %x, ptr %p) {
  %r = add i32 %x, 0
  ret i32 %r
}

define i32 @tgt_dropped_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = add i32 %x, 0
  ret i32 %r
}

@g = global i32 0

define i32 @src_memory(i32 %x, ptr %p) {
  store i32 1, ptr @g
  call void asm sideeffect "", "~{memory}"()
  %r = load i32, ptr @g
  ret i32 %r
}

define i32 @src_memory_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  store i32 1, ptr @g
  call void asm sideeffect "", "~{memory}"()
  %r = load i32, ptr @g
  ret i32 %r
}

define i32 @tgt_memory(i32 %x, ptr %p) {
  store i32 1, ptr @g
  call void asm sideeffect "", "~{memory}"()
  %r = add i32 1, 0
  ret i32 %r
}

define i32 @tgt_memory_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  store i32 1, ptr @g
  call void asm sideeffect "", "~{memory}"()
  %r = add i32 1, 0
  ret i32 %r
}

define i32 @src_order(i32 %x, ptr %p) {
  call void asm sideeffect "in", ""()
  call void asm sideeffect "out", ""()
  %r = add i32 %x, 0
  ret i32 %r
}

define i32 @src_order_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  call void asm sideeffect "in", ""()
  call void asm sideeffect "out", ""()
  %r = add i32 %x, 0
  ret i32 %r
}

define i32 @tgt_order(i32 %x, ptr %p) {
  call void asm sideeffect "out", ""()
  call void asm sideeffect "in", ""()
  %r = add i32 %x, 0
  ret i32 %r
}

define i32 @tgt_order_guarded(i32 %x, ptr %p, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  call void asm sideeffect "out", ""()
  call void asm sideeffect "in", ""()
  %r = add i32 %x, 0
  ret i32 %r
}

define i32 @src_jump(i1 %c) {
entry:
  %to = select i1 %c, ptr blockaddress(@src_jump, %a), ptr blockaddress(@src_jump, %b)
  indirectbr ptr %to, [label %a, label %b]

a:
  ret i32 1

b:
  ret i32 2
}

define i32 @tgt_jump(i1 %c) {
entry:
  %to = select i1 %c, ptr blockaddress(@tgt_jump, %b), ptr blockaddress(@tgt_jump, %a)
  indirectbr ptr %to, [label %a, label %b]

a:
  ret i32 1

b:
  ret i32 2
}

define i32 @src_jump_guarded(i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  %to = select i1 %in, ptr blockaddress(@src_jump_guarded, %a), ptr blockaddress(@src_jump_guarded, %b)
  indirectbr ptr %to, [label %a, label %b]

a:
  ret i32 1

b:
  ret i32 2
}

define i32 @tgt_jump_guarded(i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  %to = select i1 %in, ptr blockaddress(@tgt_jump_guarded, %a), ptr blockaddress(@tgt_jump_guarded, %b)
  indirectbr ptr %to, [label %a, label %b]

a:
  ret i32 3

b:
  ret i32 2
}

define i32 @src_goto(i32 %x) {
entry:
  callbr void asm sideeffect "jmp ${0:l}", "!i"()
          to label %fall [label %jump]

fall:
  ret i32 0

jump:
  ret i32 1
}

define i32 @src_goto_guarded(i64 %k) {
entry:
  callbr void asm sideeffect "jmp ${0:l}", "!i"()
          to label %fall [label %jump]

fall:
  ret i32 0

jump:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  %r = select i1 %in, i32 1, i32 7
  ret i32 %r
}

define i32 @tgt_goto(i32 %x) {
entry:
  callbr void asm sideeffect "jmp ${0:l}", "!i"()
          to label %fall [label %jump]

fall:
  ret i32 0

jump:
  ret i32 3
}

define i32 @tgt_goto_guarded(i64 %k) {
entry:
  callbr void asm sideeffect "jmp ${0:l}", "!i"()
          to label %fall [label %jump]

fall:
  ret i32 0

jump:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  %r = select i1 %in, i32 3, i32 7
  ret i32 %r
}
