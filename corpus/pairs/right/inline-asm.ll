; Inline asm is a call that its text, constraints and inputs name. Alignment directives touch no memory; asm without
; `sideeffect` depends on its inputs alone, and may be left out.

define i32 @src_align(i32 %n, ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect ".p2align 4", "~{dirflag},~{fpsr},~{flags}"()
  store i32 %i, ptr %p
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %twice = mul i32 %next, 2
  ret i32 %twice
}

define i32 @tgt_align(i32 %n, ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect ".p2align 4", "~{dirflag},~{fpsr},~{flags}"()
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %twice = shl i32 %next, 1
  ret i32 %twice
}

define i32 @src_twice(i32 %x) {
  %a = call i32 asm "bswap $0", "=r,0"(i32 %x)
  %b = call i32 asm "bswap $0", "=r,0"(i32 %x)
  %unused = call i32 asm "not $0", "=r,0"(i32 %x)
  %d = sub i32 %a, %b
  %r = add i32 %d, %a
  ret i32 %r
}

define i32 @tgt_twice(i32 %x) {
  %a = call i32 asm "bswap $0", "=r,0"(i32 %x)
  ret i32 %a
}

define i32 @src_table(i1 %c, i32 %x) {
entry:
  %to = select i1 %c, ptr blockaddress(@src_table, %a), ptr blockaddress(@src_table, %b)
  indirectbr ptr %to, [label %a, label %b]

a:
  %double = add i32 %x, %x
  ret i32 %double

b:
  ret i32 %x
}

define i32 @tgt_table(i1 %c, i32 %x) {
entry:
  br i1 %c, label %a, label %b

a:
  %double = shl i32 %x, 1
  ret i32 %double

b:
  ret i32 %x
}

define i32 @src_goto(i32 %x) {
entry:
  %r = callbr i32 asm "cmp $1, $0", "=r,r,!i"(i32 %x)
          to label %fall [label %jump]

fall:
  %double = add i32 %r, %r
  ret i32 %double

jump:
  ret i32 %r
}

define i32 @tgt_goto(i32 %x) {
entry:
  %r = callbr i32 asm "cmp $1, $0", "=r,r,!i"(i32 %x)
          to label %fall [label %jump]

fall:
  %double = shl i32 %r, 1
  ret i32 %double

jump:
  ret i32 %r
}
