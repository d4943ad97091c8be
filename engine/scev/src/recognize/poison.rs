//! Poison as UB: the points from which a flag of an instruction is a fact.
//!
//! A flag of an instruction is a fact about its operands only if the execution has UB in case of a violation.
//! [`ScalarEvolution::undefined_by`] finds instructions whose execution is UB then; the fact holds at every point from
//! which one of them is certainly executed with the same leaves. That may be the whole defining scope of the
//! expression, or only the blocks that some block dominates.
//!
//! At a point that a block dominates, values defined above the block are those with which the block was last entered: a
//! recomputation would have led through the block again. So a property that is certain whenever the block is entered
//! holds at all these points, including those before the proof. Source of the idea of proving flags by UB: LLVM's
//! `isSCEVExprNeverPoison`; the scopes are ours.

use super::bottom_up;
use crate::ScalarEvolution;
use crate::expr::{Expr, Node};
use crate::facts::Scope;
use backedge_analysis::LoopId;
use backedge_analysis::must_execute::{Executions, MustExecute, Stops, guaranteed_to_transfer};
use backedge_analysis::poison::{operands_must_be_defined, program_undefined_if_poison, propagates_poison};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::sync::Arc;

/// Limit on the number of uses that poison is followed through: bounds the time for one value.
const USES: usize = 64;
/// Limit on the number of instructions at which a poison value is UB: each gives a scope, of which few are kept.
const MOST_PROOFS: usize = 8;
/// Limit on the number of scopes per fact: each is checked by every query of the expression.
const MOST_SCOPES: usize = 4;
/// Limit on the number of instructions checked one by one for control that may stop. Across a larger distance control
/// may stop.
const NEAR: usize = 256;
/// Limit on the number of steps up the dominator tree: bounds the time for one fact. Stopping early gives a narrower
/// scope, which is correct.
const BLOCKS: usize = 64;

/// The point at which a value or expression is defined.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Point {
    /// At function entry.
    Entry,
    /// At the start of a block: a phi, the recurrences of a loop.
    Start(Block),
    /// After an instruction.
    After(Inst),
}

/// Places from which a fact holds.
pub(super) type Scopes = SmallVec<[Scope; 2]>;
/// Instructions that prove a fact by UB.
pub(super) type Proofs = SmallVec<[Inst; 4]>;

