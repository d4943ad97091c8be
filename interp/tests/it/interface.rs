//! Inputs as text, choosers, traces, limits.

use crate::support;
use backedge_interp::chooser::{
    Choice, ChoiceKind, Chooser, Domain, EnumeratingChooser, RandomChooser, RecordingChooser, ReplayChooser,
};
use backedge_interp::input::{ArgSpec, Input, InputError};
use backedge_interp::outcome::{Outcome, Place, UbKind};
use backedge_interp::trace::{Detail, NoObserver, Recorder};
use backedge_interp::{Config, Machine, Program};
use backedge_ir::entity::{EntityId, FuncId};
use std::collections::BTreeSet;

#[test]
fn arguments_are_printed_as_they_are_read() {
    let texts = [
        "7",
        "-1",
        "poison",
        "undef",
        "null",
        "zeros:16",
        "bytes:00ff??pp",
        "bytes:00ff+1",
        "zeros:8-4",
        "arg0+8",
        "arg1-4",
        "@g",
        "@g+4",
        "addr:0x10",
        "{1, {poison, 2}}",
        "1.5",
        "bits:0x7fc00000",
    ];
    for text in texts {
        let spec: ArgSpec = text.parse().expect(text);
        assert_eq!(spec.to_string(), text);
        assert_eq!(spec.to_string().parse::<ArgSpec>().as_ref(), Ok(&spec));
    }
    for text in
        ["", "bytes:0", "bytes:xx", "zeros:99999999999", "{1", "}{", "arg", "seven", "12x", "bytes:é1"]
    {
        assert_eq!(text.parse::<ArgSpec>(), Err(InputError::Text(text.to_owned())), "{text}");
    }
}

#[test]
fn inputs_that_do_not_fit_are_refused() {
    let module = support::module("define i8 @f(i8 %x, ptr %p) {\nret i8 %x\n}");
    let config = Config::default();
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let id = module.env.func_named("f").expect("it is there");
    let mut run = |args: &[&str]| {
        let input = Input::parse(args).expect("the arguments are right");
        machine.run(id, &input, &mut RandomChooser::new(1), &mut backedge_interp::trace::NoObserver).err()
    };
    assert_eq!(run(&["1"]), Some(InputError::Count { expected: 2, given: 1 }));
    assert_eq!(run(&["256", "null"]), Some(InputError::Mismatch { arg: 0, spec: "256".to_owned() }));
    assert_eq!(run(&["1", "3"]), Some(InputError::Mismatch { arg: 1, spec: "3".to_owned() }));
    assert_eq!(run(&["1", "arg7"]), Some(InputError::Mismatch { arg: 1, spec: "arg7+0".to_owned() }));
    assert_eq!(run(&["255", "null"]), None);
}

fn ask(chooser: &mut dyn Chooser, domain: Domain) -> u128 {
    let place = Place { func: FuncId::from_index(0), inst: None };
    chooser.choose(&Choice { kind: ChoiceKind::Freeze, place, domain, bits: domain.last() })
}

#[test]
fn enumeration_meets_every_sequence_once() {
    let mut chooser = EnumeratingChooser::new();
    let mut seen = BTreeSet::new();
    loop {
        // The second question depends on the first answer.
        let first = ask(&mut chooser, Domain::Options(3));
        let mut path = vec![first];
        if first != 1 {
            path.push(ask(&mut chooser, Domain::Bits(2)));
        }
        assert_eq!(chooser.answers(), path);
        assert!(seen.insert(path));
        if !chooser.advance() {
            break;
        }
    }
    assert_eq!(seen.len(), 4 + 1 + 4);
}

#[test]
fn a_recorded_run_is_the_same_when_replayed() {
    let module = support::module(
        "declare i32 @g(ptr)\ndefine i32 @f(ptr %p) {\n%a = call i32 @g(ptr %p)\n%b = freeze i32 poison\n\
         %v = load i8, ptr %p\n%w = zext i8 %v to i32\n%s = add i32 %a, %b\n%r = add i32 %s, %w\nret i32 %r\n}",
    );
    for seed in 0..200 {
        let mut recorder = RecordingChooser::new(RandomChooser::new(seed));
        let first = support::run_with(&module, "f", &["zeros:4"], Config::default(), &mut recorder);
        let mut replay = ReplayChooser::new(recorder.answers());
        let second = support::run_with(&module, "f", &["zeros:4"], Config::default(), &mut replay);
        assert_eq!(first, second);
        assert!(!replay.ran_out());
    }
}

