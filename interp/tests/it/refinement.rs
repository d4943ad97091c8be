//! Pairs of functions on one input: which pairs refine, which do not and why, and which are inconclusive.

use crate::support;
use backedge_interp::chooser::{Chooser, ReplayChooser};
use backedge_interp::input::Input;
use backedge_interp::refine::{Budget, Drivers, Mismatch, Reason, Refinement, Side, refine, refine_driven};
use backedge_interp::{Config, Machine, Program};
use std::sync::Arc;

fn compare(source: &str, args: &[&str]) -> Refinement {
    compare_with(Config::default(), source, args)
}

fn compare_with(config: Config, source: &str, args: &[&str]) -> Refinement {
    let module = support::module(source);
    let program = Program::new(&module, &config);
    let (mut a, mut b) = (Machine::new(&program, config.clone()), Machine::new(&program, config));
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
    violates(&impossible, &["undef"], Mismatch::Value);
    refines(&narrowed, &["undef"]);
    // Two uses may see two values, a loop any number of them, and undefined bits of the target represent more than
    // one.
    let open = |text: &str| {
        assert_eq!(compare(text, &["undef"]), Refinement::Inconclusive(Reason::UndefNarrowed), "{text}");
    };
    open(&pair("i8", "i8 %x", "%r = mul i8 %x, 6\n%s = xor i8 %r, %r\nret i8 %s", "ret i8 3"));
    open(&pair("i8", "i8 %x", "%r = mul i8 %x, 6\nret i8 %r", "%r = and i8 %x, -2\nret i8 %r"));
    open(&pair(
        "i8",
        "i8 %x",
        "%r = mul i8 %x, 6\nbr label %l\nl:\n%i = phi i8 [ 0, %0 ], [ %j, %l ]\n%s = phi i8 [ 0, %0 ], [ %t, %l ]\n\
         %f = freeze i8 %r\n%t = xor i8 %s, %f\n%j = add i8 %i, 1\n%c = icmp ult i8 %j, 2\nbr i1 %c, label %l, label %e\n\
         e:\nret i8 %t",
        "ret i8 3",
    ));
}

/// Branching on undefined bits is UB, so bits chosen before the branch do not cover that case.
#[test]
fn a_branch_fixes_nothing() {
    let ends = "br i1 %c, label %a, label %b\na:\nret i8 0\nb:\nret i8 0";
    let of = |source: &str, target: &str| {
        pair("i8", "i8 %x", &format!("{source}\n{ends}"), &format!("{target}\n{ends}"))
    };
    let on_it = "%c = icmp sle i8 %x, 0";
    refines(&of("%y = add nsw i8 %x, 0\n%c = icmp sle i8 %y, 0", on_it), &["undef"]);
    refines(&of("%y = sub nuw i8 -1, %x\n%c = icmp sle i8 %y, 0", on_it), &["undef"]);
    let chosen = of("%y = mul i8 %x, 6\n%c = icmp sle i8 %y, 0", on_it);
    assert_eq!(compare(&chosen, &["undef"]), Refinement::Inconclusive(Reason::UndefNarrowed));
}

