//! Pairs of functions on one input: what refines, what does not and why, what can't be said.

mod support;

use backedge_interp::input::Input;
use backedge_interp::refine::{Budget, Mismatch, Reason, Refinement, Side, refine};
use backedge_interp::{Config, Machine, Program};

fn compare(source: &str, args: &[&str]) -> Refinement {
    let module = support::module(source);
    let program = Program::new(&module, &Config::default());
    let (mut a, mut b) =
        (Machine::new(&program, Config::default()), Machine::new(&program, Config::default()));
    let id = |name| module.env.func_named(name).expect("it is there");
    let mut source = Side { machine: &mut a, func: id("src") };
    let mut target = Side { machine: &mut b, func: id("tgt") };
    let input = Input::parse(args).expect("the arguments are right");
    refine(&mut source, &mut target, &input, Budget::default()).expect("the input fits")
}

#[track_caller]
fn refines(source: &str, args: &[&str]) {
    let result = compare(source, args);
    assert!(matches!(result, Refinement::Refines { .. }), "{result:?}");
}

#[track_caller]
fn violates(source: &str, args: &[&str], mismatch: Mismatch) {
    match compare(source, args) {
        Refinement::Violates(violation) => assert_eq!(violation.mismatch, mismatch, "{violation:?}"),
        other => panic!("{other:?}"),
    }
}

fn pair(ty: &str, params: &str, source: &str, target: &str) -> String {
    format!("define {ty} @src({params}) {{\n{source}\n}}\ndefine {ty} @tgt({params}) {{\n{target}\n}}\n")
}

#[test]
fn values() {
    let add = pair("i8", "i8 %x", "%r = add nsw i8 %x, 1\nret i8 %r", "%r = add i8 %x, 1\nret i8 %r");
    refines(&add, &["127"]);
    let back = pair("i8", "i8 %x", "%r = add i8 %x, 1\nret i8 %r", "%r = add nsw i8 %x, 1\nret i8 %r");
    violates(&back, &["127"], Mismatch::MorePoisonous);
    refines(&back, &["5"]);
    let wrong = pair("i8", "i8 %x", "%r = mul i8 %x, 2\nret i8 %r", "%r = shl i8 %x, 2\nret i8 %r");
    violates(&wrong, &["1"], Mismatch::Value);
    refines(&wrong, &["poison"]);
    let undef = pair("i8", "i8 %x", "ret i8 3", "ret i8 undef");
    violates(&undef, &["1"], Mismatch::MoreUndefined);
    refines(&pair("i8", "i8 %x", "ret i8 undef", "ret i8 3"), &["1"]);
}

#[test]
fn choices_of_the_target_are_matched_by_choices_of_the_source() {
    let unfreeze = pair("i8", "i8 %x", "%r = freeze i8 %x\nret i8 %r", "ret i8 %x");
    violates(&unfreeze, &["poison"], Mismatch::MorePoisonous);
    refines(&unfreeze, &["4"]);
    let bit = pair("i1", "i1 %x", "%r = freeze i1 %x\nret i1 %r", "ret i1 true");
    refines(&bit, &["poison"]);
    let both = pair("i1", "i1 %x", "ret i1 true", "%r = freeze i1 %x\nret i1 %r");
    violates(&both, &["poison"], Mismatch::Value);
    let twice = pair(
        "i1",
        "i1 %x",
        "%a = freeze i1 %x\n%r = xor i1 %a, %a\nret i1 %r",
        "%a = freeze i1 %x\n%b = freeze i1 %x\n%r = xor i1 %a, %b\nret i1 %r",
    );
    violates(&twice, &["poison"], Mismatch::Value);
    let narrowed = pair("i8", "i8 %x", "%r = mul i8 %x, 6\nret i8 %r", "ret i8 4");
    let result = compare(&narrowed, &["undef"]);
    assert!(!matches!(result, Refinement::Violates(_)), "{result:?}");
    let impossible = pair("i8", "i8 %x", "%r = mul i8 %x, 6\nret i8 %r", "ret i8 3");
    assert_eq!(compare(&impossible, &["undef"]), Refinement::Inconclusive(Reason::UndefNarrowed));
}

#[test]
fn a_nan_that_signals_may_be_passed_on() {
    let zero = |ty: &str| {
        pair(
            ty,
            &format!("{ty} %x"),
            &format!("%r = fadd {ty} %x, -0.0\nret {ty} %r"),
            &format!("ret {ty} %x"),
        )
    };
    for nan in ["bits:0x7f882b1f", "bits:0xff882b1f", "bits:0x7fc00000", "bits:0x7fc12345"] {
        refines(&zero("float"), &[nan]);
    }
    refines(&zero("double"), &["bits:0x7ff0000000000001"]);
    let there_and_back = pair(
        "float",
        "float %x",
        "%d = fpext float %x to double\n%r = fptrunc double %d to float\nret float %r",
        "ret float %x",
    );
    for nan in ["bits:0x7f882b1f", "bits:0x7fc12345"] {
        refines(&there_and_back, &[nan]);
    }
    let other =
        pair("float", "float %x", "%r = fadd float %x, 1.0\nret float %r", "ret float 0x7FF1000000000000");
    violates(&other, &["bits:0x7f882b1f"], Mismatch::Value);
}

