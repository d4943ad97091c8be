//! Incremental restoring of loop forms against a full sweep: on random functions, after passes and after branches
//! with random constant conditions, a full sweep finds nothing to do.

use crate::common;
use crate::common::module_of;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::{InstKind, Use};
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
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

/// Applies `edits` to the only function of `module`: each is a kind and a number that selects a loop or a block.
fn check(module: &mut Module, edits: &[(u8, usize)]) -> Result<(), TestCaseError> {
    let func: FuncId = module.bodies().map(|(f, _)| f).next().expect("a body");
    let (env, body) = module.body_mut(func).expect("a body");
    let mut unit = Unit::new(env, func, body);
    form::restore(&mut unit);
    for &(what, number) in edits {
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
    Ok(())
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
        check(&mut module_of(&[(graph, seed)]), &edits)?;
    }
}

/// A random function on which restoring once missed a change.
const MISSED: &str = "
declare void @trace(i32)

define void @f0(i32 %a, i32 %b) {
b0:
  %v = sub i32 %b, %b
  %c = icmp eq i32 %v, 2
  br i1 %c, label %b2, label %b6

b1:                                               ; preds = %b2
  %p0 = phi i32 [ %b, %b2 ]
  %p1 = phi i32 [ %b, %b2 ]
  switch i32 3, label %b5 [
    i32 1, label %b6
    i32 2, label %b4
  ]

b2:                                               ; preds = %b6, %b0
  br label %b1

b3:                                               ; No predecessors!
  %c2 = icmp slt i32 %p3, %p0
  br i1 %c2, label %b5, label %b5

b4:                                               ; preds = %b6, %b1
  %p3 = phi i32 [ %b, %b1 ], [ %v2, %b6 ]
  ret void

b5:                                               ; preds = %b5, %b3, %b3, %b1
  %p4 = phi i32 [ %p1, %b1 ], [ %p3, %b3 ], [ %p3, %b3 ], [ %p1, %b5 ]
  %v4 = add i32 2, %p0
  %v5 = xor i32 %v, %p4
  call void @trace(i32 0)
  br label %b5

b6:                                               ; preds = %b1, %b0
  %p2 = phi i32 [ %v, %b0 ], [ %p1, %b1 ]
  %v1 = sub i32 4, %a
  %v2 = sub i32 0, %b
  %v3 = sub i32 %v2, %v
  %c1 = icmp eq i32 3, %v
  br i1 %c1, label %b4, label %b2

b7:                                               ; No predecessors!
  call void @trace(i32 %v5)
  ret void
}
";

#[test]
fn what_was_missed_is_restored() {
    let mut module = parse_module(MISSED.as_bytes()).expect("a module").module;
    let edits = [
        (0, 822_988_351_180_043_632),
        (3, 5_217_424_822_661_852_851),
        (3, 13_507_664_626_501_654_094),
        (4, 2_012_206_464_001_400_843),
        (3, 2_740_199_716_984_296_302),
        (4, 8_795_324_863_307_142_407),
    ];
    check(&mut module, &edits).unwrap_or_else(|e| panic!("{e}"));
}
