//! How often loops run, per exiting edge.
//!
//! Iterations of a loop are counted by arrivals at its header, from 0. The count of an exiting block is the first
//! iteration in which it would leave, if it is reached in that iteration and no other exit was taken before; the
//! backedge-taken count of the loop is the least of the counts of its exits, where all of them are passed in each
//! iteration.
//!
//! | question | file |
//! |---|---|
//! | which conditions does an exit depend on | `exit`: terminators, `and`, `or`, `select` |
//! | when does a comparison fail | `compare`: what it comes to; `zero`: `!=`, `==`; `less`: `<`, `>` |
//! | all operands known | `solve`: affine and polynomial recurrences modulo 2^w; `run`: iterations run out |
//! | what must be so, lest the loop be undefined | `progress`; `poison`: and what may be poison |
//! | all exits together | `total`; `trip`: the count plus one, and what divides it |
//!
//! What is claimed is semantics.md's P5 to P7. Counts are computed on demand, each loop once; a loop whose count is being
//! computed has none meanwhile.
//!
//! Source: the questions are those of LLVM's `computeBackedgeTakenCount`; the proofs stand with the rules.

mod compare;
mod exit;
mod less;
mod poison;
mod progress;
mod run;
mod solve;
mod total;
mod trip;
mod zero;

pub(crate) use run::{Known, Plan};

use crate::ScalarEvolution;
use crate::expr::{Expr, NAry};
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::int::Int;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// How often the backedge is taken before an exiting block leaves, if no other exit does first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ExitCount {
    /// The exact count.
    pub exact: Expr,
    /// A constant that it does not exceed.
    pub constant_max: Expr,
    /// An expression that it does not exceed; the exact count where that is known.
    pub symbolic_max: Expr,
    /// Whether the count is either `constant_max` or zero.
    pub max_or_zero: bool,
    /// Whether it is known that the block never leaves the loop.
    pub never: bool,
}

/// How often a loop runs.
#[derive(Clone, Debug)]
pub struct LoopCounts {
    /// Each exiting block with its count, in the order of the loop's blocks. Only exits that are passed in each
    /// iteration bound the loop; the count of another one counts if it is reached.
    pub exits: Vec<(Block, ExitCount)>,
    /// How often the backedge is taken: the sequential minimum of all exits' counts, if all are known.
    pub exact: Expr,
    /// A constant that it does not exceed.
    pub constant_max: Expr,
    /// An expression that it does not exceed.
    pub symbolic_max: Expr,
    /// Whether the count is either `constant_max` or zero.
    pub max_or_zero: bool,
    /// The number of header arrivals on a run to a normal exit is a multiple of this, at least 1, in ℤ.
    pub trip_multiple: Int,
}

/// What is known of an exit while it is being found.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Limit {
    exact: Option<Expr>,
    constant_max: Option<Int>,
    symbolic_max: Option<Expr>,
    max_or_zero: bool,
    /// The exit is never taken. A count is then one of iterations that do not happen.
    never: bool,
}

impl Limit {
    /// Nothing is known.
    const UNKNOWN: Self =
        Self { exact: None, constant_max: None, symbolic_max: None, max_or_zero: false, never: false };
    /// It is never taken.
    const NEVER: Self = Self { never: true, ..Self::UNKNOWN };

    fn max(most: Int) -> Self {
        Self { constant_max: Some(most), ..Self::UNKNOWN }
    }
    fn exact(count: Expr, most: Int) -> Self {
        Self { exact: Some(count), constant_max: Some(most), symbolic_max: Some(count), ..Self::UNKNOWN }
    }
    fn is_known(&self) -> bool {
        self.exact.is_some() || self.constant_max.is_some() || self.symbolic_max.is_some() || self.never
    }
    /// What both say of one exit; this one's form is preferred.
    fn or(self, other: Self) -> Self {
        if self.never || other.never {
            return if self.never { self } else { other };
        }
        let constant_max = match (self.constant_max, other.constant_max) {
            (Some(a), Some(b)) => Some(if a.bits() <= b.bits() { a } else { b }),
            (a, b) => a.or(b),
        };
        let exact = self.exact.or(other.exact);
        Self {
            exact,
            constant_max,
            symbolic_max: exact.or(self.symbolic_max).or(other.symbolic_max),
            max_or_zero: self.max_or_zero && constant_max == self.constant_max
                || other.max_or_zero && constant_max == other.constant_max,
            never: false,
        }
    }
}

