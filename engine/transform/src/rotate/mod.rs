//! `loop-rotate`: turns a loop that exits at its header into one that exits at its latch.
//!
//! ```text
//! preheader → header → body … latch → header      preheader+header' → body … latch+header → body
//!                  ↘ exit                                          ↘ exit                 ↘ exit
//! ```
//! Needs a loop in loop-simplify form whose header ends in a conditional branch with one successor outside.
//! Guarantees that the header's instructions run as often and in the same order as before: a copy in the preheader
//! runs the first time, the header itself, now after the latch, all other times. Loop-invariant header instructions
//! that neither access memory nor have side effects move to the preheader instead. Loop-simplify form and LCSSA form
//! are kept, also for surrounding loops.
//!
//! The guard, which is the copy of the header's branch, needs no `freeze`: it branches on the same value at the same
//! point as the header's first test, so if the value is poison the loop has UB already. An initial value of a phi
//! that may be `undef` is frozen, since several uses of the phi see one choice, while several uses of `undef` may
//! differ. The `!llvm.loop` of the latch moves to the new latch. The weights of the header's branch are distributed
//! to both branches ([`crate::weights::Rotated`]). A `noalias.scope.decl` in the header would be duplicated, which
//! changes the meaning of its scope, so the function's `!alias.scope` and `!noalias` for it are dropped. Debug
//! records are copied with their values.
//!
//! LLVM's pass also merges an empty or cheap latch into an exiting predecessor; this pass does not.

mod apply;
mod check;
mod remarks;

pub use remarks::{FormPart, RotateDone, RotateMissed};

use crate::pass::{LoopPass, Unit};
use crate::simplify;
use crate::split::NewPhis;
use crate::weights::{self, Rotated};
use backedge_ir::entity::{Block, Inst};

/// The pass's name.
pub const NAME: &str = "loop-rotate";

/// Maximum size of a header to copy, in instructions (LLVM's `-rotation-max-header-size`).
pub const DEFAULT_MAX_HEADER_SIZE: usize = 16;

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LoopRotate {
    /// Maximum size of a header to copy, in instructions; 0 disables copying.
    pub max_header_size: usize,
    /// Whether to skip headers that call a function which may be inlined later.
    pub prepare_for_lto: bool,
}

impl Default for LoopRotate {
    fn default() -> Self {
        Self { max_header_size: DEFAULT_MAX_HEADER_SIZE, prepare_for_lto: false }
    }
}

/// Sets the weights of the guard, if there is one, and of `branch`, which was the header's and ends the new latch.
fn weigh(
    unit: &mut Unit<'_>,
    facts: &check::Facts,
    branch: Inst,
    [a, b]: [u64; 2],
    guarded: bool,
    is_only_exit: bool,
) {
    let Some(end) = unit.body().block_of(branch) else { return };
    let stays_first = unit.body().successors(end).first() == Some(&facts.new_header);
    let ordered = |[stay, leave]: [u64; 2]| if stays_first { [stay, leave] } else { [leave, stay] };
    let weights = if stays_first { [a, b] } else { [b, a] };
    let Rotated { guard, latch } = Rotated::of(weights, guarded, is_only_exit);
    if guarded {
        weights::set(unit, facts.preheader, &ordered(guard));
    }
    weights::set(unit, end, &ordered(latch));
}

impl LoopPass for LoopRotate {
    fn text(&self) -> String {
        let mut params: Vec<String> = match self.max_header_size {
            DEFAULT_MAX_HEADER_SIZE => Vec::new(),
            0 => vec!["no-header-duplication".to_owned()],
            size => vec![format!("max-header-size={size}")],
        };
        if self.prepare_for_lto {
            params.push("prepare-for-lto".to_owned());
        }
        if params.is_empty() { NAME.to_owned() } else { format!("{NAME}<{}>", params.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        let checked = check::check(unit.env(), unit.body(), &shape, l);
        match checked.and_then(|facts| check::decide(unit.env(), unit.func, unit.body(), facts, *self)) {
            Ok(facts) => {
                let label = unit.label(header);
                let branch = unit.body().terminator(facts.header);
                let weights = branch.and_then(|b| weights::of(unit.env(), unit.body(), b));
                let (env, mut editor) = unit.env_and_editor();
                let guarded = apply::apply(env, &mut editor, &shape, l, &facts);
                if let (Some(branch), Some(&[a, b])) = (branch, weights.as_deref()) {
                    let is_only_exit = shape.loops.exiting_edges(&shape.cfg, l).len() == 1;
                    weigh(unit, &facts, branch, [a, b], guarded, is_only_exit);
                }
                unit.remark_at(NAME, label, RotateDone::Rotated { guarded });
                restore_simplify_form(unit, facts.new_header);
                Some(facts.new_header)
            }
            Err(missed) => {
                unit.remark(NAME, header, missed);
                Some(header)
            }
        }
    }
}

/// Restores preheader and dedicated exits of the loop with that header and of its ancestors.
fn restore_simplify_form(unit: &mut Unit<'_>, header: Block) {
    let shape = unit.shape();
    let Some(l) = shape.loops.with_header(header) else { return };
    let headers: Vec<Block> = shape.loops.ancestors(l).map(|l| shape.loops.header(l)).collect();
    for header in headers {
        loop {
            let shape = unit.shape();
            let Some(l) = shape.loops.with_header(header) else { break };
            let repairs = simplify::entry_and_exit_repairs(&shape, l);
            if repairs.is_empty() {
                break;
            }
            for repair in repairs {
                simplify::apply(&mut unit.editor(), &shape, l, &repair, NewPhis::Always);
            }
        }
    }
}
