; Blocks written inside the loop's braces but with no path back to it (break, abort, unreachable, an
; infinite loop) are outside the loop; the infinite one is a loop of its own at depth 1.
; From loop-terminology.rst: Important Notes.

@done = global i32 0

declare void @abort() noreturn

define void @do_something() {
  %d = load i32, ptr @done
  %d1 = add i32 %d, 1
  store i32 %d1, ptr @done
  ret void
}

define i32 @f(i32 %n, i1 %c1, i1 %c2, i1 %c3, i1 %c4) {
entry:
  br label %for.cond

for.cond:
  %i = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %more = icmp ule i32 %i, %n
  br i1 %more, label %for.body, label %for.end

for.body:
  br i1 %c1, label %if.break, label %test2

if.break:
  call void @do_something()
  br label %for.end

test2:
  br i1 %c2, label %if.abort, label %test3

if.abort:
  call void @abort() noreturn
  unreachable

test3:
  br i1 %c3, label %if.unreachable, label %test4

if.unreachable:
  call void @do_something()
  unreachable

test4:
  br i1 %c4, label %while.preheader, label %for.inc

while.preheader:
  br label %while

while:
  call void @do_something()
  br label %while

for.inc:
  %inc = add i32 %i, 1
  br label %for.cond

for.end:
  %d = load i32, ptr @done
  %r = add i32 %d, %i
  ret i32 %r
}
