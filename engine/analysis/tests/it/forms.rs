//! LCSSA form against its definition on random uses, and the loop guard case by case.

use crate::common::{analyse, block, body_of};
use backedge_analysis::{Cfg, LoopForest};
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntityId, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, DebugRecord, InstData, InstKind, Value};
use backedge_ir::opcode::FastMath;
use backedge_ir::types::Type;
use backedge_testkit::{Graph, graphs};
use proptest::prelude::*;

fn add_value(editor: &mut Editor<'_>, at: Block) -> Inst {
    let arg = Value::Arg(EntityId::from_index(1));
    let kind = InstKind::Binary(BinaryOp::Add, BinaryFlags::default());
    editor.insert(Position::BeforeTerminator(at), InstData::new(kind, Type::I32, [arg, arg], []))
}

/// Adds a use of `value` in `at`: by an instruction there, or by a phi elsewhere with the incoming block `at`.
fn add_use(editor: &mut Editor<'_>, value: Inst, at: Block, by_phi_in: Option<Block>) {
    let operands = [Value::Inst(value)];
    match by_phi_in {
        Some(block) => {
            let kind = InstKind::Phi(FastMath::NONE);
            editor.insert(Position::Start(block), InstData::new(kind, Type::I32, operands, [at]))
        }
        None => {
            let data = InstData::new(InstKind::Freeze, Type::I32, operands, []);
            editor.insert(Position::BeforeTerminator(at), data)
        }
    };
}

proptest! {
    #![proptest_config(backedge_testkit::kept(500))]

    #[test]
    fn lcssa_by_definition(
        graph in graphs(2..=10),
        uses in prop::collection::vec((0..10usize, 0..10usize, prop::option::of(0..10usize)), 0..4),
    ) {
        let n = graph.len();
        let mut body = body_of(&graph);
        let values: Vec<Inst> = {
            let mut editor = Editor::new(&mut body);
            let values: Vec<_> = (0..n).map(|b| add_value(&mut editor, block(b))).collect();
            for (def, at, phi) in &uses {
                add_use(&mut editor, values[def % n], block(at % n), phi.map(|p| block(p % n)));
            }
            values
        };
        let (cfg, _, loops) = analyse(&body);
        for l in loops.ids() {
            let inside = |b: usize| loops.blocks(l).contains(&block(b % n));
            let escapes = |(def, at, _): &&(usize, usize, Option<usize>)| {
                inside(*def) && !inside(*at) && cfg.rpo().contains(&block(at % n))
            };
            prop_assert_eq!(loops.is_lcssa(&body, &cfg, l), !uses.iter().any(|u| escapes(&u)));
            for (def, &value) in values.iter().enumerate() {
                let count = uses.iter().filter(|u| u.0 % n == def && escapes(u)).count();
                let found = if inside(def) { loops.escaping_uses(&body, &cfg, l, value).count() } else { 0 };
                prop_assert_eq!(found, count);
                prop_assert_eq!(loops.is_invariant(&body, l, value.into()), !inside(def));
            }
            let in_nest = loops.nest(l).all(|inner| loops.is_lcssa(&body, &cfg, inner));
            prop_assert_eq!(loops.is_recursively_lcssa(&body, &cfg, l), in_nest);
        }
    }
}

/// A loop at block 1 that exits to block 2.
fn simple_loop() -> Body {
    body_of(&vec![vec![1], vec![1, 2], vec![]])
}

fn only_loop_is_lcssa(body: &Body) -> bool {
    let (cfg, _, loops) = analyse(body);
    let l = loops.ids().next().expect("a loop");
    assert_eq!(loops.is_lcssa(body, &cfg, l), loops.is_recursively_lcssa(body, &cfg, l));
    loops.is_lcssa(body, &cfg, l)
}

