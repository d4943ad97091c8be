; Loops that stand one behind the other are one region, with what is between them; also where each may be passed by.
; From hir-ddrefs.rst: HIR Hierarchy.

; The sum of the first loop is used behind the second, and something is stored between them.
define i8 @plain(ptr noalias %a, ptr noalias %b) {
entry:
  br label %first

first:
  %i = phi i8 [ 0, %entry ], [ %i.next, %first ]
  %s = phi i8 [ 0, %entry ], [ %s.next, %first ]
  %at = getelementptr inbounds i8, ptr %a, i8 %i
  %v = load i8, ptr %at
  %s.next = add i8 %s, %v
  %i.next = add nuw i8 %i, 1
  %more = icmp ult i8 %i.next, 4
  br i1 %more, label %first, label %between

between:
  %sum = phi i8 [ %s.next, %first ]
  store i8 7, ptr %b
  br label %second

second:
  %j = phi i8 [ 0, %between ], [ %j.next, %second ]
  %to = getelementptr inbounds i8, ptr %a, i8 %j
  store i8 %j, ptr %to
  %j.next = add nuw i8 %j, 1
  %go = icmp ult i8 %j.next, 4
  br i1 %go, label %second, label %exit

exit:
  %w = load i8, ptr %b
  %r = add i8 %sum, %w
  ret i8 %r
}

; Only the branch of the first block is of the region. Where the loops do not run, %j has another value behind them.
define i8 @guarded(ptr noalias %a, ptr noalias %b, i8 %n) {
entry:
  %any = icmp ne i8 %n, 0
  br i1 %any, label %first, label %middle

first:
  %i = phi i8 [ 0, %entry ], [ %i.next, %first ]
  %at = getelementptr inbounds i8, ptr %a, i8 %i
  store i8 %i, ptr %at
  %i.next = add nuw i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %first, label %middle

middle:
  br i1 %any, label %second, label %exit

second:
  %j = phi i8 [ 0, %middle ], [ %j.next, %second ]
  %from = getelementptr inbounds i8, ptr %a, i8 %j
  %v = load i8, ptr %from
  %to = getelementptr inbounds i8, ptr %b, i8 %j
  store i8 %v, ptr %to
  %j.next = add nuw i8 %j, 1
  %go = icmp ult i8 %j.next, %n
  br i1 %go, label %second, label %exit

exit:
  %r = phi i8 [ 9, %middle ], [ %j, %second ]
  ret i8 %r
}

; What is between may not return: the loops are no neighbours.
declare void @seen()

define void @apart(ptr %a) {
entry:
  br label %first

first:
  %i = phi i8 [ 0, %entry ], [ %i.next, %first ]
  store i8 %i, ptr %a
  %i.next = add nuw i8 %i, 1
  %more = icmp ult i8 %i.next, 4
  br i1 %more, label %first, label %between

between:
  call void @seen()
  br label %second

second:
  %j = phi i8 [ 0, %between ], [ %j.next, %second ]
  store i8 %j, ptr %a
  %j.next = add nuw i8 %j, 1
  %go = icmp ult i8 %j.next, 4
  br i1 %go, label %second, label %exit

exit:
  ret void
}

; One of two loops runs, then a third: none has a neighbour, as no one loop is always passed on the way to the third.
define void @either(ptr %a, i1 %c) {
entry:
  br i1 %c, label %left, label %right

left:
  %i = phi i8 [ 0, %entry ], [ %i.next, %left ]
  store i8 %i, ptr %a
  %i.next = add nuw i8 %i, 1
  %i.more = icmp ult i8 %i.next, 4
  br i1 %i.more, label %left, label %join

right:
  %j = phi i8 [ 0, %entry ], [ %j.next, %right ]
  store i8 %j, ptr %a
  %j.next = add nuw i8 %j, 1
  %j.more = icmp ult i8 %j.next, 4
  br i1 %j.more, label %right, label %join

join:
  br label %third

third:
  %k = phi i8 [ 0, %join ], [ %k.next, %third ]
  store i8 %k, ptr %a
  %k.next = add nuw i8 %k, 1
  %k.more = icmp ult i8 %k.next, 3
  br i1 %k.more, label %third, label %exit

exit:
  ret void
}
