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