#[test]
fn a_debug_record_is_no_use() {
    let mut body = simple_loop();
    let mut editor = Editor::new(&mut body);
    let value = add_value(&mut editor, block(1));
    let record = DebugRecord { pieces: Box::new(["#dbg_value(".into(), ")".into()]) };
    let data = InstData::new(InstKind::DebugRecord(Box::new(record)), Type::VOID, [value.into()], []);
    editor.insert(Position::BeforeTerminator(block(2)), data);
    assert!(only_loop_is_lcssa(&body));
    add_use(&mut Editor::new(&mut body), value, block(2), None);
    assert!(!only_loop_is_lcssa(&body));
}

#[test]
fn a_token_may_be_used_outside() {
    let mut body = simple_loop();
    let mut editor = Editor::new(&mut body);
    let arg = Value::Arg(EntityId::from_index(1));
    let token = InstData::new(InstKind::Freeze, Type::TOKEN, [arg], []);
    let token = editor.insert(Position::BeforeTerminator(block(1)), token);
    add_use(&mut editor, token, block(2), None);
    assert!(only_loop_is_lcssa(&body));
}

fn guard_of(body: &Body) -> Option<Inst> {
    let (cfg, _, loops): (Cfg, _, LoopForest) = analyse(body);
    let l = loops.ids().next().expect("a loop");
    loops.guard_branch(body, &cfg, l)
}

/// The guarded loop of the terminology document: guard 0, preheader 1, loop 2, loop exit 3, exit 4; `between` are
/// additional blocks, numbered from 5.
fn guarded(exit_to: usize, between: &[Vec<usize>]) -> Graph {
    let mut graph = vec![vec![1, 4], vec![2], vec![2, 3], vec![exit_to], vec![]];
    graph.extend(between.iter().cloned());
    graph
}

#[test]
fn a_guard_skips_the_loop() {
    let body = body_of(&guarded(4, &[]));
    assert_eq!(guard_of(&body), body.terminator(block(0)));
    let swapped = body_of(&vec![vec![4, 1], vec![2], vec![2, 3], vec![4], vec![]]);
    assert_eq!(guard_of(&swapped), swapped.terminator(block(0)));
}

#[test]
fn a_guard_may_lead_through_empty_blocks() {
    let body = body_of(&guarded(5, &[vec![6], vec![4]]));
    assert_eq!(guard_of(&body), body.terminator(block(0)));
    let mut full = body.clone();
    add_value(&mut Editor::new(&mut full), block(6));
    assert_eq!(guard_of(&full), None);
    // The exit block itself may contain instructions.
    let mut exit = body.clone();
    add_value(&mut Editor::new(&mut exit), block(3));
    assert_eq!(guard_of(&exit), exit.terminator(block(0)));
}

#[test]
fn branches_that_are_no_guard() {
    // The other branch target does not lead to the loop's exit target.
    assert_eq!(guard_of(&body_of(&guarded(5, &[vec![]]))), None);
    // The empty block on the path has another predecessor.
    assert_eq!(guard_of(&body_of(&guarded(5, &[vec![4], vec![5]]))), None);
    // No branch before the loop.
    assert_eq!(guard_of(&body_of(&vec![vec![1], vec![2], vec![2, 3], vec![]])), None);
    // Not rotated.
    assert_eq!(guard_of(&body_of(&vec![vec![1, 4], vec![2], vec![3, 5], vec![2], vec![], vec![4]])), None);
    // Not in loop simplify form: no preheader.
    assert_eq!(guard_of(&body_of(&vec![vec![1, 3], vec![1, 2], vec![3], vec![]])), None);
    // Two exits.
    assert_eq!(
        guard_of(&body_of(&vec![vec![1, 5], vec![2], vec![3, 4], vec![2, 6], vec![5], vec![], vec![5]])),
        None
    );
    // The preheader has two predecessors.
    let graph = vec![vec![5, 6], vec![2], vec![2, 3], vec![4], vec![], vec![1, 4], vec![1, 4]];
    assert_eq!(guard_of(&body_of(&graph)), None);
    // A switch is no guard.
    assert_eq!(guard_of(&body_of(&vec![vec![1, 4, 4], vec![2], vec![2, 3], vec![4], vec![]])), None);
}
