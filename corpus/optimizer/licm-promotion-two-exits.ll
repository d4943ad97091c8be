; The counter in memory is loaded and stored in each iteration. It can be kept in a register and stored once on each of
; the two ways out, with the value that it has there.

define i32 @f(ptr noundef dereferenceable(4) align 4 %count, i32 %n, i32 %stop) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %old = load i32, ptr %count, align 4
  %new = add i32 %old, 3
  store i32 %new, ptr %count, align 4
  %found = icmp eq i32 %i, %stop
  br i1 %found, label %early, label %latch

latch:
  %twice = mul i32 %new, 2
  store i32 %twice, ptr %count, align 4
  %i.next = add nuw i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %late

early:
  %e = load i32, ptr %count, align 4
  ret i32 %e

late:
  %l = load i32, ptr %count, align 4
  %minus = sub i32 0, %l
  ret i32 %minus
}

; Volatile, the accesses stay where they are.
define i32 @volatile(ptr noundef dereferenceable(4) align 4 %count, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %old = load volatile i32, ptr %count, align 4
  %new = add i32 %old, 3
  store volatile i32 %new, ptr %count, align 4
  %i.next = add nuw i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret i32 %i
}
