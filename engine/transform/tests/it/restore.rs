//! Incremental restoring of loop forms against a full sweep: on random functions, after passes and after branches
//! with random constant conditions, a full sweep finds nothing to do.

use crate::common;
use crate::common::generate::module_of;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::{InstKind, Use};
use backedge_ir::int::Int;
use backedge_testkit::{Graph, graphs};
use backedge_transform::cleanup::flow::{fold_terminators, remove_unreachable};
use backedge_transform::form;
use backedge_transform::pass::{LoopPass, Unit};
use backedge_transform::peel::LoopPeel;
use backedge_transform::rotate::LoopRotate;
use backedge_transform::unswitch::SimpleLoopUnswitch;
use proptest::prelude::*;

/// Makes the branch of block `number` (modulo their count) take the successor for `truth`.
fn decide(unit: &mut Unit<'_>, number: usize, truth: bool) {
    let body = unit.body();
    let branches: Vec<Block> = body
        .blocks()
        .filter(|b| body.terminator(*b).is_some_and(|t| matches!(body.inst(t).kind, InstKind::CondBr)))
        .collect();
    let Some(&block) = branches.get(number % branches.len().max(1)) else { return };
    let mut editor = unit.editor();
    let condition = editor.int(Int::bool(truth));
    let Some(user) = editor.body().terminator(block) else { return };
    editor.set_operand(Use { user, index: 0 }, condition);
    fold_terminators(unit, &[block]);
    remove_unreachable(unit);
}

fn loop_pass(unit: &mut Unit<'_>, number: usize, pass: &dyn LoopPass) {
    let shape = unit.shape();
    let order = shape.loops.in_pass_order();
    if let Some(l) = order.get(number % order.len().max(1)) {
        pass.run(unit, shape.loops.header(*l));
    }
}

proptest! {
    #![proptest_config(backedge_testkit::kept(300))]

    #[test]
    fn a_sweep_finds_nothing_to_do(
        graph in graphs(3..=14),
        seed in any::<u64>(),
        edits in prop::collection::vec((0..5_u8, any::<usize>()), 1..8),
    ) {
        let graph: Graph = graph;
        let mut module = module_of(&[(graph, seed)]);
        let func: FuncId = module.bodies().map(|(f, _)| f).next().expect("a body");
        let (env, body) = module.body_mut(func).expect("a body");
        let mut unit = Unit::new(env, func, body);
        form::restore(&mut unit);
        for (what, number) in edits {
            match what {
                0 => loop_pass(&mut unit, number, &LoopRotate::default()),
                1 => loop_pass(&mut unit, number, &SimpleLoopUnswitch::default()),
                2 => loop_pass(&mut unit, number, &LoopPeel { count: Some(1), ..LoopPeel::default() }),
                _ => decide(&mut unit, number, number.is_multiple_of(2)),
            }
            form::restore(&mut unit);
            prop_assert!(form::is_restored(&mut unit), "after edit {what}");
            common::check_ssa(unit.body()).map_err(TestCaseError::fail)?;
        }
    }
}
