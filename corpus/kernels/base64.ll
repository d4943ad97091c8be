; Four characters for each three bytes.
;
; void base64(char *restrict out, const unsigned char *restrict in, int n, const char *restrict digits) {
;   int j = 0;
;   for (int i = 0; i + 2 < n; i += 3) {
;     unsigned x = (unsigned)in[i] << 16 | (unsigned)in[i + 1] << 8 | in[i + 2];
;     out[j++] = digits[x >> 18];
;     out[j++] = digits[x >> 12 & 63];
;     out[j++] = digits[x >> 6 & 63];
;     out[j++] = digits[x & 63];
;   }
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @base64(ptr noalias noundef %out, ptr noalias noundef %in, i32 noundef %n, ptr noalias noundef %digits) nounwind {
entry:
  br label %for.cond

for.cond:
  %j.0 = phi i32 [ 0, %entry ], [ %inc31, %for.inc ]
  %i.0 = phi i32 [ 0, %entry ], [ %add34, %for.inc ]
  %add = add nsw i32 %i.0, 2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i8, ptr %in, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1
  %conv = zext i8 %0 to i32
  %shl = shl i32 %conv, 16
  %add1 = add nsw i32 %i.0, 1
  %idxprom2 = sext i32 %add1 to i64
  %arrayidx3 = getelementptr inbounds i8, ptr %in, i64 %idxprom2
  %1 = load i8, ptr %arrayidx3, align 1
  %conv4 = zext i8 %1 to i32
  %shl5 = shl i32 %conv4, 8
  %or = or i32 %shl, %shl5
  %add6 = add nsw i32 %i.0, 2
  %idxprom7 = sext i32 %add6 to i64
  %arrayidx8 = getelementptr inbounds i8, ptr %in, i64 %idxprom7
  %2 = load i8, ptr %arrayidx8, align 1
  %conv9 = zext i8 %2 to i32
  %or10 = or i32 %or, %conv9
  %shr = lshr i32 %or10, 18
  %idxprom11 = zext i32 %shr to i64
  %arrayidx12 = getelementptr inbounds nuw i8, ptr %digits, i64 %idxprom11
  %3 = load i8, ptr %arrayidx12, align 1
  %inc = add nsw i32 %j.0, 1
  %idxprom13 = sext i32 %j.0 to i64
  %arrayidx14 = getelementptr inbounds i8, ptr %out, i64 %idxprom13
  store i8 %3, ptr %arrayidx14, align 1
  %shr15 = lshr i32 %or10, 12
  %and = and i32 %shr15, 63
  %idxprom16 = zext i32 %and to i64
  %arrayidx17 = getelementptr inbounds nuw i8, ptr %digits, i64 %idxprom16
  %4 = load i8, ptr %arrayidx17, align 1
  %inc18 = add nsw i32 %inc, 1
  %idxprom19 = sext i32 %inc to i64
  %arrayidx20 = getelementptr inbounds i8, ptr %out, i64 %idxprom19
  store i8 %4, ptr %arrayidx20, align 1
  %shr21 = lshr i32 %or10, 6
  %and22 = and i32 %shr21, 63
  %idxprom23 = zext i32 %and22 to i64
  %arrayidx24 = getelementptr inbounds nuw i8, ptr %digits, i64 %idxprom23
  %5 = load i8, ptr %arrayidx24, align 1
  %inc25 = add nsw i32 %inc18, 1
  %idxprom26 = sext i32 %inc18 to i64
  %arrayidx27 = getelementptr inbounds i8, ptr %out, i64 %idxprom26
  store i8 %5, ptr %arrayidx27, align 1
  %and28 = and i32 %or10, 63
  %idxprom29 = zext i32 %and28 to i64
  %arrayidx30 = getelementptr inbounds nuw i8, ptr %digits, i64 %idxprom29
  %6 = load i8, ptr %arrayidx30, align 1
  %inc31 = add nsw i32 %inc25, 1
  %idxprom32 = sext i32 %inc25 to i64
  %arrayidx33 = getelementptr inbounds i8, ptr %out, i64 %idxprom32
  store i8 %6, ptr %arrayidx33, align 1
  br label %for.inc

for.inc:
  %add34 = add nsw i32 %i.0, 3
  br label %for.cond, !llvm.loop !0

for.end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
