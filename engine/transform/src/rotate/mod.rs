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

use crate::clone::Uncopyable;
use crate::pass::{LoopPass, Unit};
use crate::simplify;
use crate::split::NewPhis;
use crate::weights::{self, Rotated};
use backedge_ir::entity::{Block, Inst};
use std::fmt;

/// The pass's name.
pub const NAME: &str = "loop-rotate";

/// Maximum size of a header to copy, in instructions (LLVM's `-rotation-max-header-size`).
pub const DEFAULT_MAX_HEADER_SIZE: usize = 16;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// The loop was rotated.
    Rotated {
        /// Whether a branch before the loop decides whether it is entered; if not, it is known to be entered.
        guarded: bool,
    },
}

impl Done {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rotated { .. } => "Rotated",
        }
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Rotated { guarded } = self;
        f.write_str("rotated, ")?;
        f.write_str(if *guarded {
            "with a guard"
        } else {
            "without a guard: the loop is known to be entered"
        })
    }
}

/// A part of loop-simplify form that a loop lacks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FormPart {
    /// A preheader.
    Preheader,
    /// A single backedge.
    SingleBackedge,
    /// Dedicated exits.
    DedicatedExits,
}

/// Why a loop is not rotated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// The loop is not in loop-simplify form.
    NotSimplified(FormPart),
    /// The latch is exiting already.
    AlreadyRotated,
    /// The header does not end in a conditional branch.
    HeaderNotConditional {
        /// The mnemonic of its terminator.
        terminator: &'static str,
    },
    /// No successor of the header is outside the loop.
    HeaderDoesNotExit,
    /// The function has `minsize`, and copying the header makes it larger.
    ForSize,
    /// The header has too many instructions.
    HeaderTooLarge {
        /// Its number of instructions.
        size: usize,
        /// The limit.
        limit: usize,
    },
    /// The header can't be copied.
    Uncopyable(Uncopyable),
    /// The header calls a function that link-time optimization may inline.
    InlinableCall,
}

impl Missed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified(_) => "NotSimplified",
            Self::AlreadyRotated => "AlreadyRotated",
            Self::HeaderNotConditional { .. } => "HeaderNotConditional",
            Self::HeaderDoesNotExit => "HeaderDoesNotExit",
            Self::ForSize => "ForSize",
            Self::HeaderTooLarge { .. } => "HeaderTooLarge",
            Self::Uncopyable(why) => why.name(),
            Self::InlinableCall => "InlinableCall",
        }
    }
}

impl fmt::Display for FormPart {
    /// The problem if the part is missing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Preheader => "the loop has no preheader",
            Self::SingleBackedge => "the loop has several backedges",
            Self::DedicatedExits => "an exit block is entered from outside the loop too",
        })
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified(part) => part.fmt(f),
            Self::AlreadyRotated => f.write_str("the latch leaves the loop already"),
            Self::HeaderNotConditional { terminator } => {
                write!(f, "the header ends in '{terminator}', not in a conditional branch")
            }
            Self::HeaderDoesNotExit => f.write_str("the header does not leave the loop"),
            Self::ForSize => f.write_str("the function is optimized for minimum size"),
            Self::HeaderTooLarge { size, limit } => {
                write!(f, "the header has {size} instructions to copy, more than {limit}")
            }
            Self::Uncopyable(why) => write!(f, "the header can't be copied: {why}"),
            Self::InlinableCall => {
                f.write_str("the header calls a function that may be inlined when the program is linked")
            }
        }
    }
}

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
    (guarded, is_only_exit): (bool, bool),
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
                    weigh(unit, &facts, branch, [a, b], (guarded, is_only_exit));
                }
                unit.remark_at(NAME, label, Done::Rotated { guarded });
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
