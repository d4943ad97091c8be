; With an epilogue that always runs, the analyzable latch exit leaves the main loop: its test is
; replaced by a test against the split point.
; From loop-opt-ideas.rst: Runtime Unrolling.
;
; The main loop steps by two and stops at least one iteration before the end; the epilogue runs one or two.

define i32 @src(ptr %p, i32 %n) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %loop, label %none

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %s.next = add i32 %s, %w
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i32 %s.next

none:
  ret i32 0
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %split, label %none

split:
  %last = sub i32 %n, 1
  %main.end = and i32 %last, -2
  %has.main = icmp ne i32 %main.end, 0
  br i1 %has.main, label %main, label %epilogue.preheader

main:
  %i = phi i32 [ 0, %split ], [ %i.2, %main ]
  %s = phi i32 [ 0, %split ], [ %s.2, %main ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %s.1 = add i32 %s, %w
  %i.1 = add nuw i32 %i, 1
  %at.1 = getelementptr inbounds i8, ptr %p, i32 %i.1
  %v.1 = load i8, ptr %at.1
  %w.1 = zext i8 %v.1 to i32
  %s.2 = add i32 %s.1, %w.1
  %i.2 = add nuw i32 %i, 2
  %main.done = icmp eq i32 %i.2, %main.end
  br i1 %main.done, label %epilogue.preheader, label %main

epilogue.preheader:
  %i.start = phi i32 [ 0, %split ], [ %i.2, %main ]
  %s.start = phi i32 [ 0, %split ], [ %s.2, %main ]
  br label %epilogue

epilogue:
  %i.e = phi i32 [ %i.start, %epilogue.preheader ], [ %i.e.next, %epilogue ]
  %s.e = phi i32 [ %s.start, %epilogue.preheader ], [ %s.e.next, %epilogue ]
  %at.e = getelementptr inbounds i8, ptr %p, i32 %i.e
  %v.e = load i8, ptr %at.e
  %w.e = zext i8 %v.e to i32
  %s.e.next = add i32 %s.e, %w.e
  %i.e.next = add nuw i32 %i.e, 1
  %done = icmp eq i32 %i.e.next, %n
  br i1 %done, label %exit, label %epilogue

exit:
  ret i32 %s.e.next

none:
  ret i32 0
}
