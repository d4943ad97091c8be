//! Reuse of existing values for an expression.
//!
//! A value equals its expression at every point that it dominates, unless the value is poison where the expression is
//! not: its instructions may have flags beyond the known facts. The check walks backwards from the value. It must prove
//! that each instruction that can create poison does not, and every path must end at leaves whose poison makes the
//! expression poison too. A path through a header phi leads to values of earlier iterations: a leaf on such a path must
//! be the same in all iterations.

use super::build::Planner;
use crate::ScalarEvolution;
use crate::expr::{Expr, NAry, Node};
use crate::facts::Flags;
use backedge_analysis::LoopId;
use backedge_analysis::poison::{Defined, is_guaranteed_defined, may_create_poison};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Limit on the number of candidate values per expression, the latest ones first: each is checked for poison.
const CANDIDATES: usize = 8;
/// Limit on the number of values visited on the backward walk that compares the poison of a value and an expression.
/// Beyond it the value is not used.
const STEPS: usize = 32;

/// Limit on the number of instructions before a place that are analyzed for reuse: analyzing all would take time
/// proportional to the function for each expansion.
const ASKED: usize = 256;

/// The values of each expression, as far as the expressions of values have been computed.
#[derive(Debug, Default)]
pub(crate) struct Existing {
    of: FxHashMap<Expr, SmallVec<[Inst; 2]>>,
    /// Entries that are not in the map yet.
    found: Vec<(Expr, Inst)>,
    /// The blocks whose instructions have been analyzed.
    asked: EntitySet<Block>,
}

impl Existing {
    /// Records that `expr` is an expression of `value`.
    pub(crate) fn note(&mut self, value: Value, expr: Expr) {
        self.found.extend(value.as_inst().map(|inst| (expr, inst)));
    }
}

impl ScalarEvolution<'_> {
    /// The first few values whose expression is `expr` and that dominate `anchor`, in order of dominance. Of the values
    /// without a computed expression, only the closest ones before `anchor` are analyzed: the values of all earlier
    /// loops would take time proportional to all of them.
    fn values_of(&mut self, expr: Expr, anchor: Inst) -> SmallVec<[Value; 2]> {
        self.analyze_before(anchor);
        for (expr, inst) in std::mem::take(&mut self.existing.found) {
            let insts = self.existing.of.entry(expr).or_default();
            if !insts.contains(&inst) {
                insts.push(inst);
            }
        }
        let (body, order, dominators) = (self.at.body, &self.order, &self.dominators);
        let found = self.existing.of.get(&expr).into_iter().flatten().copied();
        let mut before: SmallVec<[Inst; 2]> = found
            .filter(|i| {
                order.dominates(body, dominators, *i, anchor) && self.exprs((*i).into()).contains(&expr)
            })
            .collect();
        // Each of them dominates `anchor`, so of any two, one dominates the other.
        before.sort_by(|a, b| {
            order.dominates(body, dominators, *b, *a).cmp(&order.dominates(body, dominators, *a, *b))
        });
        before.into_iter().take(CANDIDATES).map(Value::Inst).collect()
    }
    /// Computes the expressions of the instructions that dominate `anchor`, the closest blocks first. Skips loops that
    /// have ended before `anchor`, since their values are not used outside.
    fn analyze_before(&mut self, anchor: Inst) {
        let body = self.at.body;
        let Some(place) = body.block_of(anchor) else { return };
        let mut left = ASKED;
        let mut at = Some(place);
        while let Some(block) = at
            && left > 0
        {
            at = self.dominators.idom(block);
            let insts = body.insts(block);
            left = left.saturating_sub(insts.len().max(1));
            let ended = self.loops.innermost(block).is_some_and(|l| !self.loops.contains(l, place));
            if ended || !self.existing.asked.insert(block) {
                continue;
            }
            for &inst in insts {
                self.expr(inst.into());
            }
        }
    }
}

/// A value on the backward walk.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Way {
    value: Value,
    /// The header phi that receives the value from the latch.
    to: Option<Inst>,
    /// The value belongs to an earlier iteration.
    earlier: bool,
}

impl Planner<'_, '_> {
    /// An existing value that equals `expr` at `anchor` and is poison only if `expr` is.
    pub(super) fn existing(&mut self, expr: Expr, anchor: Inst) -> Option<Value> {
        if !self.options.reuse || self.has_excluded_leaf(expr) {
            return None;
        }
        let values = self.scev.values_of(expr, anchor);
        values.into_iter().find(|value| {
            self.is_defined_before(*value, anchor)
                && self.is_closed(*value, anchor)
                && self.is_no_more_poisonous(*value, expr, anchor)
        })
    }

