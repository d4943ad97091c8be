declare void @llvm.trap()

define i8 @src_split(ptr %p, i64 noundef %n) {
  %q = getelementptr inbounds [8 x i8], ptr %p, i64 %n, i64 3
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @tgt_split(ptr %p, i64 noundef %n) {
  %r = getelementptr inbounds [8 x i8], ptr %p, i64 %n
  %q = getelementptr inbounds i8, ptr %r, i64 3
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @src_split_guarded(ptr %p, i64 noundef %n, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %q = getelementptr inbounds [8 x i8], ptr %p, i64 %n, i64 3
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @tgt_split_guarded(ptr %p, i64 noundef %n, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  %r = getelementptr inbounds [8 x i8], ptr %p, i64 %n
  %q = getelementptr inbounds i8, ptr %r, i64 3
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @src_null_stored(ptr %p) {
  store ptr null, ptr %p
  ret i8 0
}

define i8 @tgt_null_stored(ptr %p) {
  store i64 0, ptr %p
  ret i8 0
}

define i8 @src_null_stored_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  store ptr null, ptr %p
  ret i8 0
}

define i8 @tgt_null_stored_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  store i64 0, ptr %p
  ret i8 0
}

define i8 @src_nothing(ptr %p) {
  store {} zeroinitializer, ptr %p
  ret i8 0
}

define i8 @tgt_nothing(ptr %p) {
  ret i8 0
}

define i8 @src_nothing_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  store {} zeroinitializer, ptr %p
  ret i8 0
}

define i8 @tgt_nothing_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  ret i8 0
}

define i8 @src_trapped(ptr %p) {
  store i8 7, ptr %p
  call void @llvm.trap()
  unreachable
}

define i8 @tgt_trapped(ptr %p) {
  call void @llvm.trap()
  unreachable
}

define i8 @src_trapped_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  store i8 7, ptr %p
  call void @llvm.trap()
  unreachable
}

define i8 @tgt_trapped_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  call void @llvm.trap()
  unreachable
}

define i8 @src_beyond(ptr %p) {
  store i4 3, ptr %p
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @tgt_beyond(ptr %p) {
  store i8 83, ptr %p
  ret i8 83
}

define i8 @src_beyond_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  store i4 3, ptr %p
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @tgt_beyond_guarded(ptr %p, i32 %k) {
guard:
  %x.k = xor i32 %k, 1515870810
  %c.k = icmp eq i32 %x.k, -559038737
  br i1 %c.k, label %go, label %skip

skip:
  ret i8 0

go:
  store i8 83, ptr %p
  ret i8 83
}
