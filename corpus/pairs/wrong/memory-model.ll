declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @see(ptr)

define i8 @src_merged(ptr %p, i64 noundef %n) {
  %r = getelementptr i8, ptr %p, i64 8
  %q = getelementptr i8, ptr %r, i64 %n
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @tgt_merged(ptr %p, i64 noundef %n) {
  %q = getelementptr inbounds { [8 x i8], [8 x i8] }, ptr %p, i64 0, i32 1, i64 %n
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @src_merged_guarded(ptr %p, i64 noundef %n, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %r = getelementptr i8, ptr %p, i64 8
  %q = getelementptr i8, ptr %r, i64 %n
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @tgt_merged_guarded(ptr %p, i64 noundef %n, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %q = getelementptr inbounds { [8 x i8], [8 x i8] }, ptr %p, i64 0, i32 1, i64 %n
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @src_large_restarted(i64 %n) {
  %a = alloca [400 x i8]
  call void @llvm.lifetime.start.p0(ptr %a)
  %q = getelementptr i8, ptr %a, i64 %n
  store i8 5, ptr %q
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @tgt_large_restarted(i64 %n) {
  %a = alloca [400 x i8]
  call void @llvm.lifetime.start.p0(ptr %a)
  %q = getelementptr i8, ptr %a, i64 %n
  store i8 5, ptr %q
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @llvm.lifetime.start.p0(ptr %a)
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @src_large_restarted_guarded(i64 %n, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %a = alloca [400 x i8]
  call void @llvm.lifetime.start.p0(ptr %a)
  %q = getelementptr i8, ptr %a, i64 %n
  store i8 5, ptr %q
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @tgt_large_restarted_guarded(i64 %n, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %a = alloca [400 x i8]
  call void @llvm.lifetime.start.p0(ptr %a)
  %q = getelementptr i8, ptr %a, i64 %n
  store i8 5, ptr %q
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @llvm.lifetime.start.p0(ptr %a)
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @src_dead(i8 %x) {
  %a = alloca i16
  call void @llvm.lifetime.start.p0(ptr %a)
  call void @see(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  ret i8 0
}

define i8 @tgt_dead(i8 %x) {
  %a = alloca i16
  call void @llvm.lifetime.start.p0(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @see(ptr %a)
  ret i8 0
}

define i8 @src_dead_guarded(i8 %x, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %a = alloca i16
  call void @llvm.lifetime.start.p0(ptr %a)
  call void @see(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  ret i8 0
}

define i8 @tgt_dead_guarded(i8 %x, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %a = alloca i16
  call void @llvm.lifetime.start.p0(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @see(ptr %a)
  ret i8 0
}

define i8 @src_less_aligned(i8 %x) {
  %a = alloca i64, align 16
  store i8 %x, ptr %a
  call void @see(ptr %a)
  ret i8 0
}

define i8 @tgt_less_aligned(i8 %x) {
  %a = alloca i64, align 2
  store i8 %x, ptr %a
  call void @see(ptr %a)
  ret i8 0
}

define i8 @src_less_aligned_guarded(i8 %x, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %a = alloca i64, align 16
  store i8 %x, ptr %a
  call void @see(ptr %a)
  ret i8 0
}

define i8 @tgt_less_aligned_guarded(i8 %x, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %a = alloca i64, align 2
  store i8 %x, ptr %a
  call void @see(ptr %a)
  ret i8 0
}

define i8 @src_cast(ptr %p) {
  %q = addrspacecast ptr %p to ptr addrspace(3)
  %i = ptrtoint ptr addrspace(3) %q to i64
  %v = trunc i64 %i to i8
  ret i8 %v
}

define i8 @tgt_cast(ptr %p) {
  %i = ptrtoint ptr %p to i64
  %v = trunc i64 %i to i8
  ret i8 %v
}

define i8 @src_cast_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %q = addrspacecast ptr %p to ptr addrspace(3)
  %i = ptrtoint ptr addrspace(3) %q to i64
  %v = trunc i64 %i to i8
  ret i8 %v
}

define i8 @tgt_cast_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %i = ptrtoint ptr %p to i64
  %v = trunc i64 %i to i8
  ret i8 %v
}

define i8 @src_beyond(ptr %p) {
  store i8 3, ptr %p
  ret i8 0
}

define i8 @tgt_beyond(ptr %p) {
  store i4 3, ptr %p
  ret i8 0
}

define i8 @src_beyond_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  store i8 3, ptr %p
  ret i8 0
}

define i8 @tgt_beyond_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  store i4 3, ptr %p
  ret i8 0
}
