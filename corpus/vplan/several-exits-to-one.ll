; The side exit of a search loop removed: an intermediate block per exiting edge, one new latch, and a
; cascade of ifs after it that finds the right exit block.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Multiple-exit-to-single-exit loop massaging.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %found, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %absent

found:
  %r = phi i32 [ %i, %loop ]
  ret i32 %r

absent:
  ret i32 -1
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.new, %new.latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %intermediate, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br label %new.latch

intermediate:
  br label %new.latch

new.latch:
  %again = phi i1 [ %more, %latch ], [ false, %intermediate ]
  %which = phi i1 [ false, %latch ], [ true, %intermediate ]
  %i.new = phi i32 [ %i.next, %latch ], [ %i, %intermediate ]
  br i1 %again, label %loop, label %cascade

cascade:
  %which.lcssa = phi i1 [ %which, %new.latch ]
  %i.lcssa = phi i32 [ %i.new, %new.latch ]
  br i1 %which.lcssa, label %found, label %absent

found:
  ret i32 %i.lcssa

absent:
  ret i32 -1
}
