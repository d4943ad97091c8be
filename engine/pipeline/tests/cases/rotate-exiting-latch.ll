; loop-rotate
; The latch leaves the loop too. A phi that is only used where the header leaves need not be carried round the loop behind
; a rotation; without such a phi the loop stays.
define ptr @search(ptr %list, i32 %n) {
entry:
  br label %head
head:
  %at = phi ptr [ %list, %entry ], [ %next, %body ]
  %before = phi ptr [ null, %entry ], [ %at, %body ]
  %v = load i32, ptr %at
  %c = icmp slt i32 %v, %n
  br i1 %c, label %body, label %found
body:
  %next = load ptr, ptr %at
  %end = icmp eq ptr %next, null
  br i1 %end, label %none, label %head
found:
  ret ptr %before
none:
  ret ptr null
}
define ptr @no_phi(ptr %list, i32 %n) {
entry:
  br label %head
head:
  %at = phi ptr [ %list, %entry ], [ %next, %body ]
  %v = load i32, ptr %at
  %c = icmp slt i32 %v, %n
  br i1 %c, label %body, label %found
body:
  %next = load ptr, ptr %at
  %end = icmp eq ptr %next, null
  br i1 %end, label %none, label %head
found:
  ret ptr %at
none:
  ret ptr null
}
