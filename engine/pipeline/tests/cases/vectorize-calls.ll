; loop-vectorize<force-vector-width=4;force-vector-interleave=1>
; Calls lane by lane; a recurrence of a recurrence; a partial sum that is stored in each iteration; `undef`.
declare i32 @silent(i32) memory(none) nounwind willreturn
declare float @llvm.exp.f32(float)
define void @calls(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %at, align 4
  %w = call i32 @silent(i32 %v)
  store i32 %w, ptr %at, align 4
  %to = getelementptr inbounds float, ptr %q, i64 %i
  %x = load float, ptr %to, align 4
  %y = call nnan float @llvm.exp.f32(float %x)
  store float %y, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @chained(ptr noalias %p, ptr noalias %q, ptr noalias %r, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %second = phi i32 [ 2, %entry ], [ %first, %loop ]
  %first = phi i32 [ 1, %entry ], [ %v, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %sum = add i32 %first, %second
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %at, align 4
  %to = getelementptr inbounds i32, ptr %q, i64 %i
  store i32 %sum, ptr %to, align 4
  %t = add i32 %s, %v
  store i32 %t, ptr %r, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @any(ptr %p, i64 %n, i1 %c, i32 %a) {
entry:
  %b = select i1 %c, i32 %a, i32 undef
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = add i32 %b, undef
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 %x, ptr %at, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