#[test]
fn a_trace_shows_blocks_and_values() {
    let module = support::module(
        "define i8 @f(i8 %n) {\nentry:\nbr label %loop\nloop:\n%i = phi i8 [ 0, %entry ], [ %j, %loop ]\n\
         %j = add i8 %i, 1\n%c = icmp ult i8 %j, %n\nbr i1 %c, label %loop, label %exit\nexit:\nret i8 %j\n}",
    );
    let config = Config::default();
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let id = module.env.func_named("f").expect("it is there");
    let mut recorder = Recorder::new(&program, 100);
    let input = Input::parse(&["2"]).expect("the arguments are right");
    let run = machine.run(id, &input, &mut RandomChooser::new(0), &mut recorder).expect("the input fits");
    let trace = recorder.finish(&machine, id, &input, &run);
    let wanted = [
        "@f(%n = i8 2):",
        "  br",
        "%loop: [1]",
        "  %i = phi : i8 0",
        "  %j = add : i8 1",
        "  %c = icmp : i1 true",
        "  br i1 true",
        "%loop: [2]",
        "  %i = phi : i8 1",
        "  %j = add : i8 2",
        "  %c = icmp : i1 false",
        "  br i1 false",
        "%exit:",
        "  ret i8 2",
    ];
    assert_eq!(trace.lines(Detail::Short), wanted);
}

/// A loop of one function called from different places, and equal loops of two functions, are not repeated states.
#[test]
fn the_same_loop_in_another_call_is_another_state() {
    let body = "entry:\nbr label %a\na:\n%i = phi i8 [ 0, %entry ], [ %j, %a ]\n%j = add i8 %i, 1\n\
                %c = icmp ult i8 %j, 100\nbr i1 %c, label %a, label %d\nd:\nret void\n}\n";
    let mut text = format!("define void @g() {{\n{body}define void @h() {{\n{body}define void @f() {{\n");
    for i in 0..40 {
        text += if i % 3 == 0 { "call void @h()\n" } else { "call void @g()\n" };
    }
    text += "ret void\n}\n";
    let module = support::module(&text);
    let run = support::run(&module, "f", &[]);
    assert_eq!(run.outcome, Outcome::Returned(None));
}

#[test]
fn limits_and_divergence() {
    let run = |text: &str, config: Config| {
        let module = support::module(text);
        support::run_with(&module, "f", &[], config, &mut RandomChooser::new(3)).outcome
    };
    let swap = "define void @f() {\nentry:\nbr label %a\na:\n%x = phi i8 [ 1, %entry ], [ %y, %a ]\n\
                %y = phi i8 [ 2, %entry ], [ %x, %a ]\nbr label %a\n}";
    assert!(matches!(run(swap, Config::default()), Outcome::Diverges { .. }));
    let nested = "define void @f() {\nentry:\nbr label %a\na:\nbr label %b\nb:\n%i = phi i8 [ 0, %a ], [ %j, %b ]\n\
                  %j = add i8 %i, 1\n%c = icmp ult i8 %j, 3\nbr i1 %c, label %b, label %d\nd:\nbr label %a\n}";
    assert!(matches!(run(nested, Config::default()), Outcome::Diverges { .. }));
    let inner_only = nested.replace("label %b, label %d\n", "label %b, label %d, !llvm.loop !0\n")
        + "\n!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}\n";
    assert!(matches!(run(&inner_only, Config::default()), Outcome::Diverges { .. }));
    let both = inner_only.replace("d:\nbr label %a\n", "d:\nbr label %a, !llvm.loop !2\n")
        + "!2 = distinct !{!2, !1}\n";
    assert_eq!(run(&both, Config::default()).ub(), Some(UbKind::NoProgress));
    // An unreachable block closes no loop.
    let never = both.replace("d:\n", "never:\nbr label %a\nd:\n");
    assert_eq!(run(&never, Config::default()).ub(), Some(UbKind::NoProgress));
    let big = "define void @f() {\n%p = alloca i8, i64 1000000\nret void\n}";
    let config = Config { max_bytes: 1000, ..Config::default() };
    let outcome = run(big, config);
    assert!(matches!(outcome, Outcome::LimitExceeded(_)));
    let module = support::module(big);
    let func = module.env.func_named("f").expect("it ran");
    let text = backedge_interp::text::outcome_text(&module, func, &outcome);
    assert!(text.starts_with("was stopped: its objects exceed the memory limit"), "{text}");
}

