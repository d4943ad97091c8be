; A step of no bytes.
; judged gep: may run for ever

define void @src_gep(ptr noundef %p, ptr noundef %e, i64 noundef %k) {
entry:
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %h, label %x
h:
  %i = phi ptr [ %p, %entry ], [ %n, %h ]
  %n = getelementptr inbounds {}, ptr %i, i64 1
  %c = icmp eq ptr %n, %e
  br i1 %c, label %x, label %h
x:
  ret void
}
define void @tgt_gep(ptr noundef %p, ptr noundef %e, i64 noundef %k) {
  ret void
}
