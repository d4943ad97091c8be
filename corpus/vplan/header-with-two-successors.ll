; A loop header with two successors and two predecessors cannot be the entry of a region until it is
; split.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Non-loop region Entry and Exit massaging.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %join ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %else

then:
  %s1 = add i32 %s, %i
  br label %join

else:
  %s2 = sub i32 %s, 1
  br label %join

join:
  %s.next = phi i32 [ %s1, %then ], [ %s2, %else ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %header, label %exit

exit:
  %r = phi i32 [ %s.next, %join ]
  ret i32 %r
}