    fn has_excluded_leaf(&self, expr: Expr) -> bool {
        let is_other =
            |node: &Node| !matches!(node, Node::Unknown(value) if self.excluded_leaves.contains(value));
        !self.excluded_leaves.is_empty() && !self.scev.arena.all_parts(expr, |_, node| is_other(node))
    }
    /// Whether `value` is poison at `anchor` only if a leaf of `expr` is poison that makes `expr` poison.
    fn is_no_more_poisonous(&mut self, value: Value, expr: Expr, anchor: Inst) -> bool {
        if self.is_defined(value, anchor, Defined::NotPoison) {
            return true;
        }
        let (body, block) = (self.scev.at.body, self.block_of(anchor));
        let leaves = self.spreading_leaves(expr);
        let mut around: SmallVec<[LoopId; 2]> = SmallVec::new();
        let mut reached_earlier: SmallVec<[Value; 4]> = SmallVec::new();
        let mut seen: FxHashSet<Way> = FxHashSet::default();
        let mut work: SmallVec<[Way; 8]> = SmallVec::new();
        work.push(Way { value, to: None, earlier: false });
        while let Some(way) = work.pop() {
            if !seen.insert(way) {
                continue;
            }
            let Way { value, earlier, .. } = way;
            if seen.len() > STEPS {
                return false;
            }
            if leaves.contains(&value) {
                reached_earlier.extend(earlier.then_some(value));
                continue;
            }
            let place = (!earlier).then_some(anchor);
            if is_guaranteed_defined(self.scev.at, value, place, Defined::NotPoison) {
                continue;
            }
            let Value::Inst(inst) = value else { return false };
            let data = body.inst(inst);
            if let InstKind::Phi(fast) = &data.kind {
                let l = body.block_of(inst).and_then(|b| self.scev.loops.with_header(b));
                let Some(l) = l.filter(|_| fast.is_empty()) else { return false };
                around.push(l);
                let back = |from: Block| self.scev.loops.contains(l, from).then_some(inst);
                work.extend(data.incoming().map(|(value, from)| Way {
                    value,
                    to: back(from),
                    earlier: true,
                }));
                continue;
            }
            if may_create_poison(data, body) && !self.has_true_flags(inst, way, block) {
                return false;
            }
            work.extend(data.operands.iter().map(|v| Way { value: *v, to: None, earlier }));
        }
        reached_earlier.iter().all(|v| around.iter().all(|l| self.scev.loops.is_invariant(body, *l, *v)))
    }
    /// The leaves whose poison makes `expr` poison: excludes the later operands of a sequential minimum.
    fn spreading_leaves(&self, expr: Expr) -> FxHashSet<Value> {
        let mut leaves = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut work = vec![expr];
        while let Some(next) = work.pop() {
            if !seen.insert(next) {
                continue;
            }
            match self.scev.arena.node(next) {
                Node::Unknown(value) => {
                    leaves.insert(*value);
                }
                Node::NAry(NAry::UMinSeq, operands) => work.push(operands[0]),
                node => work.extend_from_slice(node.operands()),
            }
        }
        leaves
    }
    /// Whether the flags of `inst`, an addition or multiplication, are facts at `block`. On the backedge path to the
    /// phi `to`, the flags must hold for all results that have reached the phi.
    fn has_true_flags(&self, inst: Inst, Way { to, earlier, .. }: Way, block: Block) -> bool {
        let scev = &*self.scev;
        let data = scev.at.body.inst(inst);
        let (op, flags) = match &data.kind {
            InstKind::Binary(BinaryOp::Add, flags) => (NAry::Add, flags),
            InstKind::Binary(BinaryOp::Mul, flags) => (NAry::Mul, flags),
            _ => return false,
        };
        let wanted = Flags::new(flags.nuw, flags.nsw);
        let [a, b] = data.operands[..] else { return false };
        if let Some(phi) = to {
            let step = if a == Value::Inst(phi) { b } else { a };
            return op == NAry::Add
                && (a == Value::Inst(phi) || b == Value::Inst(phi))
                && scev.exprs(phi.into()).iter().any(|e| match scev.arena.node(*e) {
                    Node::AddRec(_, operands) if operands.len() == 2 => {
                        self.is_expr_of(operands[1], step) && scev.flags_at(*e, block).contains(wanted)
                    }
                    _ => false,
                });
        }
        scev.exprs(inst.into()).iter().any(|expr| {
            let Some([x, y]) = scev.arena.as_nary(op, *expr).map(|o| &o[..]) else { return false };
            let same = |x: Expr, y: Expr| self.is_expr_of(x, a) && self.is_expr_of(y, b);
            // A fact of a narrower scope implies nothing for earlier iterations.
            let facts = if earlier { scev.flags(*expr) } else { scev.flags_at(*expr, block) };
            (same(*x, *y) || same(*y, *x)) && facts.contains(wanted)
        })
    }
    fn is_expr_of(&self, expr: Expr, value: Value) -> bool {
        match self.scev.at.body.as_int(value) {
            Some(value) => self.scev.as_constant(expr) == Some(value),
            None => {
                self.scev.exprs(value).contains(&expr)
                    || matches!(self.scev.arena.node(expr), Node::Unknown(v) if *v == value)
            }
        }
    }
}
