; Two backedges, and a phi that keeps what it began with over both of them. What it began with may be undef, so the phi
; stays (each use of it sees one choice); it is no sign of an outer loop either, since there is no backedge over which
; it changes. The backedges are united.
define i8 @f(i8 noundef %n, i1 %c) {
entry:
  br label %header
header:
  %kept = phi i8 [ undef, %entry ], [ %kept, %one ], [ %kept, %other ]
  %i = phi i8 [ 0, %entry ], [ %i.next, %one ], [ %i.next, %other ]
  %i.next = add i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %body, label %exit
body:
  br i1 %c, label %one, label %other
one:
  br label %header
other:
  br label %header
exit:
  ret i8 %kept
}
