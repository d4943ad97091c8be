; For tests/divergence.rs: functions that go round forever, and ones that only look as if they did.

declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

define internal void @scratch() {
  %a = alloca i64
  store i64 3, ptr %a
  ret void
}
define void @callee_with_alloca() {
entry:
  br label %l
l:
  call void @scratch()
  br label %l
}

define internal ptr @dangling() {
  %a = alloca i64
  store i64 3, ptr %a
  ret ptr %a
}
define void @pointer_to_callee_alloca() {
entry:
  br label %l
l:
  %p = phi ptr [ null, %entry ], [ %q, %l ]
  %q = call ptr @dangling()
  br label %l
}
define void @vector_of_pointers() {
entry:
  br label %l
l:
  %p = phi <2 x ptr> [ zeroinitializer, %entry ], [ %r, %l ]
  %q = call ptr @dangling()
  %r = insertelement <2 x ptr> %p, ptr %q, i32 1
  br label %l
}
define void @pointer_in_memory() {
entry:
  %slot = alloca ptr
  br label %l
l:
  %q = call ptr @dangling()
  store ptr %q, ptr %slot
  br label %l
}
define void @saved_stack() {
entry:
  br label %l
l:
  %s = call ptr @llvm.stacksave.p0()
  %a = alloca i8
  store i8 1, ptr %a
  call void @llvm.stackrestore.p0(ptr %s)
  br label %l
}

define internal void @increment(ptr %p) {
  %a = alloca i64
  %v = load i64, ptr %p
  %w = add i64 %v, 1
  store i64 %w, ptr %a
  %x = load i64, ptr %a
  store i64 %x, ptr %p
  ret void
}
define i64 @counts_through_callee() {
entry:
  %n = alloca i64
  store i64 0, ptr %n
  br label %l
l:
  call void @increment(ptr %n)
  %v = load i64, ptr %n
  %c = icmp eq i64 %v, 200
  br i1 %c, label %x, label %l
x:
  ret i64 %v
}
define i64 @counts_by_offset() {
entry:
  %a = alloca [200 x i8]
  %end = getelementptr i8, ptr %a, i64 200
  br label %l
l:
  %p = phi ptr [ %a, %entry ], [ %q, %l ]
  call void @scratch()
  %q = getelementptr i8, ptr %p, i64 1
  %c = icmp eq ptr %q, %end
  br i1 %c, label %x, label %l
x:
  ret i64 200
}
define i64 @counts_in_saved_stack() {
entry:
  %n = alloca i64
  store i64 0, ptr %n
  br label %l
l:
  %s = call ptr @llvm.stacksave.p0()
  %a = alloca i64
  %v = load i64, ptr %n
  %w = add i64 %v, 1
  store i64 %w, ptr %a
  %x = load i64, ptr %a
  store i64 %x, ptr %n
  call void @llvm.stackrestore.p0(ptr %s)
  %c = icmp eq i64 %x, 200
  br i1 %c, label %e, label %l
e:
  ret i64 %x
}
define void @grows() {
entry:
  br label %l
l:
  %a = alloca [64 x i8]
  br label %l
}

define noundef i64 @deep_sum(i64 %n, i64 %sum) nounwind {
  %c = icmp eq i64 %n, 0
  br i1 %c, label %z, label %r
z:
  ret i64 %sum
r:
  %m = sub i64 %n, 1
  %s = add i64 %sum, %n
  %x = musttail call noundef i64 @deep_sum(i64 %m, i64 %s)
  ret i64 %x
}
define void @tail_forever() {
  musttail call void @tail_forever()
  ret void
}
define void @tail_in_turn() {
  musttail call void @tail_in_turn_too()
  ret void
}
define internal void @tail_in_turn_too() {
  musttail call void @tail_in_turn()
  ret void
}
define void @tail_with_alloca() {
  %a = alloca i32
  store i32 1, ptr %a
  musttail call void @tail_with_alloca()
  ret void
}
define internal i8 @gives_poison() {
  ret i8 poison
}
define internal noundef i8 @noundef_between() {
  %r = musttail call i8 @gives_poison()
  ret i8 %r
}
define i8 @noundef_of_tail() {
  %r = musttail call i8 @noundef_between()
  ret i8 %r
}
define internal void @returns() {
  ret void
}
define void @noreturn_of_tail() noreturn {
  musttail call void @returns()
  ret void
}
define internal void @spins() {
entry:
  br label %l
l:
  br label %l
}
define void @willreturn_of_tail() willreturn {
  musttail call void @spins()
  ret void
}
define void @mustprogress_of_tail() mustprogress {
  musttail call void @spins()
  ret void
}
define internal i8 @reads(ptr %p) {
  %v = load i8, ptr %p
  ret i8 %v
}
define internal i8 @passes_its_alloca(ptr %p) {
  %a = alloca i8
  store i8 1, ptr %a
  %r = musttail call i8 @reads(ptr %a)
  ret i8 %r
}
define i8 @alloca_of_caller() {
  %r = call i8 @passes_its_alloca(ptr null)
  ret i8 %r
}

define i32 @chooses() {
entry:
  br label %l
l:
  %f = freeze i1 undef
  br i1 %f, label %x, label %l
x:
  ret i32 1
}
