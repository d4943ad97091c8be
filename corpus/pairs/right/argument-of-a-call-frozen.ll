; A call with `ninf` gives poison for a poison argument: any value may take its place, and an infinity gives poison.

declare float @ext(float) nounwind willreturn memory(none)

define float @src(float %v) {
  %r = call ninf float @ext(float %v)
  ret float %r
}

define float @tgt(float %v) {
  %z = freeze float %v
  %r = call ninf float @ext(float %z)
  ret float %r
}
