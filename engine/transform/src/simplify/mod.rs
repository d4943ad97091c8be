//! `loop-simplify`: brings loops into loop simplify form: a preheader, a single backedge, dedicated exits.
//!
//! Needs nothing but valid IR. Guarantees the form for every loop (all terminators that are modelled can be
//! redirected; exits and headers that begin with a `landingpad` are split with copies of it). A header that is shared
//! by a nest of loops is separated where a phi shows which backedges are the inner loop's, as LLVM does; otherwise its
//! backedges are united in one new block, and the loop stays one loop. LLVM, in this pass, also folds exiting branches
//! that lead to one block; that is an optimization rather than a form, and is not done here.
//!
//! Inner loops come before outer ones. A loop is named by its header, since its id changes with the graph; what is
//! wrong with it is asked anew after each repair. Meaning is not touched: the new blocks are empty but for phis, which
//! take the same values on the same edges.

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

/// How many backedges a header may have for the pass to look for nested loops behind it (LLVM's limit).
pub const MAX_BACKEDGES_TO_SEPARATE: usize = 8;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// Blocks that can't be reached had edges into the loop; they end in `unreachable` now.
    UnreachablePredecessorsCut {
        /// How many.
        count: usize,
    },
    /// The loop got a preheader.
    PreheaderInserted,
    /// Edges into exit blocks that were entered from elsewhere too were given blocks of their own.
    ExitsDedicated {
        /// How many exit blocks.
        count: usize,
    },
    /// Phis of the header that never change their value were replaced by it.
    PhisFolded {
        /// How many.
        count: usize,
    },
    /// Two loops shared the header; the outer one has a header of its own now.
    NestSeparated,
    /// The backedges were united.
    BackedgesUnified {
        /// How many edges there were.
        count: usize,
    },
}

impl Done {
    /// The name of what was done.
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

/// What the pass left undone at a loop with several backedges: it did not look for nested loops that share the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// A call in the loop is convergent: which loop it stands in is part of its meaning.
    ConvergentCall,
    /// There are too many backedges.
    TooManyBackedges {
        /// How many there are.
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
        // A repair of one loop leaves inner loops' forms alone, so one sweep is enough; the second finds nothing.
        loop {
            let shape = unit.shape();
            let headers = shape.loops.in_pass_order().into_iter().map(|l| shape.loops.header(l)).collect();
            if !sweep(unit, headers) {
                break;
            }
        }
    }
}

/// Repairs the loops with those headers once, in that order: inner ones first; whether there was something to repair.
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

/// Whether there is nothing to repair at any loop.
pub(crate) fn is_in_form(body: &Body, shape: &Shape) -> bool {
    shape.loops.ids().all(|l| check::first_lack(body, shape, l).is_none())
}
