; A `speculatable` function has no undefined behaviour, so what is declared `noundef` is never poison: it may be called early.

declare noundef i32 @f(i32 noundef) speculatable memory(none) nounwind willreturn
declare noundef range(i32 0, 10) i32 @r(i32 noundef) speculatable memory(none) nounwind willreturn
declare nonnull noundef ptr @p(i32 noundef) speculatable memory(none) nounwind willreturn

define i32 @src(i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %a, label %b
a:
  %r = call i32 @f(i32 %x)
  ret i32 %r
b:
  ret i32 0
}
define i32 @tgt(i1 noundef %c, i32 noundef %x) {
  %r = call i32 @f(i32 %x)
  %s = select i1 %c, i32 %r, i32 0
  ret i32 %s
}

define i1 @src_range(i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %a, label %b
a:
  %r = call i32 @r(i32 %x)
  %s = icmp ult i32 %r, 10
  ret i1 %s
b:
  ret i1 false
}
define i1 @tgt_range(i1 noundef %c, i32 noundef %x) {
  %r = call i32 @r(i32 %x)
  ret i1 %c
}

define i1 @src_pointer(i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %a, label %b
a:
  %r = call ptr @p(i32 %x)
  %s = icmp eq ptr %r, null
  ret i1 %s
b:
  ret i1 false
}
define i1 @tgt_pointer(i1 noundef %c, i32 noundef %x) {
  %r = call ptr @p(i32 %x)
  %s = icmp eq ptr %r, null
  ret i1 %s
}

define i32 @src_loop(i1 noundef %c, i32 noundef %x, i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %t, %latch ]
  br i1 %c, label %call, label %latch
call:
  %v = call i32 @f(i32 %x)
  %u = add i32 %s, %v
  br label %latch
latch:
  %t = phi i32 [ %s, %loop ], [ %u, %call ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %t
}
define i32 @tgt_loop(i1 noundef %c, i32 noundef %x, i32 noundef %n) {
entry:
  %v = call i32 @f(i32 %x)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %t, %latch ]
  br i1 %c, label %call, label %latch
call:
  %u = add i32 %s, %v
  br label %latch
latch:
  %t = phi i32 [ %s, %loop ], [ %u, %call ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %t
}
