; iteration-set-split
; Splitting would copy a large body for one comparison, in a loop with ten iterations according to profile data.
define void @f(ptr %a, i32 %n, i32 %m, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %q = getelementptr i32, ptr %a, i32 %i
  %1 = load volatile i32, ptr %q
  %2 = mul i32 %1, %x
  %3 = xor i32 %2, %i
  %4 = mul i32 %3, %2
  %5 = xor i32 %4, %3
  %6 = mul i32 %5, %4
  %7 = xor i32 %6, %5
  %8 = mul i32 %7, %6
  %9 = xor i32 %8, %7
  %10 = mul i32 %9, %8
  %11 = xor i32 %10, %9
  %12 = mul i32 %11, %10
  %early = icmp ult i32 %i, %m
  br i1 %early, label %then, label %latch
then:
  store volatile i32 %12, ptr %q
  br label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop, !prof !0
out:
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 9}
