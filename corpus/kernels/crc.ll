; A cyclic redundancy check, bit by bit: the inner loop runs eight times.
;
; unsigned crc(const unsigned char *a, int n) {
;   unsigned c = 0xffffffff;
;   for (int i = 0; i < n; i++) {
;     c ^= a[i];
;     for (int bit = 0; bit < 8; bit++)
;       c = (c & 1) != 0 ? (c >> 1) ^ 0xedb88320 : c >> 1;
;   }
;   return ~c;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @crc(ptr noundef %a, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %c.0 = phi i32 [ -1, %entry ], [ %c.1, %for.inc9 ]
  %i.0 = phi i32 [ 0, %entry ], [ %inc10, %for.inc9 ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end11

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i8, ptr %a, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1
  %conv = zext i8 %0 to i32
  %xor = xor i32 %c.0, %conv
  br label %for.cond1

for.cond1:
  %c.1 = phi i32 [ %xor, %for.body ], [ %cond, %for.inc ]
  %bit.0 = phi i32 [ 0, %for.body ], [ %inc, %for.inc ]
  %cmp2 = icmp slt i32 %bit.0, 8
  br i1 %cmp2, label %for.body4, label %for.end

for.body4:
  %and = and i32 %c.1, 1
  %cmp5 = icmp ne i32 %and, 0
  br i1 %cmp5, label %cond.true, label %cond.false

cond.true:
  %shr = lshr i32 %c.1, 1
  %xor7 = xor i32 %shr, -306674912
  br label %cond.end

cond.false:
  %shr8 = lshr i32 %c.1, 1
  br label %cond.end

cond.end:
  %cond = phi i32 [ %xor7, %cond.true ], [ %shr8, %cond.false ]
  br label %for.inc

for.inc:
  %inc = add nsw i32 %bit.0, 1
  br label %for.cond1, !llvm.loop !0

for.end:
  br label %for.inc9

for.inc9:
  %inc10 = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !1

for.end11:
  %not = xor i32 %c.0, -1
  ret i32 %not
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
