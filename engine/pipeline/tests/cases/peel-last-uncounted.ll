; loop-peel<last>
; An exit without a count may leave the loop before its last iteration; it stays in both parts.
declare i1 @stop(i32)
define i32 @f(i32 %n) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %s = call i1 @stop(i32 %i)
  br i1 %s, label %out, label %l, !prof !0
l:
  %j = add nuw i32 %i, 1
  %d = icmp eq i32 %j, %n
  br i1 %d, label %x, label %h
out:
  %i.out = phi i32 [ %i, %h ]
  ret i32 %i.out
x:
  ret i32 -1
}
!0 = !{!"branch_weights", i32 1, i32 99}
