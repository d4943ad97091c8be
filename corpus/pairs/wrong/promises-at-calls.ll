; The target says at its calls what nobody promised, and what no answer of the environment that the engines make up
; would break: verdicts on it would claim too much.
declare void @ev(i64)
declare void @takes(ptr)

define void @src_returns(i64 %x) {
  call void @ev(i64 %x)
  ret void
}
define void @tgt_returns(i64 %x) {
  call void @ev(i64 %x) willreturn nounwind
  ret void
}

define void @src_reads(ptr %p) {
  call void @takes(ptr %p)
  ret void
}
define void @tgt_reads(ptr %p) {
  call void @takes(ptr readonly %p)
  ret void
}

define void @src_keeps(ptr %p) {
  call void @takes(ptr %p)
  ret void
}
define void @tgt_keeps(ptr %p) {
  call void @takes(ptr captures(none) %p)
  ret void
}

define void @src_convention(i64 %x) {
  call void @ev(i64 %x)
  ret void
}
define void @tgt_convention(i64 %x) {
  call fastcc void @ev(i64 %x)
  ret void
}

define void @src_touches(ptr %p) {
  call void @takes(ptr %p)
  ret void
}
define void @tgt_touches(ptr %p) {
  call void @takes(ptr %p) memory(none)
  ret void
}

define void @src_writes(ptr %p) {
  call void @takes(ptr %p)
  ret void
}
define void @tgt_writes(ptr %p) {
  call void @takes(ptr %p) memory(read)
  ret void
}
