; What an undefined argument is can be said after the call: @reads may have been asked about 0, as in the target, and need
; not have been asked about 1, though that was asked before.

declare i8 @reads(i8) nounwind willreturn memory(read)

define i8 @src() {
  %one = call i8 @reads(i8 1)
  %any = call i8 @reads(i8 undef)
  ret i8 %any
}

define i8 @tgt() {
  %one = call i8 @reads(i8 1)
  %any = call i8 @reads(i8 0)
  ret i8 %any
}

; The same of what it reads: behind the store @looks may have seen 5, as in the target, and need not have seen 0.

@g = global i8 0

declare i8 @looks() nounwind willreturn memory(read)

define i8 @src_memory() {
  %before = call i8 @looks()
  store i8 poison, ptr @g
  %behind = call i8 @looks()
  store i8 0, ptr @g
  ret i8 %behind
}

define i8 @tgt_memory() {
  %before = call i8 @looks()
  store i8 5, ptr @g
  %behind = call i8 @looks()
  store i8 0, ptr @g
  ret i8 %behind
}
