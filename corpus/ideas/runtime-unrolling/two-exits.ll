; A loop with a data-dependent exit and a countable latch exit, runtime-unrolled by two with an
; epilogue: each exiting edge appears once per copy.
; From loop-opt-ideas.rst: Runtime Unrolling.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %i, %loop ], [ -1, %latch ]
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  %n.frozen = freeze i32 %n
  %trips = call i32 @llvm.umax.i32(i32 %n.frozen, i32 1)
  %main.trips = and i32 %trips, -2
  %has.main = icmp ne i32 %main.trips, 0
  br i1 %has.main, label %main, label %epilogue.preheader

main:
  %i = phi i32 [ 0, %entry ], [ %i.2, %main.latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %exit, label %second

second:
  %i.1 = add nuw i32 %i, 1
  %at.1 = getelementptr inbounds i8, ptr %p, i32 %i.1
  %v.1 = load i8, ptr %at.1
  %stop.1 = icmp eq i8 %v.1, 0
  br i1 %stop.1, label %exit, label %main.latch

main.latch:
  %i.2 = add nuw i32 %i, 2
  %main.more = icmp ult i32 %i.2, %main.trips
  br i1 %main.more, label %main, label %main.done

main.done:
  %left = icmp ne i32 %main.trips, %trips
  br i1 %left, label %epilogue.preheader, label %exit

epilogue.preheader:
  %i.e = phi i32 [ 0, %entry ], [ %main.trips, %main.done ]
  %at.e = getelementptr inbounds i8, ptr %p, i32 %i.e
  %v.e = load i8, ptr %at.e
  %stop.e = icmp eq i8 %v.e, 0
  %r.e = select i1 %stop.e, i32 %i.e, i32 -1
  br label %exit

exit:
  %r = phi i32 [ %i, %main ], [ %i.1, %second ], [ -1, %main.done ], [ %r.e, %epilogue.preheader ]
  ret i32 %r
}

declare i32 @llvm.umax.i32(i32, i32)
