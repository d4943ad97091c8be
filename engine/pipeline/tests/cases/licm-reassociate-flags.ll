; function(loop-simplify,lcssa),loop-mssa(licm)
target datalayout = "p1:64:64:64:32"
declare i1 @more(ptr)
; Indices that are non-negative by their ranges: all flags are kept.
define void @inbounds(ptr %p, i64 range(i64 0, 100) %n, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = and i64 %i, 255
  %a = getelementptr inbounds i32, ptr %p, i64 %x
  %a.n = getelementptr inbounds nuw i8, ptr %a, i64 %n
  %b = getelementptr nusw i32, ptr %p, i64 %x
  %b.n = getelementptr inbounds i8, ptr %b, i64 %n
  %c = getelementptr inbounds nuw i32, ptr %p, i64 %x
  %c.m = getelementptr inbounds nuw i8, ptr %c, i64 %m
  %s = add nuw nsw i64 %x, %n
  %d = getelementptr inbounds nuw i32, ptr %p, i64 %s
  %t = add nuw i64 %x, %n
  %e = getelementptr inbounds i32, ptr %p, i64 %t
  store i32 0, ptr %a.n
  store i32 1, ptr %b.n
  store i32 2, ptr %c.m
  store i32 3, ptr %d
  store i32 4, ptr %e
  %i.next = add i64 %i, 1
  %go = call i1 @more(ptr %a.n)
  br i1 %go, label %loop, label %out
out:
  ret void
}
; An index truncated to 32 bits is not known to be non-negative.
define void @cut_off(ptr addrspace(1) %p, i32 %n) {
entry:
  %n.w = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = and i32 %i, 255
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %x
  %a.n = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %n.w
  store i32 0, ptr addrspace(1) %a.n
  %i.next = add i32 %i, 1
  %go = call i1 @more(ptr null)
  br i1 %go, label %loop, label %out
out:
  ret void
}
define i32 @arithmetic(i32 range(i32 0, 100) %a, i32 range(i32 0, 100) %b, i32 %c, i32 %d) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %x = and i32 %i, 255
  %s1 = add nsw i32 %i, %a
  %in.range = add nsw i32 %s1, %b
  %s2 = add nsw i32 %i, %c
  %not.known = add nsw i32 %s2, %d
  %s3 = mul nsw i32 %i, %a
  %product = mul nsw i32 %s3, %b
  %s4 = mul nsw i32 %i, %c
  %product.not.known = mul nsw i32 %s4, %d
  %s5 = or disjoint i32 %i, %c
  %disjoint = or disjoint i32 %s5, %d
  %y1 = xor i32 %in.range, %not.known
  %y2 = xor i32 %product, %product.not.known
  %y3 = xor i32 %y1, %y2
  %y4 = xor i32 %y3, %disjoint
  %s.next = xor i32 %s, %y4
  %i.next = add i32 %i, 1
  %go = call i1 @more(ptr null)
  br i1 %go, label %loop, label %out
out:
  ret i32 %s.next
}
