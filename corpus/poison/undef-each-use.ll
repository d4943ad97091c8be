; undef is chosen anew at every use, so undef xor undef need not be 0; of a frozen undef it is 0.

define i32 @src(i32 %x) {
entry:
  %f = freeze i32 undef
  %r = xor i32 %f, %f
  ret i32 %r
}

define i32 @tgt(i32 %x) {
entry:
  %r = xor i32 undef, undef
  ret i32 %r
}

define i32 @back(i32 %x) {
entry:
  ret i32 0
}