/// The optimizer's finding is the source's choice: folding it either way is right, and asking again adds no behavior.
#[test]
fn what_the_optimizer_finds_may_be_folded_either_way() {
    let prelude =
        "declare i1 @llvm.is.constant.i8(i8)\ndeclare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)\n";
    let of = |pair: String| format!("{prelude}{pair}");
    let asks = "%r = call i1 @llvm.is.constant.i8(i8 %x)\nret i1 %r";
    for answer in ["ret i1 true", "ret i1 false", asks] {
        refines(&of(pair("i1", "i8 %x", asks, answer)), &["3"]);
    }
    for answer in ["ret i1 true", "ret i1 false"] {
        violates(&of(pair("i1", "i8 %x", answer, asks)), &["3"], Mismatch::Value);
    }
    let constant = "%r = call i1 @llvm.is.constant.i8(i8 7)\nret i1 %r";
    refines(&of(pair("i1", "i8 %x", constant, "ret i1 true")), &["3"]);
    let size = "%r = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 false, i1 false)\nret i64 %r";
    for answer in ["ret i64 8", "ret i64 -1", size] {
        refines(&of(pair("i64", "ptr %p", size, answer)), &["zeros:8"]);
    }
    // Any bound in between is allowed as well.
    let bound = compare(&of(pair("i64", "ptr %p", size, "ret i64 32")), &["zeros:8"]);
    assert_eq!(bound, Refinement::Inconclusive(Reason::UndefNarrowed));
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
    violates(
        &pair("void", "", "br label %l\nl:\nbr label %l", "ret void"),
        &[],
        Mismatch::SourceDoesNotTerminate,
    );
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

/// A pair of functions that may call external functions.
fn with(ty: &str, params: &str, source: &str, target: &str) -> String {
    let decls = "declare void @g()\ndeclare i8 @h(i8)\ndeclare i8 @pure(i8) memory(none) nounwind willreturn\n\
                 declare void @see(ptr)\n@x = global i8 0\n";
    decls.to_owned() + &pair(ty, params, source, target)
}

#[test]
fn calls_are_events() {
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
}

#[test]
fn traps_move_over_calls_that_certainly_return() {
    // A call that certainly returns does not delay a trap.
    let sure = "declare void @sure(i8) nounwind willreturn\n";
    let late = "call void @sure(i8 1)\n%r = udiv i8 1, %d\nret i8 %r";
    let early = "%r = udiv i8 1, %d\ncall void @sure(i8 1)\nret i8 %r";
    let both = |s, t| sure.to_owned() + &pair("i8", "i8 %d", s, t);
    refines(&both(late, early), &["0"]);
    refines(&both(late, early), &["1"]);
    violates(&both(late, "%r = udiv i8 1, %d\nret i8 %r"), &["1"], Mismatch::Events);
    // The call may not return.
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
}

#[test]
fn calls_see_and_change_memory() {
    // A call sees an earlier store.
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
    // The contents of a local object are not observable unless its address has escaped.
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
    // A call may change memory, so a load must not be moved over it.
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

#[test]
fn every_choice_of_the_source_counts() {
    // The arm tried last leaves nothing open, but the first one does: its undef may differ at each use.
    let one_arm = pair(
        "i8",
        "",
        "%c = freeze i1 poison\nbr i1 %c, label %a, label %b\na:\nret i8 1\nb:\n%m = mul i8 undef, 6\n\
         %r = sub i8 %m, %m\nret i8 %r",
        "ret i8 2",
    );
    assert_eq!(compare(&one_arm, &[]), Refinement::Inconclusive(Reason::UndefNarrowed));
    // With more choices than are tried nothing is refuted, even if no tried choice matches.
    let many = pair("i64", "", "%a = freeze i64 poison\nret i64 %a", "ret i64 123456789");
    let result = compare(&many, &[]);
    assert!(matches!(result, Refinement::Inconclusive(Reason::SourceChoices)), "{result:?}");
    let wrong = pair("i64", "", "%a = freeze i64 poison\n%o = or i64 %a, 1\nret i64 %o", "ret i64 6");
    let result = compare(&wrong, &[]);
    assert!(!matches!(result, Refinement::Violates(_)), "{result:?}");
    // With few choices all are tried.
    let few = pair("i8", "", "%a = freeze i8 poison\n%o = or i8 %a, 1\nret i8 %o", "ret i8 6");
    violates(&few, &[], Mismatch::Value);
    refines(&pair("i8", "", "%a = freeze i8 poison\n%o = or i8 %a, 1\nret i8 %o", "ret i8 7"), &[]);
    // One choice of the source with UB excuses the target.
    let trap = "%c = freeze i1 poison\nbr i1 %c, label %a, label %b\na:\nunreachable\nb:\nret i8 1";
    refines(&pair("i8", "", trap, "ret i8 9"), &[]);
    // All choices of the target are examined: undef at each use, freeze once.
    violates(
        &pair("i8", "", "ret i8 0", "%r = sub i8 undef, undef\nret i8 %r"),
        &[],
        Mismatch::MoreUndefined,
    );
    refines(&pair("i8", "", "ret i8 0", "%f = freeze i8 undef\n%r = sub i8 %f, %f\nret i8 %r"), &[]);
}

#[test]
fn runs_that_are_cut_off_are_not_compared_as_if_they_had_ended() {
    let count = |what: &str| {
        format!(
            "br label %loop\nloop:\n%i = phi i64 [ 0, %0 ], [ %j, %loop ]\n{what}\n%j = add i64 %i, 1\n\
             %c = icmp ult i64 %j, 1099511627776\nbr i1 %c, label %loop, label %end\nend:\nret i64 0"
        )
    };
    let (pure, event) = ("%p = call i64 @pure(i64 %x)", "call void @event()");
    let declared = "declare void @event()\ndeclare i64 @pure(i64) memory(none)\n";
    let fuel = |source: &str, target: &str| {
        let text = declared.to_owned()
            + &pair("i64", "i64 %x", source, target).replace("i64 %x) {", "i64 %x) mustprogress {");
        compare_with(Config { fuel: 2_000, ..Config::default() }, &text, &["1"])
    };
    let open = |result: Refinement| match result {
        Refinement::Inconclusive(Reason::SourceCutShort(_)) => "source",
        Refinement::Inconclusive(Reason::TargetCutShort(_)) => "target",
        Refinement::Inconclusive(Reason::BothCutShort(_)) => "both",
        other => panic!("{other:?}"),
    };
    assert_eq!(open(fuel(&count(""), "ret i64 1")), "source");
    assert_eq!(open(fuel("ret i64 1", &count(""))), "target");
    assert_eq!(open(fuel(&count(""), &count(""))), "both");
    assert_eq!(open(fuel(&count(""), &format!("{event}\nret i64 0"))), "source");
    // The second call of a function that accesses no memory gets the first one's answer and shows nothing more.
    assert_eq!(open(fuel(&count(pure), &format!("{pure}\nret i64 1"))), "source");
    assert_eq!(open(fuel(&count(pure), &format!("{pure}\nunreachable"))), "source");
    // Earlier calls happened, however the source continues.
    let fewer = fuel(&count(event), &format!("{event}\nret i64 0"));
    assert!(matches!(&fewer, Refinement::Violates(v) if v.mismatch == Mismatch::Events), "{fewer:?}");
}

#[test]
fn a_witness_gives_the_choices_of_both_sides() {
    let text = pair(
        "i64",
        "",
        "%a = freeze i64 poison\n%r = xor i64 %a, 255\nret i64 %r",
        "%a = freeze i64 poison\nret i64 %a",
    );
    let module = support::module(&text);
    let programs = Program::pair([&module, &module], &Config::default());
    let mut machines = programs.each_ref().map(|p| Machine::new(p, Config::default()));
    let func = |name| module.env.func_named(name).expect("it is there");
    let mut compared = |witness: Option<u128>| {
        let [s, t] = &mut machines;
        let (mut s, mut t) = (Side { machine: s, func: func("src") }, Side { machine: t, func: func("tgt") });
        let mut target = ReplayChooser::new(vec![0xffff_0000_1234]);
        let mut source = witness.map(|answer| ReplayChooser::new(vec![answer]));
        let source = source.as_mut().map(|s| s as &mut dyn Chooser);
        let drivers = Drivers { answers: &Arc::default(), source_answers: &[], target: &mut target, source };
        refine_driven(&mut s, &mut t, &Input::default(), drivers, Budget::default()).expect("the input fits")
    };
    assert!(matches!(compared(Some(0xffff_0000_1234 ^ 255)), Refinement::Refines { .. }));
    // A witness that does not match decides nothing.
    for useless in [None, Some(5)] {
        let result = compared(useless);
        assert!(matches!(result, Refinement::Unmatched(_)), "{result:?}");
    }
}

#[test]
fn programs_of_a_pair_share_addresses() {
    let text = |globals: &str| {
        let code = "define i64 @f(ptr %p) {\n%i = ptrtoint ptr %p to i64\n%j = ptrtoint ptr @g to i64\n\
                    %r = add i64 %i, %j\nret i64 %r\n}\n";
        support::module(&format!("{globals}@g = global i32 0\n{code}"))
    };
    let modules = [text(""), text("@first = constant [5 x i8] zeroinitializer\n@other = global i64 1\n")];
    let programs = Program::pair(modules.each_ref(), &Config::default());
    let mut machines = programs.each_ref().map(|p| Machine::new(p, Config::default()));
    let func = |i: usize| modules[i].env.func_named("f").expect("it is there");
    let [s, t] = &mut machines;
    let (mut s, mut t) = (Side { machine: s, func: func(0) }, Side { machine: t, func: func(1) });
    let input = Input::parse(&["zeros:4"]).expect("an argument");
    let result = refine(&mut s, &mut t, &input, Budget::default()).expect("the input fits");
    assert!(matches!(result, Refinement::Refines { .. }), "{result:?}");
}

#[test]
fn what_flags_and_attributes_leave_open_is_not_held_against_the_target() {
    let reordered = pair(
        "float",
        "float %x, float %y, float %z",
        "%a = fadd reassoc float %x, %y\n%b = fadd reassoc float %a, %z\nret float %b",
        "%a = fadd reassoc float %y, %z\n%b = fadd reassoc float %x, %a\nret float %b",
    );
    let result = compare(&reordered, &["bits:0x3f000000", "bits:0xb489ed33", "bits:0x31cc175c"]);
    assert_eq!(result, Refinement::Inconclusive(Reason::UndefNarrowed));
    // An alloca may become larger, not smaller.
    let see = |ty: &str| format!("%a = alloca {ty}\nstore i32 1, ptr %a\ncall void @see(ptr %a)\nret void");
    let with = |s: &str, t: &str| "declare void @see(ptr)\n".to_owned() + &pair("void", "", &see(s), &see(t));
    refines(&with("i32", "i64"), &[]);
    violates(&with("i64", "i32"), &[], Mismatch::Memory);
}
