; A single block without a branch to itself is trivially strongly connected and yet no loop.
; From loop-terminology.rst: Important Notes.

define i32 @f(i32 %x) {
only:
  %y = mul i32 %x, %x
  ret i32 %y
}
