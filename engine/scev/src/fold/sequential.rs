//! The sequential unsigned minimum: poison in an operand matters only if no earlier operand is zero.
//!
//! Removes an operand that repeats an earlier one, or is known not to be less than an earlier one. Two neighbors become
//! a plain minimum if this cannot make more results poison: the first is never zero, or the second is poison (or
//! undefined) only if the first is.

use super::Operands;
use crate::ScalarEvolution;
use crate::expr::{Expr, NAry, Node};
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use rustc_hash::FxHashSet;

impl ScalarEvolution<'_> {
    pub(super) fn fold_sequential(&mut self, operands: &[Expr]) -> Expr {
        if self.too_large(operands) {
            return self.unfolded(NAry::UMinSeq, operands);
        }
        let mut kept = self.distinct_in_sequence(operands);
        let mut at = 1;
        while at < kept.len() {
            let (earlier, this) = (Operands::from_slice(&kept[..at]), kept[at]);
            let superfluous = earlier.iter().any(|e| self.is_superfluous_beside(NAry::UMinSeq, this, *e));
            if superfluous {
                kept.remove(at);
            } else if self.may_be_plain(kept[at - 1], this) {
                kept[at - 1] = self.umin(kept[at - 1], this);
                kept.remove(at);
                // The merged operand may now be redundant or constant.
                at = at.saturating_sub(1).max(1);
            } else {
                at += 1;
            }
        }
        match kept[..] {
            [one] => one,
            _ => self.arena_sequence(kept),
        }
    }
    fn arena_sequence(&mut self, operands: Operands) -> Expr {
        let ty = self.type_of(&operands);
        self.arena.intern(Node::NAry(NAry::UMinSeq, operands.as_slice().into()), ty)
    }
    /// The operands in order up to a constant zero, with nested sequences flattened and duplicates removed, also inside
    /// plain minima.
    fn distinct_in_sequence(&mut self, operands: &[Expr]) -> Operands {
        let mut kept = Operands::new();
        let mut seen: FxHashSet<Expr> = FxHashSet::default();
        let mut work: Operands = operands.iter().rev().copied().collect();
        while let Some(expr) = work.pop() {
            if seen.contains(&expr) {
                continue;
            }
            match self.node(expr) {
                Node::NAry(NAry::UMinSeq, inner)
                    if kept.len() + work.len() + inner.len() <= self.limits.operands =>
                {
                    work.extend(inner.iter().rev().copied());
                }
                Node::NAry(NAry::UMin, inner) if inner.iter().any(|e| seen.contains(e)) => {
                    let new: Operands = inner.iter().copied().filter(|e| !seen.contains(e)).collect();
                    if !new.is_empty() {
                        work.push(self.min_max(NAry::UMin, &new));
                    }
                    seen.insert(expr);
                }
                node => {
                    if let Node::NAry(NAry::UMin, inner) = &node {
                        seen.extend(inner.iter().copied());
                    }
                    seen.insert(expr);
                    kept.push(expr);
                    if self.is_zero(expr) {
                        break;
                    }
                }
            }
        }
        kept
    }
    /// Whether the sequential minimum of two neighbors may be replaced by a plain one.
    fn may_be_plain(&mut self, first: Expr, second: Expr) -> bool {
        self.is_never_zero(first) || self.is_defined_if(second, first)
    }
    fn is_never_zero(&mut self, expr: Expr) -> bool {
        let zero = Int::zero(self.width(expr));
        !self.unsigned_range(expr).contains(zero)
    }
    /// Whether `second` is never poison or undefined if `first` is neither.
    fn is_defined_if(&mut self, second: Expr, first: Expr) -> bool {
        let mut leaves: Vec<Value> = Vec::new();
        let mut divisors: Vec<Expr> = Vec::new();
        let mut parts = 0;
        let limit = self.limits.search;
        let few = self.arena.all_parts(second, |_, node| {
            parts += 1;
            match node {
                Node::Unknown(value) => leaves.push(*value),
                Node::UDiv([_, divisor]) => divisors.push(*divisor),
                _ => {}
            }
            parts <= limit
        });
        if !few || divisors.into_iter().any(|d| !self.is_never_zero(d)) {
            return false;
        }
        leaves.retain(|v| !is_guaranteed_defined(self.at, *v, None, Defined::NotPoison));
        if leaves.is_empty() {
            return true;
        }
        let spread = self.spreading_leaves(first);
        leaves.iter().all(|v| spread.contains(v))
    }
    /// The leaves whose poison certainly makes `expr` poison.
    fn spreading_leaves(&self, expr: Expr) -> FxHashSet<Value> {
        let mut leaves = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            if !seen.insert(expr) || seen.len() > self.limits.search as usize {
                continue;
            }
            match self.arena.node(expr) {
                Node::Unknown(value) => {
                    leaves.insert(*value);
                }
                // A sequence always evaluates its first operand.
                Node::NAry(NAry::UMinSeq, operands) => work.push(operands[0]),
                node => work.extend_from_slice(node.operands()),
            }
        }
        leaves
    }
}
