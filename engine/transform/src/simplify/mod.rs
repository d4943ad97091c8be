//! `loop-simplify`: brings loops into loop-simplify form: a preheader, a single backedge, dedicated exits.
//!
//! Needs valid IR. Guarantees the form for every loop (all modelled terminators can be redirected; exits and headers
//! that begin with a `landingpad` are split with copies of it). A header shared by a nest of loops is separated if a
//! phi shows which backedges belong to the inner loop, as in LLVM; otherwise its backedges are merged in one new
//! block, and the loop stays one loop. LLVM's pass also folds exiting branches with a common successor; this is an
//! optimization rather than a canonical form, and is not done here.
//!
//! Inner loops are processed before outer ones. A loop is identified by its header, since its id changes with the
//! graph; the missing parts are recomputed after each repair. Semantics are unchanged: the new blocks contain only
//! phis, which take the same values on the same edges.

mod apply;
mod check;
mod remarks;

pub use remarks::{MAX_BACKEDGES_TO_SEPARATE, SimplifyDone, SimplifyMissed};

pub(crate) use apply::{apply, fold_phis};
pub(crate) use check::{constant_phis, entry_and_exit_repairs};

use crate::loop_metadata;
use crate::pass::{FunctionPass, Unit};
use crate::shape::Shape;
use crate::split::NewPhis;
use backedge_ir::body::Body;
use backedge_ir::entity::Block;

/// The pass's name.
pub const NAME: &str = "loop-simplify";

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct LoopSimplify;

impl FunctionPass for LoopSimplify {
    fn text(&self) -> String {
        NAME.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        loop_metadata::drop_stray(unit);
        // A repair of one loop does not affect inner loops, so one sweep suffices; the second one finds nothing.
        loop {
            let shape = unit.shape();
            let headers = shape.loops.in_pass_order().into_iter().map(|l| shape.loops.header(l)).collect();
            if !sweep(unit, headers) {
                break;
            }
        }
    }
}

/// Repairs the loops with those headers once, inner loops first; returns whether anything was repaired.
pub(crate) fn sweep(unit: &mut Unit<'_>, mut headers: Vec<Block>) -> bool {
    headers.reverse();
    let mut changed = false;
    while let Some(header) = headers.pop() {
        loop {
            let shape = unit.shape();
            let Some(l) = shape.loops.with_header(header) else { break };
            let Some(lack) = check::first_lack(unit.body(), &shape, l) else { break };
            let (choice, missed) = check::decide(unit.env(), unit.body(), &shape, l, lack);
            if let Some(missed) = missed {
                unit.remark(NAME, header, missed);
            }
            let done = choice.done();
            let outer = apply(&mut unit.editor(), &shape, l, &choice, NewPhis::WhereNeeded);
            unit.remark(NAME, header, done);
            headers.extend(outer);
            changed = true;
        }
    }
    changed
}

/// Whether all loops are in loop-simplify form.
pub(crate) fn is_in_form(body: &Body, shape: &Shape) -> bool {
    shape.loops.ids().all(|l| check::first_lack(body, shape, l).is_none())
}
