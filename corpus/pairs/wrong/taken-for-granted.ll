; Each target needs something that does not follow from its source. A product of 64 bits hides the failing input from runs.

declare i32 @__gxx_personality_v0(...)
declare void @throws()
declare void @observe(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

@type = external constant ptr

; A pad that catches one type does not stop others.
define void @src_one_type() personality ptr @__gxx_personality_v0 {
  invoke void @throws() to label %done unwind label %pad
done:
  ret void
pad:
  %l = landingpad { ptr, i32 } catch ptr @type
  ret void
}
define void @tgt_one_type() nounwind personality ptr @__gxx_personality_v0 {
  invoke void @throws() to label %done unwind label %pad
done:
  ret void
pad:
  %l = landingpad { ptr, i32 } catch ptr @type
  ret void
}

; The size of an alloca says nothing about runs that do not come to it.
define i32 @src_size(i64 noundef %n) {
  %m = mul i64 %n, 6364136223846793005
  %c = icmp eq i64 %m, 1234567890123456789
  br i1 %c, label %other, label %allocates
other:
  ret i32 1
allocates:
  %p = alloca i8, i64 %n
  call void @observe(ptr %p)
  ret i32 0
}
define i32 @tgt_size(i64 noundef %n) {
  %m = mul i64 %n, 6364136223846793005
  %c = icmp eq i64 %m, 1234567890123456789
  br i1 %c, label %other, label %allocates
other:
  ret i32 2
allocates:
  %p = alloca i8, i64 %n
  call void @observe(ptr %p)
  ret i32 0
}

; Constant memory may be behind the parameter.
define i32 @src_constant(ptr noalias noundef %p) {
  %v = load i32, ptr %p, !noundef !0
  ret i32 %v
}
define i32 @tgt_constant(ptr noalias noundef %p) {
  %v = load i32, ptr %p, !noundef !0
  store i32 %v, ptr %p
  ret i32 %v
}

!0 = !{}
