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

pub(crate) use apply::{apply, fold_phis};
pub(crate) use check::{constant_phis, entry_and_exit_repairs};

use crate::loop_metadata;
use crate::pass::{FunctionPass, Shape, Unit};
use crate::split::NewPhis;
use backedge_ir::body::Body;
use backedge_ir::entity::Block;
use std::fmt;

/// The pass's name.
pub const NAME: &str = "loop-simplify";

/// Maximum number of backedges of a header for which the pass looks for nested loops (LLVM's limit).
pub const MAX_BACKEDGES_TO_SEPARATE: usize = 8;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// Unreachable blocks had edges into the loop; they now end in `unreachable`.
    UnreachablePredecessorsCut {
        /// The number of blocks.
        count: usize,
    },
    /// The loop got a preheader.
    PreheaderInserted,
    /// Exit blocks with predecessors outside the loop were split.
    ExitsDedicated {
        /// The number of exit blocks.
        count: usize,
    },
    /// Header phis with a constant value were replaced.
    PhisFolded {
        /// The number of phis.
        count: usize,
    },
    /// Two loops shared the header; the outer one now has its own.
    NestSeparated,
    /// The backedges were merged.
    BackedgesUnified {
        /// The old number of backedges.
        count: usize,
    },
}

impl Done {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::UnreachablePredecessorsCut { .. } => "UnreachablePredecessorsCut",
            Self::PreheaderInserted => "PreheaderInserted",
            Self::ExitsDedicated { .. } => "ExitsDedicated",
            Self::PhisFolded { .. } => "PhisFolded",
            Self::NestSeparated => "NestSeparated",
            Self::BackedgesUnified { .. } => "BackedgesUnified",
        }
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnreachablePredecessorsCut { count } => {
                write!(f, "cut off {count} unreachable predecessor(s)")
            }
            Self::PreheaderInserted => f.write_str("inserted a preheader"),
            Self::ExitsDedicated { count } => write!(f, "gave {count} exit block(s) to the loop alone"),
            Self::PhisFolded { count } => write!(f, "folded {count} phi(s) that never change"),
            Self::NestSeparated => f.write_str("separated the outer loop from the inner one"),
            Self::BackedgesUnified { count } => write!(f, "united {count} backedges in one"),
        }
    }
}

/// Why the pass did not look for nested loops that share the header of a loop with several backedges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// A call in the loop is convergent: its meaning depends on the loop that contains it.
    ConvergentCall,
    /// There are too many backedges.
    TooManyBackedges {
        /// Their number.
        count: usize,
    },
}

impl Missed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ConvergentCall => "ConvergentCall",
            Self::TooManyBackedges { .. } => "TooManyBackedges",
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nested loops that may share the header are not separated: ")?;
        match self {
            Self::ConvergentCall => f.write_str("the loop makes a convergent call"),
            Self::TooManyBackedges { count } => {
                write!(f, "{count} backedges, looked at up to {}", MAX_BACKEDGES_TO_SEPARATE - 1)
            }
        }
    }
}

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