#[test]
fn inputs_have_a_text_form_for_memory_of_every_kind() {
    let text = "block0+4, {bits:0b1?0, arg0+1}, @g, block0=align:2 at:0x1002 readonly dead \
                bytes:00ff??pp[0?1p0011]<block1+8><null#3..4>, block1=zeros:8, @g=bytes:<@f>";
    let input = Input::parse_list(text).expect("it is right");
    assert_eq!(input.to_string(), text);
    assert_eq!(input.blocks[0].contents.len(), 14);
    for wrong in [
        "block1=zeros:1",
        "block0=zeros:1, block0=zeros:1",
        "block0=align:3 zeros:1",
        "block0=bytes:0",
        "block0=bytes:[01]",
        "block0=bytes:<7#5..2>",
        "bytes:<null>",
        "x=zeros:1",
    ] {
        assert!(Input::parse_list(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn runs_see_the_memory_that_the_input_describes() {
    let text = "@g = global ptr null\n\
                define i32 @f(ptr %p) {\n%q = load ptr, ptr %p, align 2\n%r = load ptr, ptr @g\n\
                store i32 5, ptr %r, align 1\n%v = load i32, ptr %q, align 1\nret i32 %v\n}\n\
                define i64 @at(ptr %p) {\n%a = ptrtoint ptr %p to i64\nret i64 %a\n}\n\
                define void @write(ptr %p) {\nstore i8 0, ptr %p\nret void\n}\n";
    let module = support::module(text);
    let program = Program::new(&module, &Config::default());
    let mut machine = Machine::new(&program, Config::default());
    let mut run = |name: &str, input: &str| {
        let func = module.env.func_named(name).expect("it is there");
        let input = Input::parse_list(input).expect("it is right");
        let run = machine.run(func, &input, &mut backedge_interp::chooser::ZeroChooser, &mut NoObserver);
        run.map(|run| run.outcome)
    };
    let returned = |bits: u64| Ok(Outcome::Returned(Some(backedge_interp::value::Val::Bits(bits))));
    let list =
        "block0, block0=align:2 bytes:<block1+1>, block1=bytes:0007000000, @g=bytes:<block2>, block2=zeros:4";
    assert_eq!(run("f", list), returned(7));
    assert_eq!(
        run("f", &list.replace("<block2>", "<block1+1>").replace("block2=", "block2=align:4 ")),
        returned(5)
    );
    assert_eq!(run("at", "block0, block0=at:0x123457 zeros:1"), returned(0x12_3457));
    assert_eq!(run("at", "block0+1, block0=at:0x10 zeros:1"), returned(0x11));
    let kind = |outcome: Result<Outcome, _>| outcome.ok().and_then(|o| o.ub());
    assert_eq!(kind(run("write", "block0, block0=readonly zeros:1")), Some(UbKind::ReadOnlyWrite));
    assert_eq!(kind(run("write", "block0, block0=dead zeros:1")), Some(UbKind::UseAfterFree));
    assert_eq!(kind(run("write", "block0, block0=zeros:0")), Some(UbKind::OutOfBounds));
    // Two blocks at one address, a pointer that does not fit, a pointer to no block.
    assert!(run("at", "block0, block0=at:0x100000 zeros:8, block1=at:0x100004 zeros:8").is_err());
    assert!(run("at", "block0, block0=bytes:<null#4..9>").is_err());
    assert!(run("at", "block0, block0=bytes:<block7>").is_err());
}