/// Counts computed.
#[derive(Debug, Default)]
pub(crate) struct CountCache {
    pub(crate) of: FxHashMap<LoopId, Arc<LoopCounts>>,
    /// Recurrences of loops that were not counted yet when they were made: what follows from the count is learned then.
    waiting: FxHashMap<LoopId, Vec<Expr>>,
    in_progress: FxHashSet<LoopId>,
    progress: FxHashMap<LoopId, progress::Progress>,
}

/// How many loops are counted for each other at a time.
const DEEPEST: usize = 32;

impl ScalarEvolution<'_> {
    /// How often `l` runs.
    pub fn counts(&mut self, l: LoopId) -> Arc<LoopCounts> {
        if let Some(known) = self.counts.of.get(&l) {
            return Arc::clone(known);
        }
        if self.counts.in_progress.len() >= DEEPEST || !self.counts.in_progress.insert(l) {
            return Arc::new(self.no_counts());
        }
        let header = self.header(l);
        let counts = Arc::new(self.within(Some(header), |this| this.compute_counts(l)));
        self.counts.in_progress.remove(&l);
        let is_bounded = self.as_constant(counts.constant_max).is_some();
        let counts = Arc::clone(self.counts.of.entry(l).or_insert(counts));
        let waiting = self.counts.waiting.remove(&l).unwrap_or_default();
        if is_bounded {
            // Ranges of what the loop computes may be narrower from now on.
            self.facts.renew();
            waiting.into_iter().for_each(|rec| self.strengthen(rec));
        }
        counts
    }
    /// Notes that `rec`, a recurrence of `l`, was made: if `l` is counted later, that may say more of it.
    pub(crate) fn await_counts(&mut self, l: LoopId, rec: Expr) {
        if !self.counts.of.contains_key(&l) {
            self.counts.waiting.entry(l).or_default().push(rec);
        }
    }
    /// Forgets the counts of `l`, to be computed anew with what has become known since.
    pub fn forget_counts(&mut self, l: LoopId) {
        self.counts.of.remove(&l);
    }
    fn no_counts(&mut self) -> LoopCounts {
        let none = self.could_not_compute();
        LoopCounts {
            exits: Vec::new(),
            exact: none,
            constant_max: none,
            symbolic_max: none,
            max_or_zero: false,
            trip_multiple: Int::one(32),
        }
    }
    /// How often the backedge of `l` is taken, or [`crate::Node::CouldNotCompute`].
    pub fn backedge_taken(&mut self, l: LoopId) -> Expr {
        self.counts(l).exact
    }
    /// A constant that the backedge-taken count of `l` does not exceed, or [`crate::Node::CouldNotCompute`].
    pub fn constant_max(&mut self, l: LoopId) -> Expr {
        self.counts(l).constant_max
    }
    /// An expression that it does not exceed, or [`crate::Node::CouldNotCompute`].
    pub fn symbolic_max(&mut self, l: LoopId) -> Expr {
        self.counts(l).symbolic_max
    }

    /// The least of counts of perhaps different widths, as unsigned, in the widest of these. Where `sequential`, the
    /// poison of one counts only if none before it is zero.
    fn least(&mut self, counts: &[Expr], sequential: bool) -> Option<Expr> {
        let width = counts.iter().map(|e| self.width(*e)).max()?;
        let mut operands: SmallVec<[Expr; 4]> = SmallVec::new();
        for &count in counts {
            operands.push(self.zext(count, width));
        }
        match &operands[..] {
            [one] => Some(*one),
            all => Some(self.min_max(if sequential { NAry::UMinSeq } else { NAry::UMin }, all)),
        }
    }
    /// The exact count `count` with what follows from it.
    fn exact_limit(&mut self, l: LoopId, count: Expr) -> Limit {
        let most = self.entry_umax(count, l);
        Limit::exact(count, most)
    }
    /// The exact count zero.
    fn at_once(&mut self, width: u32) -> Limit {
        let zero = Int::zero(width);
        Limit::exact(self.constant(zero), zero)
    }
}

/// The least of constants of perhaps different widths, in the widest of these.
fn least_constant(a: Int, b: Int) -> Int {
    let width = a.width().max(b.width());
    a.zext(width).umin(b.zext(width))
}
