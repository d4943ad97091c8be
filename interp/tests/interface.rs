//! Inputs as text, choosers, traces, limits.

mod support;

use backedge_interp::chooser::{
    Choice, ChoiceKind, Chooser, Domain, EnumeratingChooser, RandomChooser, RecordingChooser, ReplayChooser,
};
use backedge_interp::input::{ArgSpec, Input, InputError};
use backedge_interp::outcome::{Outcome, Place, UbKind};
use backedge_interp::trace::{Detail, Recorder};
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

/// Loops of one function look alike wherever it is called from, and loops of two functions may look alike: neither is
/// a state that comes again.
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
    let big = "define void @f() {\n%p = alloca i8, i64 1000000\nret void\n}";
    let config = Config { max_bytes: 1000, ..Config::default() };
    assert!(matches!(run(big, config), Outcome::LimitExceeded(_)));
}
