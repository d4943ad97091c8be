//! The counts of all exits of a loop combined.
//!
//! An exit bounds the loop if it is executed in each iteration, that is, its block dominates every latch. The exact
//! count is the sequential minimum of all exit counts in execution order: while no earlier count is zero, the first
//! iteration reaches the later exit, so its count is not poison. An exit that may be bypassed leaves the count unknown,
//! unless it is never taken, or not before another exit.

use super::{ExitCount, Limit, LoopCounts, least_constant};
use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use smallvec::SmallVec;

/// An exit with its limit.
struct Counted {
    block: Block,
    always_passed: bool,
    limit: Limit,
}

impl ScalarEvolution<'_> {
    pub(super) fn compute_counts(&mut self, l: LoopId) -> LoopCounts {
        let cfg = self.cfg();
        let latches = self.loops.latches(&cfg, l);
        let blocks = self.loops.exiting_blocks(&cfg, l);
        let is_live = |b: &&Block| cfg.succs(**b).iter().any(|to| self.is_live_exit(l, *to));
        let only = blocks.iter().filter(is_live).count() == 1;
        let mut exits: Vec<Counted> = Vec::with_capacity(blocks.len());
        for block in blocks {
            let always_passed = latches.iter().all(|latch| self.dominators.dominates(block, *latch));
            let limit = self.exit_limit(l, block, only, always_passed);
            let limit = self.completed(l, limit);
            exits.push(Counted { block, always_passed, limit });
        }
        self.total(l, &exits)
    }
    /// Adds the bounds that follow from other fields of `limit`.
    fn completed(&mut self, l: LoopId, mut limit: Limit) -> Limit {
        if let Some(exact) = limit.exact {
            let most = self.entry_umax(exact, l);
            if limit.constant_max.is_none_or(|known| known.zext(128).ugt(most.zext(128))) {
                limit.constant_max = Some(most);
                limit.max_or_zero = false;
            }
            limit.symbolic_max = Some(exact);
        }
        if let (None, Some(most)) = (limit.symbolic_max, limit.constant_max) {
            limit.symbolic_max = Some(self.constant(most));
        }
        limit
    }
    fn total(&mut self, l: LoopId, exits: &[Counted]) -> LoopCounts {
        let none = self.could_not_compute();
        // These blocks dominate the latches, and so one another. The loop's blocks are in reverse post-order, so
        // dominating blocks come first.
        let passed: SmallVec<[&Counted; 4]> = exits.iter().filter(|e| e.always_passed).collect();
        let exact = if self.all_known(l, exits) {
            // If no exit is ever taken, the count of such an exit still bounds the number of iterations.
            let no_other = exits.iter().all(|e| e.limit.never);
            let counted = passed.iter().filter(|e| no_other || !e.limit.never);
            let known: SmallVec<[Expr; 4]> = counted.filter_map(|e| e.limit.exact).collect();
            self.least(&known, true)
        } else {
            None
        };
        let constant_max = passed.iter().filter_map(|e| e.limit.constant_max).reduce(least_constant);
        let constant_max = constant_max.or_else(|| self.last_of_header(l));
        // The maximum is zero, so no backedge is taken, whichever exit is.
        let exact =
            exact.or_else(|| constant_max.filter(|most| most.is_zero()).map(|none| self.constant(none)));
        let bounds: SmallVec<[Expr; 4]> = passed.iter().filter_map(|e| e.limit.symbolic_max).collect();
        let symbolic_max = match exact {
            Some(exact) => Some(exact),
            None => self.least(&bounds, true),
        };
        let symbolic_max = symbolic_max.or(constant_max.map(|c| self.constant(c)));
        let max_or_zero = match exits {
            [one] => one.always_passed && one.limit.max_or_zero,
            _ => false,
        };
        let trip_multiple = self.multiple_of_all(l, exits);
        let constant_max = constant_max.map_or(none, |c| self.constant(c));
        LoopCounts {
            exits: exits.iter().map(|e| (e.block, self.exit_count(e))).collect(),
            exact: exact.unwrap_or(none),
            constant_max,
            symbolic_max: symbolic_max.unwrap_or(none),
            max_or_zero,
            trip_multiple,
        }
    }
    fn exit_count(&mut self, exit: &Counted) -> ExitCount {
        let none = self.could_not_compute();
        let limit = &exit.limit;
        // The loop may continue past the count of an exit that is not reached in that iteration.
        let bounds = exit.always_passed;
        ExitCount {
            exact: limit.exact.unwrap_or(none),
            constant_max: limit.constant_max.filter(|_| bounds).map_or(none, |c| self.constant(c)),
            symbolic_max: limit.symbolic_max.filter(|_| bounds).unwrap_or(none),
            max_or_zero: bounds && limit.max_or_zero,
            never: limit.never,
        }
    }
    /// Whether the exits that are executed in each iteration and have exact counts determine the count: every other
    /// exit is never taken, or not before one of them.
    fn all_known(&mut self, l: LoopId, exits: &[Counted]) -> bool {
        let no_other = exits.iter().all(|e| e.limit.never);
        let counts = |e: &Counted| e.always_passed && e.limit.exact.is_some() && (no_other || !e.limit.never);
        let (known, others): (Vec<&Counted>, Vec<&Counted>) = exits.iter().partition(|e| counts(e));
        !known.is_empty()
            && others.iter().all(|other| {
                other.limit.never || known.iter().any(|first| self.leaves_before(l, first, other))
            })
    }
    /// Whether `first`, which is executed in each iteration, is taken before `other` can be: its count is less, or
    /// equal if it precedes `other` within an iteration.
    fn leaves_before(&mut self, l: LoopId, first: &Counted, other: &Counted) -> bool {
        let (Some(a), Some(b)) = (first.limit.exact, other.limit.exact) else { return false };
        let width = self.width(a).max(self.width(b));
        let (a, b) = (self.zext(a, width), self.zext(b, width));
        // If `first` dominates `other`, each iteration executes `first` before it reaches `other`.
        let before = self.dominators.dominates(first.block, other.block);
        let pred = if before { IntPredicate::Ule } else { IntPredicate::Ult };
        self.is_known(pred, a, b) || self.is_entry_guarded(l, pred, a, b)
    }
    /// A divisor of the number of header arrivals, whichever exit is taken.
    fn multiple_of_all(&mut self, l: LoopId, exits: &[Counted]) -> Int {
        let mut all: Option<u128> = None;
        let no_other = exits.iter().all(|e| e.limit.never);
        for exit in exits.iter().filter(|e| no_other || !e.limit.never) {
            let one = match exit.limit.exact {
                Some(count) if exit.always_passed => self.trip_multiple_of(count, l),
                _ => 1,
            };
            all = Some(all.map_or(one, |known| super::trip::gcd(known, one)));
            if one == 1 {
                break;
            }
        }
        Int::new(32, all.unwrap_or(1).max(1))
    }
}
