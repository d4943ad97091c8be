//! Guarantees of `simple-loop-unswitch` on random functions whose branches, switches and selects often depend on
//! loop-invariant conditions: the result is valid, in the forms that loop passes need, and equivalent, and no trivial
//! exit is left.

use crate::common::machine::{agree, run};
use crate::common::module_of;
use crate::common::{check_ssa, not_closed, not_simplified, run_loop_pass, run_pass};
use backedge_analysis::loops::use_block;
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstData, InstKind, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::{FastMath, IntPredicate};
use backedge_ir::parse::parse_module;
use backedge_ir::types::Type;
use backedge_testkit::{Dice, Graph, graphs};
use backedge_transform::lcssa::Lcssa;
use backedge_transform::remark::{self, Outcome};
use backedge_transform::rotate::FormPart;
use backedge_transform::simplify::LoopSimplify;
use backedge_transform::unswitch::{By, SimpleLoopUnswitch, UnswitchDone, UnswitchMissed};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use std::fmt::Write;

const INPUTS: [(i32, i32); 9] = [(0, 0), (1, 0), (0, 1), (2, 3), (-1, 1), (7, -5), (100, 2), (3, 3), (1, 2)];

/// Makes branches and phi values depend on three conditions that are computed in the entry block.
fn decide_in_front(body: &mut Body, seed: u64) {
    let mut dice = Dice::new(seed);
    let entry = body.entry().expect("an entry");
    let args: Vec<Value> = body.args().map(Value::from).collect();
    let mut editor = Editor::new(body);
    let mut conditions: Vec<Value> = Vec::new();
    for (pred, a, b) in [(IntPredicate::Slt, 0, 1), (IntPredicate::Eq, 0, 0), (IntPredicate::Ugt, 1, 0)] {
        let two = editor.int(Int::new(32, 2));
        let right = if a == b { two } else { args[b] };
        let kind = InstKind::ICmp { pred, samesign: false };
        let data = InstData::new(kind, Type::I1, [args[a], right], []);
        conditions.push(editor.insert(Position::AfterPhis(entry), data).into());
    }
    let blocks: Vec<Block> = editor.body().blocks().collect();
    for block in blocks {
        let Some(terminator) = editor.body().terminator(block) else { continue };
        let data = editor.body().inst(terminator);
        let known = dice.pick(&conditions);
        let condition = Use { user: terminator, index: 0 };
        match data.kind {
            InstKind::Switch if !dice.one_in(3) => {
                let arg = args[dice.below(2)];
                editor.set_operand(condition, arg);
            }
            InstKind::CondBr => {
                let old = data.operands[0];
                let new = condition_of(&mut editor, block, dice.below(5), known, old);
                editor.set_operand(condition, new);
            }
            _ => {}
        }
        let phis: Vec<Inst> = editor.body().phis(block).collect();
        for phi in phis {
            if dice.one_in(4) {
                let select = InstData::new(
                    InstKind::Select(FastMath::NONE),
                    Type::I32,
                    [known, phi.into(), args[0]],
                    [],
                );
                let select = editor.insert(Position::AfterPhis(block), select);
                let elsewhere = |b: &Body, u: Use| use_block(b, u) == Some(block) && u.user != select;
                editor.replace_uses_if(phi.into(), select.into(), |b, u| {
                    elsewhere(b, u) && !b.inst(u.user).kind.is_phi()
                });
            }
        }
    }
}

fn condition_of(editor: &mut Editor<'_>, block: Block, how: usize, known: Value, old: Value) -> Value {
    let end = Position::BeforeTerminator(block);
    let boolean = |editor: &mut Editor<'_>, b: bool| editor.int(Int::bool(b));
    let (kind, operands) = match how {
        0 => return old,
        1 => return known,
        2 => (InstKind::Binary(BinaryOp::And, BinaryFlags::default()), vec![known, old]),
        3 => (InstKind::Select(FastMath::NONE), vec![old, boolean(editor, true), known]),
        _ => (InstKind::Select(FastMath::NONE), vec![old, known, boolean(editor, false)]),
    };
    editor.insert(end, InstData::new(kind, Type::I1, operands, [])).into()
}

#[derive(Default, Debug)]
struct Seen {
    trivial: usize,
    branch: usize,
    parts: usize,
    select: usize,
    switch: usize,
}

fn check(graph: &Graph, seed: u64, pass: SimpleLoopUnswitch, seen: &mut Seen) -> Result<(), TestCaseError> {
    let mut module = module_of(&[(graph.clone(), seed)]);
    let func = module.bodies().map(|(f, _)| f).next().expect("a body");
    let (env, body) = module.body_mut(func).expect("a body");
    decide_in_front(body, seed);
    check_ssa(body).expect("what is made is valid");
    run_pass(env, func, body, &LoopSimplify);
    run_pass(env, func, body, &Lcssa);
    let before = body.clone();
    let remarks = run_loop_pass(env, func, body, &pass);
    for remark in remarks {
        let Outcome::Done(remark::Done::Unswitch(done)) = remark.outcome else { continue };
        match done {
            UnswitchDone::Trivial { .. } => seen.trivial += 1,
            UnswitchDone::Copied { by: By::Branch, .. } => seen.branch += 1,
            UnswitchDone::Copied { by: By::Parts, .. } => seen.parts += 1,
            UnswitchDone::Copied { by: By::Select, .. } => seen.select += 1,
            UnswitchDone::Copied { by: By::Switch, .. } => seen.switch += 1,
            UnswitchDone::Copied { by: By::Guard | By::OneWay, .. } => {
                panic!("there is neither guard nor load")
            }
        }
    }
    check_ssa(body).map_err(TestCaseError::fail)?;
    prop_assert_eq!(not_simplified(body), vec![]);
    prop_assert_eq!(not_closed(body), vec![]);
    for (a, b) in INPUTS {
        let args = [a, b].map(|x| Int::new(32, i128::from(x) as u128));
        let (x, y) = (run(&before, &args, 2000), run(body, &args, 2000));
        prop_assert!(agree(&x, &y), "inputs {a}, {b}: {x:?} became {y:?}");
    }
    Ok(())
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(17),
        ..Config::default()
    })
}

