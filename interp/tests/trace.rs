//! What traces tell: where poison and undefined bits arose and how they came, which rule undefined behaviour broke,
//! iteration counters, JSON, two traces side by side. The texts are in `snapshots/`; `INSTA_UPDATE=always` rewrites them.

mod support;

use backedge_interp::chooser::ReplayChooser;
use backedge_interp::input::Input;
use backedge_interp::outcome::UbKind;
use backedge_interp::refine::divergence;
use backedge_interp::trace::{CauseKind, Detail, Recorder, Trace, side_by_side};
use backedge_interp::{Config, Machine, Program, Run};
use serde_json::Value;
use std::collections::BTreeSet;

/// Runs `func` and hands the trace to `look`.
fn traced<T>(
    source: &str,
    (func, args): (&str, &[&str]),
    (limit, answers): (usize, &[u128]),
    look: impl FnOnce(&Trace<'_>, &Run) -> T,
) -> T {
    let module = support::module(source);
    let config = Config { fuel: 200_000, ..Config::default() };
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let id = module.env.func_named(func).unwrap_or_else(|| panic!("no function @{func}"));
    let input = Input::parse(args).unwrap_or_else(|e| panic!("{e}"));
    let mut recorder = Recorder::new(&program, limit);
    let mut chooser = ReplayChooser::new(answers.to_vec());
    let run = machine.run(id, &input, &mut chooser, &mut recorder).unwrap_or_else(|e| panic!("@{func}: {e}"));
    look(&recorder.finish(&machine, id, &input, &run), &run)
}

const PRELUDE: &str = "
@c = constant i32 7
declare void @use(i8)
declare i8 @answer()
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.assume(i1)
declare void @llvm.masked.store.v2i8.p0(<2 x i8>, ptr, i32, <2 x i1>)
declare <2 x i8> @llvm.masked.load.v2i8.p0(ptr, i32, <2 x i1>, <2 x i8>)
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.ushl.sat.i8(i8, i8)
declare {i8, i1} @llvm.sadd.with.overflow.i8(i8, i8)
declare i8 @llvm.vector.reduce.add.v2i8(<2 x i8>)
define i8 @inner(i8 %v) {
  %w = add nsw i8 %v, 100
  ret i8 %w
}
define i8 @picky(i8 range(i8 0, 10) %v) {
  ret i8 %v
}
define range(i8 0, 10) i8 @promises(i8 %v) {
  ret i8 %v
}
define ptr @dangling() {
  %p = alloca i32
  ret ptr %p
}
define i32 @sq(i32 %x) {
  ret i32 %x
}
define i8 @reads(ptr byval([4 x i8]) %p) {
  %v = load i8, ptr %p
  ret i8 %v
}
";

/// Header of `@f`, its body, arguments, and the cause that its first story must name.
type Case = (&'static str, &'static str, &'static [&'static str], &'static str);

const ORIGINS: &[Case] = &[
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
];

fn source((header, body, ..): &Case) -> String {
    format!("{PRELUDE}\ndefine {header} {{\n{body}\n}}\n")
}

#[test]
fn origins_of_poison_and_undef() {
    let mut all = String::new();
    let mut kinds = BTreeSet::new();
    for case in ORIGINS {
        let (header, body, args, expected) = case;
        traced(&source(case), ("f", args), (1000, &[]), |trace, _| {
            let subject =
                trace.explanation.subjects.first().unwrap_or_else(|| panic!("{body}: nothing is said"));
            let mut story = &subject.story;
            assert_eq!(story.cause.kind.name(), *expected, "{body}: {:?}", story.cause);
            loop {
                kinds.insert(story.cause.kind);
                let Some(because) = &story.because else { break };
                story = because;
            }
            let lines = trace.explanation.lines().join("\n");
            all.push_str(&format!("define {header} {{\n{body}\n}}\n; {args:?}\n{lines}\n\n"));
        });
    }
    insta::assert_snapshot!("origins", all);
    // What the environment answers, and steps that are not kept, are not shown by a table.
    let rest = [CauseKind::Environment, CauseKind::NotKept, CauseKind::Other];
    let missing: Vec<_> = CauseKind::ALL.iter().filter(|k| !kinds.contains(k) && !rest.contains(k)).collect();
    assert!(missing.is_empty(), "no case arises from {missing:?}");
}

/// Kind, header of `@f`, its body, arguments, and the chooser's answers.
type Struck = (UbKind, &'static str, &'static str, &'static [&'static str], &'static [u128]);

/// At least one function for each kind of undefined behaviour.
const STRUCK: &[Struck] = &[
    (
        UbKind::BranchOnPoison,
        "void @f(i8 %a)",
        "%x = add nsw i8 %a, 1\n%c = icmp eq i8 %x, 0\nbr i1 %c, label %t, label %t\nt:\nret void",
        &["127"],
        &[],
    ),
    (
        UbKind::BranchOnUndef,
        "void @f()",
        "%p = alloca i8\n%x = load i8, ptr %p\nswitch i8 %x, label %t [ i8 1, label %t ]\nt:\nret void",
        &[],
        &[],
    ),
    (UbKind::DivisionByZero, "i8 @f(i8 %a)", "%x = udiv i8 1, %a\nret i8 %x", &["0"], &[]),
    (UbKind::DivisionByPoison, "i8 @f(i8 %a)", "%x = srem i8 1, %a\nret i8 %x", &["poison"], &[]),
    (UbKind::DivisionOverflow, "i8 @f(i8 %a, i8 %b)", "%x = sdiv i8 %a, %b\nret i8 %x", &["-128", "-1"], &[]),
    (
        UbKind::PoisonPointer,
        "i8 @f(ptr %p)",
        "%q = getelementptr inbounds i8, ptr %p, i64 9\n%x = load i8, ptr %q\nret i8 %x",
        &["zeros:4"],
        &[],
    ),
    (UbKind::UndefPointer, "i8 @f(ptr %p)", "%x = load i8, ptr %p\nret i8 %x", &["undef"], &[]),
    (UbKind::NullDereference, "void @f(ptr %p)", "store i8 1, ptr %p\nret void", &["null"], &[]),
    (
        UbKind::OutOfBounds,
        "i32 @f(ptr %p)",
        "%q = getelementptr i8, ptr %p, i64 1\n%x = load i32, ptr %q, align 1\nret i32 %x",
        &["zeros:4"],
        &[],
    ),
    (UbKind::InvalidPointer, "i8 @f(ptr %p)", "%x = load i8, ptr %p\nret i8 %x", &["addr:0x100"], &[]),
    (
        UbKind::Misaligned,
        "i32 @f(ptr %p, ptr %q)",
        "%x = load i32, ptr %q\nret i32 %x",
        &["zeros:8", "arg0+1"],
        &[],
    ),
    (
        UbKind::UseAfterFree,
        "i32 @f()",
        "%p = call ptr @dangling()\n%x = load i32, ptr %p\nret i32 %x",
        &[],
        &[],
    ),
    (
        UbKind::StoreOutsideLifetime,
        "void @f()",
        "%p = alloca i8\nstore i8 1, ptr %p\ncall void @llvm.lifetime.start.p0(ptr %p)\nret void",
        &[],
        &[],
    ),
    (UbKind::ReadOnlyWrite, "void @f()", "store i32 1, ptr @c\nret void", &[], &[]),
    (
        UbKind::Unreachable,
        "void @f(i1 %c)",
        "br i1 %c, label %t, label %e\nt:\nunreachable\ne:\nret void",
        &["true"],
        &[],
    ),
    (UbKind::NoUndefViolated, "noundef i8 @f(i8 %a)", "%x = add nsw i8 %a, 1\nret i8 %x", &["127"], &[]),
    (
        UbKind::NoUndefViolated,
        "i8 @f(ptr %p)",
        "%x = load i8, ptr %p, !noundef !{}\nret i8 %x",
        &["bytes:pp"],
        &[],
    ),
    (UbKind::NoUndefViolated, "i8 @f(i8 noundef %a)", "ret i8 %a", &["poison"], &[]),
    (
        UbKind::AssumeViolated,
        "void @f(ptr %p)",
        "%c = icmp eq ptr %p, null\ncall void @llvm.assume(i1 %c)\nret void",
        &["zeros:1"],
        &[],
    ),
    (UbKind::NoProgress, "void @f() mustprogress", "br label %l\nl:\nbr label %l", &[], &[]),
    (UbKind::BadCallee, "i32 @f(ptr %p)", "%x = call i32 %p(i32 3)\nret i32 %x", &["poison"], &[]),
    (UbKind::SignatureMismatch, "i64 @f(ptr %p)", "%x = call i64 %p(i64 3)\nret i64 %x", &["@sq"], &[]),
    (UbKind::AllocaSize, "void @f(i32 %n)", "%p = alloca i32, i32 %n\nret void", &["poison"], &[]),
    (
        UbKind::NoAliasViolated,
        "i8 @f(ptr noalias %p, ptr %q)",
        "store i8 1, ptr %p\n%x = load i8, ptr %q\nret i8 %x",
        &["zeros:4", "arg0"],
        &[],
    ),
    (UbKind::ReadOnlyArgument, "void @f(ptr readonly %p)", "store i8 1, ptr %p\nret void", &["zeros:4"], &[]),
    (
        UbKind::WriteOnlyArgument,
        "i8 @f(ptr writeonly %p)",
        "%x = load i8, ptr %p\nret i8 %x",
        &["zeros:4"],
        &[],
    ),
    (
        UbKind::MemoryEffectsViolated,
        "i8 @f(ptr %p) memory(none)",
        "%x = load i8, ptr %p\nret i8 %x",
        &["zeros:4"],
        &[],
    ),
    (UbKind::NoReturnReturned, "void @f() noreturn", "ret void", &[], &[]),
    (UbKind::WillReturnViolated, "void @f() willreturn", "br label %l\nl:\nbr label %l", &[], &[]),
    (UbKind::NoUnwindViolated, "void @f() nounwind", "call void @use(i8 1)\nret void", &[], &[1]),
    (
        UbKind::OverlappingCopy,
        "void @f(ptr %p, ptr %q)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 2, i1 false)\nret void",
        &["zeros:4", "arg0+1"],
        &[],
    ),
    (
        UbKind::PoisonLength,
        "void @f(ptr %p, i64 %n)",
        "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)\nret void",
        &["zeros:4", "poison"],
        &[],
    ),
    (
        UbKind::ElementLength,
        "void @f(ptr %p)",
        "call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 2 %p, i8 1, i64 3, i32 2)\nret void",
        &["zeros:4"],
        &[],
    ),
    (
        UbKind::InvalidLifetime,
        "void @f(ptr %p)",
        "call void @llvm.lifetime.start.p0(ptr %p)\nret void",
        &["zeros:4"],
        &[],
    ),
];

#[test]
fn every_kind_of_undefined_behaviour_is_explained() {
    let mut all = String::new();
    for (kind, header, body, args, answers) in STRUCK {
        let source = format!("{PRELUDE}\ndefine {header} {{\n{body}\n}}\n");
        traced(&source, ("f", args), (1000, answers), |trace, _| {
            let ub = trace.explanation.ub.as_ref().unwrap_or_else(|| panic!("{body}: {}", trace.ending));
            assert_eq!(ub.kind, *kind, "{body}");
            let lines = trace.explanation.lines().join("\n");
            all.push_str(&format!("define {header} {{\n{body}\n}}\n; {args:?}\n{lines}\n\n"));
        });
    }
    let shown: BTreeSet<UbKind> = STRUCK.iter().map(|(kind, ..)| *kind).collect();
    let missing: Vec<_> = UbKind::ALL.iter().filter(|k| !shown.contains(k)).collect();
    assert!(missing.is_empty(), "no function has {missing:?}");
    insta::assert_snapshot!("struck", all);
}

/// Each step as JSON says what its line of text says, and the other lines what the explanation says.
#[test]
fn json_agrees_with_the_text() {
    let origins = ORIGINS.iter().map(|case| (source(case), case.2, &[] as &[u128]));
    let struck = STRUCK.iter().map(|(_, header, body, args, answers)| {
        (format!("{PRELUDE}\ndefine {header} {{\n{body}\n}}\n"), *args, *answers)
    });
    for (source, args, answers) in origins.chain(struck) {
        traced(&source, ("f", args), (1000, answers), |trace, run| {
            let json = trace.to_json_lines();
            let lines: Vec<Value> = json.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
            assert!(lines.iter().all(|l| l["schema"] == 1));
            let of = |kind: &str| lines.iter().filter(|l| l["kind"] == kind).collect::<Vec<_>>();
            let texts: Vec<String> = trace
                .lines(Detail::Long)
                .into_iter()
                .filter(|l| !l.trim_start().starts_with(['%', '@']) || l.contains(" = ") && !l.ends_with(':'))
                .collect();
            let steps = of("step");
            assert_eq!(steps.len(), texts.len(), "{texts:#?}");
            for (step, text) in steps.iter().zip(&texts) {
                let depth = step["depth"].as_u64().expect("a number") as usize;
                let mut line = "  ".repeat(depth + 1) + step["instruction"].as_str().expect("a text");
                if let Some(value) = step["value"].as_str() {
                    line.push_str(&format!(" => {value}"));
                }
                if let Some(event) = step["event"].as_u64() {
                    line.push_str(&format!("  ; event {event}"));
                }
                assert_eq!(line, *text);
            }
            let explained = trace.explanation.lines().join("\n");
            for origin in of("origin") {
                let head = format!(
                    "why {} is {}:",
                    origin["what"].as_str().unwrap(),
                    origin["value"].as_str().unwrap()
                );
                let cause =
                    format!("[{}] {}", origin["cause"].as_str().unwrap(), origin["detail"].as_str().unwrap());
                assert!(explained.contains(&head) && explained.contains(&cause), "{origin}");
            }
            assert_eq!(of("origin").len(), trace.explanation.subjects.len());
            assert_eq!(of("ub").len(), usize::from(run.outcome.ub().is_some()));
            let last = lines.last().expect("the outcome");
            assert_eq!((&last["kind"], &last["name"]), (&"outcome".into(), &run.outcome.name().into()));
            assert_eq!(last["text"], trace.ending.as_str());
        });
    }
}

const NESTS: &str = "
define i8 @nest(i8 %n) {
entry:
  br label %outer
outer:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i8 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i8 %j, 1
  %c = icmp ult i8 %j.next, 2
  br i1 %c, label %inner, label %latch
latch:
  %i.next = add i8 %i, 1
  %d = icmp ult i8 %i.next, %n
  br i1 %d, label %outer, label %exit
exit:
  ret i8 %i
}
define i8 @two-entries(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = phi i8 [ 0, %entry ], [ %z, %b ]
  %y = add i8 %x, 1
  br label %b
b:
  %z = phi i8 [ 0, %entry ], [ %y, %a ]
  %d = icmp ult i8 %z, 2
  br i1 %d, label %a, label %exit
exit:
  ret i8 %z
}
";

/// Function and argument, then each arrival at a block with the counters there.
#[test]
fn iterations_are_counted_in_nests_and_irreducible_cycles() {
    let cases = [
        (
            "nest",
            "2",
            "outer[1] inner[1,1] inner[1,2] latch[1] outer[2] inner[2,1] inner[2,2] latch[2] exit[]",
        ),
        // Of the two entries one is the target of a retreating edge; its arrivals count, however it is reached.
        ("two-entries", "true", "a[1] b[1] a[2] b[2] exit[]"),
        ("two-entries", "false", "b[] a[1] b[1] a[2] b[2] exit[]"),
    ];
    for (func, arg, expected) in cases {
        traced(NESTS, (func, &[arg]), (1000, &[]), |trace, _| {
            let json = trace.to_json_lines();
            let lines = json.lines().map(|l| serde_json::from_str::<Value>(l).expect(l));
            let arrivals: Vec<String> = lines
                .filter(|l| l["kind"] == "block")
                .map(|l| {
                    let counts = l["iterations"].as_array().expect("a list").iter();
                    let counts: Vec<String> = counts.map(|i| i["count"].to_string()).collect();
                    let block = l["block"].as_str().expect("a name").trim_start_matches('%').to_owned();
                    format!("{block}[{}]", counts.join(","))
                })
                .collect();
            assert_eq!(arrivals.join(" "), expected, "@{func}({arg})");
        });
    }
}

#[test]
fn the_end_is_kept_and_origins_survive_what_is_dropped() {
    let case = (
        "i8 @f(i8 %n)",
        "%x = add nsw i8 %n, 100\nbr label %l\nl:\n%i = phi i16 [ 0, %0 ], [ %j, %l ]\n%s = phi i8 [ %x, %0 ], [ %t, %l ]\n%j = add i16 %i, 1\n%t = xor i8 %s, 1\n%c = icmp ult i16 %j, 1000\nbr i1 %c, label %l, label %e\ne:\n%z = udiv i8 1, %t\nret i8 %z",
        &["100"] as &[&str],
        "nsw",
    );
    traced(&source(&case), ("f", case.2), (40, &[]), |trace, run| {
        assert_eq!(run.outcome.ub(), Some(UbKind::DivisionByPoison));
        let lines = trace.lines(Detail::Long);
        assert_eq!(lines.len(), 41);
        assert_eq!(lines[0], "@f(%n = i8 100):");
        assert!(lines.iter().any(|l| l.starts_with("… ") && l.ends_with(" more steps")));
        assert_eq!(lines.last().map(String::as_str), Some("%e:"));
        assert!(trace.struck().is_some_and(|l| l.contains("%z = udiv i8 1, %t => undefined behaviour")));
        let text = trace.explanation.lines().join("\n");
        assert!(text.contains("arose in step 1, `%x = add nsw i8 %n, 100`"), "{text}");
        assert!(text.contains("nsw violated: 100 + 100 overflows i8"), "{text}");
        assert!(text.contains("more steps on the way"), "{text}");
    });
}

#[test]
fn two_traces_are_aligned() {
    let source = "
declare i1 @more(i8)
define i8 @src(i8 %n) {
entry:
  br label %header
header:
  %i = phi i8 [ 0, %entry ], [ %i.next, %body ]
  %m = call i1 @more(i8 %i)
  br i1 %m, label %body, label %exit
body:
  %i.next = add i8 %i, 1
  br label %header
exit:
  ret i8 %i
}
define i8 @tgt(i8 %n) {
entry:
  br label %header
header:
  %i = phi i8 [ 0, %entry ], [ %i.next, %body ]
  %m = call i1 @more(i8 %i)
  br i1 %m, label %body, label %exit
body:
  %two = shl i8 %i, 1
  %i.next = add i8 %two, 2
  br label %header
exit:
  ret i8 %i
}
";
    // The call returns (0) true (1), writes nothing; then the same again.
    let answers: &[u128] = &[0, 1, 0, 1, 0, 0];
    traced(source, ("src", &["1"]), (1000, answers), |left, s| {
        traced(source, ("tgt", &["1"]), (1000, answers), |right, t| {
            let (mismatch, point) = divergence(s, t).expect("they part");
            let rows = side_by_side(left, right, Some(&point));
            let text = format!(
                "{}first: {}\n{mismatch}, {point:?}\n",
                rows.render(["@src", "@tgt"], 100),
                rows.first_difference().unwrap_or_default()
            );
            insta::assert_snapshot!("side-by-side", text);
            let narrow = rows.render(["@src", "@tgt"], 40);
            assert!(narrow.lines().all(|l| l.chars().count() <= 40), "{narrow}");
            let same = side_by_side(left, left, None);
            assert!(same.rows.iter().all(|r| r.left == r.right) && same.first_difference().is_none());
        });
    });
}
