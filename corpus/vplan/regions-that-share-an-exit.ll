; The ways of the inner branch meet in the block in which those of the outer one meet too. It gets a block of its own for
; that, and the phi is split in two.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Non-loop region Entry and Exit massaging, TODOs.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %small = icmp ult i8 %v, 10
  br i1 %small, label %nested, label %large

large:
  br label %join

nested:
  %odd = trunc i8 %v to i1
  br i1 %odd, label %then, label %else

then:
  %s1 = add i32 %s, %w
  br label %join

else:
  %s2 = sub i32 %s, %w
  br label %join

join:
  %s.next = phi i32 [ 7, %large ], [ %s1, %then ], [ %s2, %else ]
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %header, label %exit

exit:
  ret i32 %s.next
}