#[test]
fn trivial_exits() {
    let seen = std::cell::RefCell::new(Seen::default());
    let strategy = (graphs(3..=14), any::<u64>());
    let result = runner(1500).run(&strategy, |(graph, seed)| {
        check(&graph, seed, SimpleLoopUnswitch::default(), &mut seen.borrow_mut())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    assert!(seen.borrow().trivial > 100, "{seen:?}");
}

#[test]
fn copies() {
    let seen = std::cell::RefCell::new(Seen::default());
    let strategy = (graphs(3..=12), any::<u64>());
    let pass = SimpleLoopUnswitch { nontrivial: true, ..SimpleLoopUnswitch::default() };
    let result =
        runner(1500).run(&strategy, |(graph, seed)| check(&graph, seed, pass, &mut seen.borrow_mut()));
    result.unwrap_or_else(|e| panic!("{e}"));
    let seen = seen.borrow();
    let least = [seen.trivial, seen.branch, seen.parts, seen.select, seen.switch].into_iter().min();
    assert!(least > Some(50), "{seen:?}");
}

fn missed(text: &str, pass: SimpleLoopUnswitch, form: bool) -> (Vec<UnswitchMissed>, usize) {
    let mut module = parse_module(text.as_bytes()).expect("valid text").module;
    let func = module.bodies().map(|(f, _)| f).next().expect("a body");
    let (env, body) = module.body_mut(func).expect("a body");
    if form {
        run_pass(env, func, body, &LoopSimplify);
        run_pass(env, func, body, &Lcssa);
    }
    let remarks = run_loop_pass(env, func, body, &pass);
    check_ssa(body).expect("the result is valid");
    let of = |r: &remark::Remark| match &r.outcome {
        Outcome::Missed(remark::Missed::Unswitch(missed)) => Some(missed.clone()),
        _ => None,
    };
    (remarks.iter().filter_map(of).collect(), remarks.len())
}

/// A loop with that many invariant conditions in sequence.
fn many_conditions(count: usize) -> String {
    let mut text = String::from("declare void @effect(i32)\ndefine void @f(i32 %n");
    (0..count).for_each(|k| write!(text, ", i1 %c{k}").expect("a string"));
    text.push_str(") {\nentry:\n  br label %h0\n");
    for k in 0..count {
        let (a, next) = (format!("a{k}"), k + 1);
        writeln!(text, "h{k}:").expect("a string");
        if k == 0 {
            text.push_str("  %i = phi i32 [ 0, %entry ], [ %j, %h_latch ]\n");
        }
        let next = if next == count { "h_latch".to_owned() } else { format!("h{next}") };
        write!(text, "  br i1 %c{k}, label %{a}, label %{next}\n{a}:\n  call void @effect(i32 {k})\n  br label %{next}\n")
            .expect("a string");
    }
    text.push_str(
        "h_latch:\n  %j = add i32 %i, 1\n  %m = icmp ult i32 %j, %n\n  br i1 %m, label %h0, label %out\nout:\n  ret void\n}\n",
    );
    text
}

/// With the costs of LLVM's defaults, and with a threshold that allows everything: the number of copies is bounded.
#[test]
fn no_explosion() {
    let pass = SimpleLoopUnswitch { nontrivial: true, ..SimpleLoopUnswitch::default() };
    let text = many_conditions(14);
    let (reasons, remarks) = missed(&text, pass, true);
    assert!(remarks < 60, "{remarks}");
    assert!(reasons.iter().all(|r| !matches!(r, UnswitchMissed::TooMany { .. })), "{reasons:?}");
    let (reasons, remarks) = missed(&text, SimpleLoopUnswitch { threshold: 1 << 30, ..pass }, true);
    assert!(reasons.contains(&UnswitchMissed::TooMany { limit: 64 }), "{reasons:?}");
    assert!(remarks < 200, "{remarks}");
}

#[test]
fn needs_simplified_loops() {
    let reasons = |text: &str| missed(text, SimpleLoopUnswitch::default(), false).0;
    let no_preheader = "define void @f(i1 %c) {\nentry:\n  br i1 %c, label %h, label %o\nh:\n  br i1 %c, label %h, label %o\no:\n  ret void\n}\n";
    assert_eq!(reasons(no_preheader), [UnswitchMissed::NotSimplified(FormPart::Preheader)]);
    let two_latches = "define void @f(i1 %c) {\nentry:\n  br label %h\nh:\n  br i1 %c, label %h, label %b\nb:\n  br i1 %c, label %h, label %o\no:\n  ret void\n}\n";
    assert_eq!(reasons(two_latches), [UnswitchMissed::NotSimplified(FormPart::SingleBackedge)]);
    let shared = "define void @f(i1 %c) {\nentry:\n  br i1 %c, label %p, label %o\np:\n  br label %h\nh:\n  br i1 %c, label %h, label %o\no:\n  ret void\n}\n";
    assert_eq!(reasons(shared), [UnswitchMissed::NotSimplified(FormPart::DedicatedExits)]);
}