impl ScalarEvolution<'_> {
    /// The definition point of the latest leaf of `expr`: the start of its defining scope.
    pub(super) fn defined_at(&mut self, expr: Expr) -> Point {
        let mut known = std::mem::take(&mut self.values.defined);
        let point = bottom_up(&self.arena, &mut known, expr, |_, node, known| {
            let own = match node {
                Node::Unknown(Value::Inst(inst)) if self.at.body.inst(*inst).kind.is_phi() => {
                    self.at.body.block_of(*inst).map_or(Point::Entry, Point::Start)
                }
                Node::Unknown(Value::Inst(inst)) => Point::After(*inst),
                Node::AddRec(l, _) => Point::Start(self.loops.header(*l)),
                _ => Point::Entry,
            };
            node.operands().iter().fold(own, |latest, o| self.later(latest, known[o]))
        });
        self.values.defined = known;
        point
    }
    /// The later of two points; one must precede the other on every path through both.
    fn later(&self, a: Point, b: Point) -> Point {
        let (Some(x), Some(y)) = (self.block_of_point(a), self.block_of_point(b)) else {
            return if a == Point::Entry { b } else { a };
        };
        match (a, b) {
            (Point::After(i), Point::After(j)) if x == y => {
                if self.order.position(i) < self.order.position(j) { b } else { a }
            }
            (Point::After(_), _) if x == y => a,
            _ if self.dominators.dominates(x, y) => b,
            _ => a,
        }
    }
    fn block_of_point(&self, point: Point) -> Option<Block> {
        match point {
            Point::Entry => self.at.body.entry(),
            Point::Start(block) => Some(block),
            Point::After(inst) => self.at.body.block_of(inst),
        }
    }
    /// Whether all leaves of `expr` are defined whenever `block` is entered, before its phis.
    pub(super) fn is_defined_above(&mut self, expr: Expr, block: Block) -> bool {
        match self.defined_at(expr) {
            Point::Entry => true,
            point => self.block_of_point(point).is_some_and(|b| self.dominators.strictly_dominates(b, block)),
        }
    }

    /// Instructions whose execution is UB if the latest value of `inst` is poison: those that the poison reaches
    /// without passing a phi, and `inst` itself if control certainly reaches one of them.
    pub(super) fn undefined_by(&mut self, inst: Inst) -> Proofs {
        if let Some(known) = self.values.undefined_by.get(&inst) {
            return known.clone();
        }
        let (at, body) = (self.at, self.at.body);
        let mut found = Proofs::new();
        if program_undefined_if_poison(at, inst.into()) {
            found.push(inst);
        }
        let mut seen: FxHashSet<Inst> = FxHashSet::from_iter([inst]);
        let mut work: SmallVec<[Inst; 8]> = SmallVec::from_slice(&[inst]);
        let mut left = USES;
        while let Some(next) = work.pop() {
            for use_ in body.code_uses(next.into()) {
                if left == 0 || found.len() == MOST_PROOFS {
                    work.clear();
                    break;
                }
                left -= 1;
                if body.inst(use_.user).kind.is_phi()
                    || !body.block_of(use_.user).is_some_and(|b| self.cfg.is_reachable(b))
                {
                    continue;
                }
                if operands_must_be_defined(at, use_.user).contains(&use_.index) {
                    if !found.contains(&use_.user) {
                        found.push(use_.user);
                    }
                } else if propagates_poison(at.env, body, use_) && seen.insert(use_.user) {
                    work.push(use_.user);
                }
            }
        }
        self.values.undefined_by.insert(inst, found.clone());
        found
    }
    /// The scopes of facts about `expr` that hold unless `inst`, from which `expr` was recognized, is poison.
    pub(super) fn scopes_of(&mut self, inst: Inst, expr: Expr) -> Scopes {
        let proofs = self.undefined_by(inst);
        self.scopes_from(&proofs, expr)
    }
    /// The scopes of facts about `expr` that hold if one of `proofs` is executed with the same leaves.
    pub(super) fn scopes_from(&mut self, proofs: &[Inst], expr: Expr) -> Scopes {
        let defined = self.defined_at(expr);
        let mut scopes = Scopes::new();
        for proof in proofs {
            for scope in self.certain_from(defined, *proof) {
                if scope == Scope::Defining {
                    return Scopes::from_slice(&[scope]);
                }
                self.add_scope(&mut scopes, scope);
            }
        }
        scopes
    }
    fn add_scope(&self, scopes: &mut Scopes, new: Scope) {
        let within = |inner: &Scope, outer: &Scope| match (inner, outer) {
            (Scope::From(inner), Scope::From(outer)) => self.dominators.dominates(*outer, *inner),
            (_, Scope::Defining) => true,
            (Scope::Defining, Scope::From(_)) => false,
        };
        if scopes.iter().any(|s| within(&new, s)) {
            return;
        }
        scopes.retain(|s| !within(s, &new));
        if scopes.len() < MOST_SCOPES {
            scopes.push(new);
        }
    }

    /// The widest scopes from which `target` is certainly executed, or has been, with the current leaves; the latest
    /// leaf is defined at `defined`.
    fn certain_from(&mut self, defined: Point, target: Inst) -> Scopes {
        let one = |scope| Scopes::from_slice(&[scope]);
        let (Some(block), Some(of)) = (self.at.body.block_of(target), self.block_of_point(defined)) else {
            return Scopes::new();
        };
        let end = self.order.position(target) as usize;
        if of == block {
            let from = self.position_after_point(defined);
            if from > end {
                return Scopes::new();
            }
            return if self.transfers(block, from, end) { one(Scope::Defining) } else { self.after(block) };
        }
        if !self.dominators.dominates(of, block) {
            return Scopes::new();
        }
        if !self.transfers(block, 0, end) {
            return self.after(block);
        }
        one(self.climb(defined, of, block))
    }
    /// The widest scope from which `block` is certainly entered; the latest leaf is defined above it, in `of`.
    fn climb(&mut self, defined: Point, of: Block, block: Block) -> Scope {
        let mut current = block;
        for _ in 0..BLOCKS {
            if let Some((region, start)) = self.region_start(current)
                && start != current
            {
                if of == start && matches!(defined, Point::Start(_) | Point::Entry) {
                    return Scope::Defining;
                }
                if self.dominators.dominates(start, of) {
                    // The definition is on the path. In an inner loop it would be executed several times.
                    if self.loops.innermost(of) == region {
                        return Scope::Defining;
                    }
                } else {
                    current = start;
                    continue;
                }
            }
            // Continue upwards if only one edge leads here.
            let Some(above) = self.dominators.idom(current).filter(|a| *self.cfg.succs(*a) == [current])
            else {
                break;
            };
            let end = self.at.body.insts(above).len();
            let from = if above == of { self.position_after_point(defined) } else { 0 };
            if !self.transfers(above, from, end) {
                break;
            }
            if above == of {
                return Scope::Defining;
            }
            current = above;
        }
        Scope::From(current)
    }
    /// The widest scope of a fact about `expr` that holds whenever `block`, which is below its leaves, is entered.
    pub(super) fn scope_of_entry(&mut self, block: Block, expr: Expr) -> Scope {
        let defined = self.defined_at(expr);
        match self.block_of_point(defined) {
            Some(of) if of != block && self.dominators.dominates(of, block) => self.climb(defined, of, block),
            _ => Scope::From(block),
        }
    }
    /// The start of the innermost region (loop iteration or function) in which `block` is certainly entered.
    fn region_start(&mut self, block: Block) -> Option<(Option<LoopId>, Block)> {
        let innermost = self.loops.innermost(block);
        let region = match innermost {
            Some(l) if self.loops.header(l) == block => self.loops.parent(l),
            _ => innermost,
        };
        let start = region.map_or_else(|| self.at.body.entry(), |l| Some(self.loops.header(l)))?;
        self.executed_in(region).contains_block(block).then_some((region, start))
    }
    /// The instructions executed in each iteration of `l`, or, for `None`, whenever the function is entered.
    pub(super) fn executed_in(&self, l: Option<LoopId>) -> Arc<MustExecute> {
        self.at.get::<Executions>().of(self.at, l)
    }
    /// The position after a point in its block.
    fn position_after_point(&self, point: Point) -> usize {
        match point {
            Point::Entry | Point::Start(_) => 0,
            Point::After(inst) => self.order.position(inst) as usize + 1,
        }
    }
    /// Whether control that reaches position `from` of `block` certainly reaches `to`.
    fn transfers(&self, block: Block, from: usize, to: usize) -> bool {
        let stop = self.at.get::<Stops>().first(block);
        let Some(stop) = stop.map(|s| self.order.position(s) as usize) else { return true };
        if stop >= to {
            return true;
        }
        if stop >= from || to - from > NEAR {
            return false;
        }
        self.at.body.insts(block)[from..to]
            .iter()
            .all(|i| guaranteed_to_transfer(self.at.env, self.at.body, *i))
    }
    /// Blocks that are entered only after the end of `block`.
    fn after(&self, block: Block) -> Scopes {
        let below = self.dominators.children(block).iter();
        below.take(MOST_SCOPES).map(|b| Scope::From(*b)).collect()
    }
}
