; Count words, as clang -O0 leaves it: counts words in a string: a small state machine as a switch
; inside a loop.
;
; C source: count-words.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @count_words(ptr noundef %s) #0 {
entry:
  %s.addr = alloca ptr, align 8
  %words = alloca i32, align 4
  %inside = alloca i32, align 4
  store ptr %s, ptr %s.addr, align 8
  store i32 0, ptr %words, align 4
  store i32 0, ptr %inside, align 4
  br label %for.cond

for.cond:
  %0 = load ptr, ptr %s.addr, align 8
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %0, i32 1
  store ptr %incdec.ptr, ptr %s.addr, align 8
  %1 = load i8, ptr %0, align 1
  %conv = sext i8 %1 to i32
  switch i32 %conv, label %sw.default [
    i32 0, label %sw.bb
    i32 32, label %sw.bb1
    i32 10, label %sw.bb1
  ]

sw.bb:
  %2 = load i32, ptr %words, align 4
  ret i32 %2

sw.bb1:
  store i32 0, ptr %inside, align 4
  br label %for.cond

sw.default:
  %3 = load i32, ptr %inside, align 4
  %tobool = icmp ne i32 %3, 0
  br i1 %tobool, label %if.end, label %if.then

if.then:
  %4 = load i32, ptr %words, align 4
  %inc = add nsw i32 %4, 1
  store i32 %inc, ptr %words, align 4
  br label %if.end

if.end:
  store i32 1, ptr %inside, align 4
  br label %sw.epilog

sw.epilog:
  br label %for.cond
}

attributes #0 = { noinline nounwind }
