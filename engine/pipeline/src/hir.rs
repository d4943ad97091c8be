//! `hir-roundtrip`: takes loop nests out of the IR as trees, and lowers these again as they are. It optimizes nothing: it
//! shows that building and lowering keep what a function does. A remark says why a nest is left as it is.

use backedge_hir::build::build;
use backedge_hir::lower;
use backedge_ir::entity::Block;
use backedge_scev::ScalarEvolution;
use backedge_transform::lcssa::Lcssa;
use backedge_transform::nest::Missed;
use backedge_transform::pass::{FunctionPass, Unit};
use backedge_transform::simplify::LoopSimplify;

/// The pass. Before and behind it loops are in loop-simplify form and LCSSA form.
#[derive(Copy, Clone, Debug)]
pub struct HirRoundtrip;

/// What the pass is called.
const NAME: &str = "hir-roundtrip";

impl FunctionPass for HirRoundtrip {
    fn text(&self) -> String {
        NAME.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        LoopSimplify.run(unit);
        Lcssa.run(unit);
        let at = unit.at();
        let loops = at.loops();
        let built = build(&mut ScalarEvolution::new(at));
        let mut left: Vec<(Block, Missed)> = Vec::new();
        for (l, missed) in &built.missed {
            left.push((
                loops.header(*l),
                Missed { name: missed.name(), text: format!("not taken: {missed}") },
            ));
        }
        let mut plans = Vec::new();
        for taken in &built.taken {
            match lower::check(at, &built.hir, taken) {
                Ok(plan) => plans.push(plan),
                Err(obstacle) => {
                    let text = format!("not lowered: {obstacle}");
                    left.push((loops.header(taken.l), Missed { name: obstacle.name(), text }));
                }
            }
        }
        for (header, missed) in left {
            unit.remark(NAME, header, missed);
        }
        for plan in &plans {
            lower::lower(&mut unit.editor(), &built.hir, plan);
        }
        if !plans.is_empty() {
            LoopSimplify.run(unit);
            Lcssa.run(unit);
        }
    }
}
