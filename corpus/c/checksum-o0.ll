; Checksum, as clang -O0 leaves it: the two-part checksum of n bytes that Fletcher proposed, with
; additions modulo 255.
;
; C source: checksum.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @checksum(ptr noundef %p, i32 noundef %n) #0 {
entry:
  %p.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store ptr %p, ptr %p.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 0, ptr %a, align 4
  store i32 0, ptr %b, align 4
  br label %while.cond

while.cond:
  %0 = load i32, ptr %n.addr, align 4
  %dec = add nsw i32 %0, -1
  store i32 %dec, ptr %n.addr, align 4
  %cmp = icmp sgt i32 %0, 0
  br i1 %cmp, label %while.body, label %while.end

while.body:
  %1 = load ptr, ptr %p.addr, align 8
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %1, i32 1
  store ptr %incdec.ptr, ptr %p.addr, align 8
  %2 = load i8, ptr %1, align 1
  %conv = zext i8 %2 to i32
  %3 = load i32, ptr %a, align 4
  %add = add i32 %3, %conv
  store i32 %add, ptr %a, align 4
  %4 = load i32, ptr %a, align 4
  %cmp1 = icmp uge i32 %4, 255
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  %5 = load i32, ptr %a, align 4
  %sub = sub i32 %5, 255
  store i32 %sub, ptr %a, align 4
  br label %if.end

if.end:
  %6 = load i32, ptr %a, align 4
  %7 = load i32, ptr %b, align 4
  %add3 = add i32 %7, %6
  store i32 %add3, ptr %b, align 4
  %8 = load i32, ptr %b, align 4
  %cmp4 = icmp uge i32 %8, 255
  br i1 %cmp4, label %if.then6, label %if.end8

if.then6:
  %9 = load i32, ptr %b, align 4
  %sub7 = sub i32 %9, 255
  store i32 %sub7, ptr %b, align 4
  br label %if.end8

if.end8:
  br label %while.cond, !llvm.loop !0

while.end:
  %10 = load i32, ptr %b, align 4
  %shl = shl i32 %10, 8
  %11 = load i32, ptr %a, align 4
  %or = or i32 %shl, %11
  ret i32 %or
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
