//! `hir-roundtrip`: takes loop nests out of the IR as trees, and lowers these again as they are. It optimizes nothing: it
//! shows that building and lowering keep what a function does.

use backedge_hir::build::build;
use backedge_hir::lower;
use backedge_scev::ScalarEvolution;
use backedge_transform::lcssa::Lcssa;
use backedge_transform::pass::{FunctionPass, Unit};
use backedge_transform::simplify::LoopSimplify;

/// The pass. Before and behind it loops are in loop-simplify form and LCSSA form.
#[derive(Copy, Clone, Debug)]
pub struct HirRoundtrip;

impl FunctionPass for HirRoundtrip {
    fn text(&self) -> String {
        "hir-roundtrip".to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        LoopSimplify.run(unit);
        Lcssa.run(unit);
        let at = unit.at();
        let built = build(&mut ScalarEvolution::new(at));
        let plans: Vec<lower::Plan> =
            built.taken.iter().filter_map(|taken| lower::check(at, &built.hir, taken).ok()).collect();
        for plan in &plans {
            lower::lower(&mut unit.editor(), &built.hir, plan);
        }
        if !plans.is_empty() {
            LoopSimplify.run(unit);
            Lcssa.run(unit);
        }
    }
}
