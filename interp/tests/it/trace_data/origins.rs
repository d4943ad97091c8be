//! Functions whose result is poison or has undefined bits, at least one for each cause.

/// Header of `@f`, its body, the arguments, and the cause that its first story must name.
pub(crate) type Case = (&'static str, &'static str, &'static [&'static str], &'static str);

pub(crate) const ORIGINS: &[Case] = &[
    ("i8 @f(i8 %a)", "%x = add nsw i8 %a, 1\nret i8 %x", &["127"], "nsw"),
    ("i8 @f(i8 %a)", "%x = sub nuw i8 %a, 5\n%y = mul i8 %x, 2\nret i8 %y", &["3"], "nuw"),
    ("i8 @f(i8 %a)", "%x = mul nuw nsw i8 %a, %a\nret i8 %x", &["-12"], "nsw"),
    ("i8 @f(i8 %a)", "%x = shl nuw i8 %a, 1\nret i8 %x", &["128"], "nuw"),
    ("i8 @f(i8 %a)", "%x = shl i8 1, %a\nret i8 %x", &["8"], "shift-amount"),
    ("i8 @f(i8 %a)", "%x = lshr exact i8 %a, 1\nret i8 %x", &["3"], "exact"),
    ("i8 @f(i8 %a)", "%x = sdiv exact i8 %a, 2\nret i8 %x", &["-3"], "exact"),
    ("i8 @f(i8 %a)", "%x = or disjoint i8 %a, 3\nret i8 %x", &["6"], "disjoint"),
    ("i1 @f(i8 %a, i8 %b)", "%x = icmp samesign ult i8 %a, %b\nret i1 %x", &["-1", "5"], "samesign"),
    ("i16 @f(i8 %a)", "%x = zext nneg i8 %a to i16\nret i16 %x", &["-1"], "nneg"),
    ("i4 @f(i8 %a)", "%x = trunc nuw i8 %a to i4\nret i4 %x", &["16"], "nuw"),
    ("i4 @f(i8 %a)", "%x = trunc nsw i8 %a to i4\nret i4 %x", &["8"], "nsw"),
    ("i8 @f(double %a)", "%x = fptoui double %a to i8\nret i8 %x", &["256"], "float-to-int"),
    ("double @f(double %a)", "%x = fadd nnan double %a, 1.0\nret double %x", &["nan"], "fast-math"),
    ("float @f(float %a)", "%x = fdiv ninf float 1.0, %a\nret float %x", &["0"], "fast-math"),
    ("i8 @f(i8 %a)", "%x = call i8 @llvm.abs.i8(i8 %a, i1 true)\nret i8 %x", &["-128"], "intrinsic-flag"),
    ("i8 @f(i8 %a)", "%x = call i8 @llvm.ctlz.i8(i8 %a, i1 true)\nret i8 %x", &["0"], "intrinsic-flag"),
    ("i8 @f(i8 %a)", "%x = call i8 @llvm.ushl.sat.i8(i8 1, i8 %a)\nret i8 %x", &["9"], "shift-amount"),
    (
        "ptr @f(ptr %p)",
        "%q = getelementptr inbounds i32, ptr %p, i64 5\nret ptr %q",
        &["zeros:16"],
        "inbounds",
    ),
    (
        "ptr @f(ptr %p, i64 %i)",
        "%q = getelementptr nuw i8, ptr %p, i64 %i\nret ptr %q",
        &["zeros:4", "-1"],
        "nuw",
    ),
    (
        "ptr @f(ptr %p, i64 %i)",
        "%q = getelementptr nusw i32, ptr %p, i64 %i\nret ptr %q",
        &["zeros:4", "9223372036854775807"],
        "nusw",
    ),
    (
        "i8 @f(<2 x i8> %v, i32 %i)",
        "%x = extractelement <2 x i8> %v, i32 %i\nret i8 %x",
        &["{1, 2}", "2"],
        "lane-index",
    ),
    (
        "i8 @f(<2 x i8> %v)",
        "%w = shufflevector <2 x i8> %v, <2 x i8> %v, <2 x i32> <i32 1, i32 poison>\n\
         %x = extractelement <2 x i8> %w, i32 1\nret i8 %x",
        &["{1, 2}"],
        "mask-lane",
    ),
    (
        "i8 @f(<2 x i8> %v)",
        "%w = add nsw <2 x i8> %v, <i8 1, i8 1>\n%x = shufflevector <2 x i8> %w, <2 x i8> poison, <2 x i32> <i32 1, i32 0>\n\
         %y = insertelement <2 x i8> %x, i8 7, i32 1\n%z = extractelement <2 x i8> %y, i32 0\nret i8 %z",
        &["{1, 127}"],
        "nsw",
    ),
    (
        "i8 @f(<2 x i8> %v)",
        "%x = call i8 @llvm.vector.reduce.add.v2i8(<2 x i8> %v)\nret i8 %x",
        &["{1, poison}"],
        "argument",
    ),
    (
        "i8 @f(i8 %a)",
        "%s = insertvalue {i8, {i8, i8}} poison, i8 1, 0\n%t = insertvalue {i8, {i8, i8}} %s, i8 %a, 1, 1\n\
         %x = extractvalue {i8, {i8, i8}} %t, 1, 0\nret i8 %x",
        &["1"],
        "constant",
    ),
    (
        "i8 @f(i8 %a)",
        "%p = call {i8, i1} @llvm.sadd.with.overflow.i8(i8 %a, i8 1)\n%x = extractvalue {i8, i1} %p, 0\nret i8 %x",
        &["poison"],
        "argument",
    ),
    ("i8 @f(i1 %c, i8 %a)", "%x = select i1 %c, i8 poison, i8 %a\nret i8 %x", &["true", "1"], "constant"),
    ("i8 @f(i1 %c, i8 %a)", "%x = select i1 %c, i8 2, i8 %a\nret i8 %x", &["poison", "1"], "argument"),
    ("ptr @f(ptr nonnull %p)", "ret ptr %p", &["null"], "attribute"),
    ("i8 @f(i8 range(i8 0, 10) %a)", "ret i8 %a", &["12"], "attribute"),
    ("ptr @f(ptr align 8 %p)", "ret ptr %p", &["bytes:0000+1"], "attribute"),
    ("range(i8 0, 10) i8 @f(i8 %a)", "ret i8 %a", &["12"], "attribute"),
    ("i8 @f(i8 %a)", "%x = call i8 @picky(i8 %a)\nret i8 %x", &["12"], "attribute"),
    ("i8 @f(i8 %a)", "%x = call i8 @promises(i8 %a)\nret i8 %x", &["12"], "attribute"),
    ("i8 @f(ptr %p)", "%x = load i8, ptr %p, !range !{i8 0, i8 10}\nret i8 %x", &["bytes:0c"], "metadata"),
    ("ptr @f(ptr %p)", "%x = load ptr, ptr %p, !nonnull !{}\nret ptr %x", &["zeros:8"], "metadata"),
    ("i8 @f(i8 %a)", "%x = call i8 @inner(i8 %a)\n%y = sub i8 %x, 1\nret i8 %y", &["60"], "nsw"),
    ("i8 @f()", "%p = alloca i8\n%x = load i8, ptr %p\nret i8 %x", &[], "uninitialised"),
    ("i4 @f(ptr %p)", "%x = load i4, ptr %p\nret i4 %x", &["bytes:1f"], "padding"),
    ("<3 x i1> @f(ptr %p)", "%x = load <3 x i1>, ptr %p\nret <3 x i1> %x", &["bytes:08"], "padding"),
    ("i32 @f(ptr %p)", "%x = load i32, ptr %p\nret i32 %x", &["bytes:0000pp00"], "initial-memory"),
    (
        "i8 @f()",
        "%p = alloca i8\ncall void @llvm.lifetime.start.p0(ptr %p)\nstore i8 1, ptr %p\n\
         call void @llvm.lifetime.end.p0(ptr %p)\n%x = load i8, ptr %p\nret i8 %x",
        &[],
        "outside-lifetime",
    ),
    (
        "i32 @f(ptr %p, ptr %q, i16 %a)",
        "%x = add nsw i16 %a, 1\n%p2 = getelementptr i8, ptr %p, i64 2\nstore i16 %x, ptr %p2\n\
         call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 4, i1 false)\n%y = load i32, ptr %q\nret i32 %y",
        &["zeros:4", "zeros:4", "32767"],
        "nsw",
    ),
    (
        "i8 @f(ptr %p, i8 %a)",
        "call void @llvm.memset.p0.i64(ptr %p, i8 %a, i64 4, i1 false)\n%x = load i8, ptr %p\nret i8 %x",
        &["zeros:4", "poison"],
        "argument",
    ),
    (
        "i8 @f(ptr %p, i8 %a)",
        "%x = add nuw i8 %a, 1\nstore {i8, i32} {i8 1, i32 2}, ptr %p\nstore i8 %x, ptr %p\n\
         %v = call i8 @reads(ptr byval([4 x i8]) %p)\nret i8 %v",
        &["zeros:8", "255"],
        "nuw",
    ),
    (
        "i8 @f(ptr %p, i8 %a)",
        "%o = atomicrmw add ptr %p, i8 %a seq_cst\n%x = load i8, ptr %p\nret i8 %x",
        &["zeros:1", "poison"],
        "argument",
    ),
    (
        "i8 @f(ptr %p, <2 x i8> %v)",
        "%w = add nuw <2 x i8> %v, <i8 1, i8 1>\n\
         call void @llvm.masked.store.v2i8.p0(<2 x i8> %w, ptr %p, i32 1, <2 x i1> <i1 false, i1 true>)\n\
         %l = call <2 x i8> @llvm.masked.load.v2i8.p0(ptr %p, i32 1, <2 x i1> <i1 false, i1 true>, <2 x i8> poison)\n\
         %x = extractelement <2 x i8> %l, i32 1\nret i8 %x",
        &["zeros:2", "{255, 255}"],
        "nuw",
    ),
    ("i8 @f(i8 %a)", "%x = add nsw i8 %a, 1\nret i8 %x", &["undef"], "undef-operand"),
    ("i8 @f(i8 %a)", "%x = and i8 %a, 3\nret i8 %x", &["undef"], "argument"),
    ("void @f(i8 %a)", "%x = add nsw i8 %a, 1\ncall void @use(i8 %x)\nret void", &["127"], "nsw"),
    (
        "void @f(ptr %p, i8 %a)",
        "%x = add nsw i8 %a, 1\nstore i8 %x, ptr %p\nret void",
        &["zeros:2", "127"],
        "nsw",
    ),
    (
        "i8 @f(i8 %n)",
        "br label %outer\nouter:\n%i = phi i8 [ 0, %0 ], [ %i.next, %latch ]\nbr label %inner\n\
         inner:\n%j = phi i8 [ 0, %outer ], [ %j.next, %inner ]\n%s = phi i8 [ %i, %outer ], [ %s.next, %inner ]\n\
         %s.next = add nsw i8 %s, 50\n%j.next = add i8 %j, 1\n%c = icmp ult i8 %j.next, %n\n\
         br i1 %c, label %inner, label %latch\nlatch:\n%i.next = add i8 %i, 10\n%d = icmp ult i8 %i.next, 30\n\
         br i1 %d, label %outer, label %exit\nexit:\nret i8 %s.next",
        &["3"],
        "nsw",
    ),
    ("i8 @f(i8 %a)", "%x = call i8 @returns_nine(i8 %a)\nret i8 %x", &["3"], "attribute"),
];