#[test]
fn undefined_behaviour() {
    let hoisted = pair(
        "i8",
        "i1 %c, i8 %x",
        "br i1 %c, label %a, label %b\na:\n%d = udiv i8 1, %x\nret i8 %d\nb:\nret i8 0",
        "%d = udiv i8 1, %x\nbr i1 %c, label %a, label %b\na:\nret i8 %d\nb:\nret i8 0",
    );
    violates(&hoisted, &["0", "0"], Mismatch::SourceMoreDefined);
    refines(&hoisted, &["1", "0"]);
    refines(&pair("i8", "i8 %x", "unreachable", "ret i8 1"), &["0"]);
    let endless = pair("void", "", "ret void", "br label %l\nl:\nbr label %l");
    violates(&endless, &[], Mismatch::TargetDoesNotTerminate);
    violates(&pair("void", "", "br label %l\nl:\nbr label %l", "ret void"), &[], Mismatch::Ending);
}

#[test]
fn memory_that_the_caller_sees() {
    let late = pair("void", "ptr %p", "store i8 1, ptr %p\nret void", "ret void");
    violates(&late, &["zeros:4"], Mismatch::Memory);
    refines(&late, &["bytes:01"]);
    refines(&pair("void", "ptr %p", "store i8 poison, ptr %p\nret void", "ret void"), &["zeros:1"]);
    violates(
        &pair("void", "ptr %p", "store i8 1, ptr %p\nret void", "store i8 undef, ptr %p\nret void"),
        &["zeros:1"],
        Mismatch::Memory,
    );
    refines(&pair("void", "", "%a = alloca i8\nstore i8 1, ptr %a\nret void", "ret void"), &[]);
    let global =
        "@g = global i8 0\n".to_owned() + &pair("void", "", "store i8 1, ptr @g\nret void", "ret void");
    violates(&global, &[], Mismatch::Memory);
}

#[test]
fn calls_are_events() {
    let decls = "declare void @g()\ndeclare i8 @h(i8)\ndeclare i8 @pure(i8) memory(none) nounwind willreturn\n\
                 declare void @see(ptr)\n@x = global i8 0\n";
    let with = |ty, params, s, t| decls.to_owned() + &pair(ty, params, s, t);
    violates(&with("void", "", "call void @g()\nret void", "ret void"), &[], Mismatch::Events);
    violates(&with("void", "", "ret void", "call void @g()\nret void"), &[], Mismatch::Events);
    refines(&with("i8", "", "%a = call i8 @h(i8 1)\nret i8 %a", "%a = call i8 @h(i8 1)\nret i8 %a"), &[]);
    violates(
        &with("i8", "", "%a = call i8 @h(i8 1)\nret i8 %a", "%a = call i8 @h(i8 2)\nret i8 %a"),
        &[],
        Mismatch::Value,
    );
    let twice = "%a = call i8 @pure(i8 1)\n%b = call i8 @pure(i8 1)\n%r = add i8 %a, %b\nret i8 %r";
    let once = "%a = call i8 @pure(i8 1)\n%r = add i8 %a, %a\nret i8 %r";
    refines(&with("i8", "", twice, once), &[]);
    refines(&with("i8", "", once, twice), &[]);
    refines(&with("i8", "", "%a = call i8 @pure(i8 1)\nret i8 0", "ret i8 0"), &[]);
    // One that returns for certain does not hold a trap back.
    let sure = "declare void @sure(i8) nounwind willreturn\n";
    let late = "call void @sure(i8 1)\n%r = udiv i8 1, %d\nret i8 %r";
    let early = "%r = udiv i8 1, %d\ncall void @sure(i8 1)\nret i8 %r";
    let both = |s, t| sure.to_owned() + &pair("i8", "i8 %d", s, t);
    refines(&both(late, early), &["0"]);
    refines(&both(late, early), &["1"]);
    violates(&both(late, "%r = udiv i8 1, %d\nret i8 %r"), &["1"], Mismatch::Events);
    // The call may not return: a trap must not be moved over it, and a store before it is seen by it.
    violates(
        &with(
            "i8",
            "i8 %x",
            "call void @g()\n%d = udiv i8 1, %x\nret i8 %d",
            "%d = udiv i8 1, %x\ncall void @g()\nret i8 %d",
        ),
        &["0"],
        Mismatch::SourceMoreDefined,
    );
    violates(
        &with(
            "void",
            "",
            "store i8 1, ptr @x\ncall void @g()\nret void",
            "call void @g()\nstore i8 1, ptr @x\nret void",
        ),
        &[],
        Mismatch::Memory,
    );
    // What a local object holds does not show, unless its address has got out.
    refines(
        &with(
            "void",
            "",
            "%a = alloca i8\nstore i8 1, ptr %a\ncall void @g()\nret void",
            "%a = alloca i8\ncall void @g()\nret void",
        ),
        &[],
    );
    violates(
        &with(
            "void",
            "",
            "%a = alloca i8\nstore i8 1, ptr %a\ncall void @see(ptr %a)\nret void",
            "%a = alloca i8\ncall void @see(ptr %a)\nret void",
        ),
        &[],
        Mismatch::Memory,
    );
    refines(
        &with(
            "void",
            "",
            "%b = alloca i64\n%a = alloca i8\nstore i8 1, ptr %a\ncall void @see(ptr %a)\nret void",
            "%a = alloca i8\nstore i8 1, ptr %a\ncall void @see(ptr %a)\nret void",
        ),
        &[],
    );
    // A call may change memory: a load must not be moved over it.
    violates(
        &with(
            "i8",
            "",
            "call void @g()\n%v = load i8, ptr @x\nret i8 %v",
            "%v = load i8, ptr @x\ncall void @g()\nret i8 %v",
        ),
        &[],
        Mismatch::Value,
    );
}

#[test]
fn volatile_accesses_are_events() {
    violates(
        &pair("void", "ptr %p", "store volatile i8 1, ptr %p\nret void", "store i8 1, ptr %p\nret void"),
        &["zeros:1"],
        Mismatch::Events,
    );
}
