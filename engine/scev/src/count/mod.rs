//! Backedge-taken counts of loops, per exiting edge.
//!
//! Iterations of a loop are counted by arrivals at its header, from 0. The count of an exiting block is the first
//! iteration in which it would leave the loop, provided that control reaches it in that iteration and took no other
//! exit before. The backedge-taken count of the loop is the minimum of its exit counts, if every exiting block is
//! executed in each iteration.
//!
//! | question | file |
//! |---|---|
//! | Which conditions decide an exit? | `exit`: terminators, `and`, `or`, `select` |
//! | When does a comparison fail? | `compare`: normal forms; `zero`: `!=`, `==`; `less`: `<`, `>` |
//! | All operands are constants | `solve`: affine and polynomial recurrences modulo 2^w; `run`: execution |
//! | What must hold because the loop would otherwise be UB? | `progress`; `poison`: possible poison |
//! | All exits together | `total`; `trip`: the trip count and its known divisors |
//!
//! The guarantees are P5 to P7 of docs/semantics.md. Counts are computed on demand, once per loop; while the count of a
//! loop is being computed, queries of it return no count.
//!
//! Source: the queries are those of LLVM's `computeBackedgeTakenCount`; each rule has its proof next to it.

mod compare;
mod condition;
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

/// The number of times the backedge is taken before an exiting block leaves, if no other exit leaves first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ExitCount {
    /// The exact count.
    pub exact: Expr,
    /// A constant upper bound.
    pub constant_max: Expr,
    /// A symbolic upper bound; the exact count if that is known.
    pub symbolic_max: Expr,
    /// Whether the count is either `constant_max` or zero.
    pub max_or_zero: bool,
    /// Whether the block is known never to leave the loop.
    pub never: bool,
}

/// The counts of a loop.
#[derive(Clone, Debug)]
pub struct LoopCounts {
    /// Each exiting block with its count, in the order of the loop's blocks. Only exits that are executed in each
    /// iteration bound the loop; the count of any other exit holds only if that exit is reached.
    pub exits: Vec<(Block, ExitCount)>,
    /// The backedge-taken count: the sequential minimum of all exit counts, if all are known.
    pub exact: Expr,
    /// A constant upper bound of the backedge-taken count.
    pub constant_max: Expr,
    /// A symbolic upper bound of the backedge-taken count.
    pub symbolic_max: Expr,
    /// Whether the count is either `constant_max` or zero.
    pub max_or_zero: bool,
    /// The number of header arrivals in an execution that leaves by a normal exit is a multiple of this number (at
    /// least 1), in ℤ.
    pub trip_multiple: Int,
}

/// The partial results for an exit under computation.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Limit {
    exact: Option<Expr>,
    constant_max: Option<Int>,
    symbolic_max: Option<Expr>,
    max_or_zero: bool,
    /// The exit is never taken. A count then describes an iteration that does not happen.
    never: bool,
}

impl Limit {
    /// Nothing is known.
    const UNKNOWN: Self =
        Self { exact: None, constant_max: None, symbolic_max: None, max_or_zero: false, never: false };
    /// The exit is never taken.
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
    /// Combines two results for the same exit; prefers the form of this one.
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

/// The computed counts.
#[derive(Debug, Default)]
pub(crate) struct CountCache {
    pub(crate) of: FxHashMap<LoopId, Arc<LoopCounts>>,
    /// Recurrences of loops without a computed count. Facts that follow from the count are learned when it is computed.
    waiting: FxHashMap<LoopId, Vec<Expr>>,
    in_progress: FxHashSet<LoopId>,
    progress: FxHashMap<LoopId, progress::Progress>,
}

/// Limit on the number of loops whose counts are under computation at a time: bounds the recursion over loops whose
/// bounds depend on each other. A query beyond it gets no count.
const DEEPEST: usize = 32;

impl ScalarEvolution<'_> {
    /// The counts of `l`.
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
            // The counts may narrow the ranges of values of the loop.
            self.facts.renew();
            waiting.into_iter().for_each(|rec| self.strengthen(rec));
        }
        counts
    }
    /// Registers `rec`, a new recurrence of `l`: a later count of `l` may imply facts of it.
    pub(crate) fn await_counts(&mut self, l: LoopId, rec: Expr) {
        if !self.counts.of.contains_key(&l) {
            self.counts.waiting.entry(l).or_default().push(rec);
        }
    }
    /// Discards the counts of `l`, so that the next query recomputes them with the facts known by then.
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
    /// The backedge-taken count of `l`, or [`crate::Node::CouldNotCompute`].
    pub fn backedge_taken(&mut self, l: LoopId) -> Expr {
        self.counts(l).exact
    }
    /// A constant upper bound of the backedge-taken count of `l`, or [`crate::Node::CouldNotCompute`].
    pub fn constant_max(&mut self, l: LoopId) -> Expr {
        self.counts(l).constant_max
    }
    /// A symbolic upper bound of the backedge-taken count of `l`, or [`crate::Node::CouldNotCompute`].
    pub fn symbolic_max(&mut self, l: LoopId) -> Expr {
        self.counts(l).symbolic_max
    }

    /// The unsigned minimum of counts, zero-extended to the widest of their widths. If `sequential`, poison in one
    /// count matters only if no earlier count is zero.
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
    /// The limit of the exact count `count`, with its constant maximum.
    fn exact_limit(&mut self, l: LoopId, count: Expr) -> Limit {
        let most = self.entry_umax(count, l);
        Limit::exact(count, most)
    }
    /// The limit of an exit that leaves in the first iteration.
    fn at_once(&mut self, width: u32) -> Limit {
        let zero = Int::zero(width);
        Limit::exact(self.constant(zero), zero)
    }
}

/// The minimum of two constants, zero-extended to the wider width.
fn least_constant(a: Int, b: Int) -> Int {
    let width = a.width().max(b.width());
    a.zext(width).umin(b.zext(width))
}
