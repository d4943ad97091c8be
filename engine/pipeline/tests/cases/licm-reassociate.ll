; function(loop-simplify,lcssa),loop-mssa(licm)
declare void @llvm.assume(i1)
declare i1 @more(ptr)
; Addresses: flags are kept if both instructions had them and no index is negative.
define void @addresses(ptr %p, i32 %n, i64 %m) {
entry:
  %n.w = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.w = zext i32 %i to i64
  %a = getelementptr inbounds [4 x i32], ptr %p, i64 %i.w
  %a.n = getelementptr inbounds i16, ptr %a, i64 %n.w
  %b = getelementptr inbounds i8, ptr %p, i64 %i.w
  %b.m = getelementptr inbounds i8, ptr %b, i64 %m
  %sum = add i64 %i.w, %m
  %c = getelementptr inbounds i32, ptr %p, i64 %sum
  store i32 0, ptr %a.n
  store i32 1, ptr %b.m
  store i32 2, ptr %c
  %i.next = add i32 %i, 1
  %go = call i1 @more(ptr %a.n)
  br i1 %go, label %loop, label %out
out:
  ret void
}
; A value with two uses is not reassociated, and neither is an index narrower than an address.
define void @not_addresses(ptr %p, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = getelementptr i32, ptr %p, i32 %i
  %a.m = getelementptr i8, ptr %a, i32 %m
  %sum = add i32 %i, %m
  %c = getelementptr i32, ptr %p, i32 %sum
  store i32 0, ptr %a
  store i32 1, ptr %a.m
  store i32 2, ptr %c
  %i.next = add i32 %i, 1
  %go = call i1 @more(ptr %a)
  br i1 %go, label %loop, label %out
out:
  ret void
}
define void @arithmetic(ptr %p, i32 %a, i32 %b) {
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr %p
  %s = add nuw nsw i32 %x, %a
  %s2 = add nuw nsw i32 %b, %s
  %t = mul nuw i32 %x, %a
  %t2 = mul nuw i32 %t, %b
  %u = xor i32 %x, 5
  %u2 = xor i32 %u, 3
  %e = add nsw i32 %x, %a
  %e2 = add nsw i32 %e, %b
  %w = sext i32 %e2 to i64
  store volatile i32 %s2, ptr %p
  store volatile i32 %t2, ptr %p
  store volatile i32 %u2, ptr %p
  store volatile i64 %w, ptr %p
  %go = call i1 @more(ptr %p)
  br i1 %go, label %loop, label %out
out:
  ret void
}
define void @bounds(ptr %p, i32 %a, i32 %b) {
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr %p
  %c1 = icmp ult i32 %x, %a
  %c2 = icmp ugt i32 %b, %x
  %both = and i1 %c1, %c2
  %d1 = icmp sgt i32 %x, %a
  %d2 = icmp sgt i32 %x, %b
  %any = select i1 %d1, i1 true, i1 %d2
  %e1 = icmp slt i32 %x, %a
  %e2 = icmp sle i32 %x, %b
  %other = and i1 %e1, %e2
  store volatile i1 %both, ptr %p
  store volatile i1 %any, ptr %p
  store volatile i1 %other, ptr %p
  %go = call i1 @more(ptr %p)
  br i1 %go, label %loop, label %out
out:
  ret void
}
; A comparison is not reassociated if the difference may wrap.
define void @shifted(ptr %p, i32 %a, i32 range(i32 0, 1000) %b, i32 range(i32 0, 1000) %c) {
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr %p
  %s = add i32 %x, %a
  %equal = icmp eq i32 %s, %b
  %t = add nsw i32 %x, %b
  %less = icmp slt i32 %t, %c
  %u = add nsw i32 %x, %a
  %wraps = icmp slt i32 %u, %c
  %v = sub nsw i32 %x, %b
  %more = icmp sge i32 %c, %v
  %w = add nuw i32 %x, %b
  %below = icmp ult i32 %w, %c
  store volatile i1 %equal, ptr %p
  store volatile i1 %less, ptr %p
  store volatile i1 %wraps, ptr %p
  store volatile i1 %more, ptr %p
  store volatile i1 %below, ptr %p
  %go = call i1 @more(ptr %p)
  br i1 %go, label %loop, label %out
out:
  ret void
}
