; loop-vectorize<force-vector-width=4;force-vector-interleave=1>
; Memory that may overlap is checked first; conditional code is executed under masks.
define void @f(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %from = getelementptr inbounds i32, ptr %q, i64 %i
  %v = load i32, ptr %from
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %then, label %latch
then:
  %to = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 %v, ptr %to
  br label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
