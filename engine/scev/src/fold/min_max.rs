//! Minima and maxima.
//!
//! Flattens nested operations of the same kind, merges constants, and removes duplicates. Then removes operands that
//! another operand makes redundant: because it is known to be at most (or at least) as great, or because of the
//! opposite operation inside, as in `umin(x, umax(x, y))`.

use super::Operands;
use crate::ScalarEvolution;
use crate::expr::{Expr, NAry};
use backedge_ir::int::Int;

/// Limit on the number of operands up to which all pairs are compared for superfluous ones, because the number of pairs
/// grows with the square.
const COMPARED: usize = 12;

/// Properties of minima and maxima: the opposite operation, and signedness and direction.
impl NAry {
    fn opposite(self) -> Self {
        match self {
            Self::UMax => Self::UMin,
            Self::SMax => Self::SMin,
            Self::UMin => Self::UMax,
            Self::SMin => Self::SMax,
            Self::Add | Self::Mul | Self::UMinSeq => self,
        }
    }
    pub(super) fn is_signed_min_max(self) -> bool {
        matches!(self, Self::SMax | Self::SMin)
    }
    fn is_max(self) -> bool {
        matches!(self, Self::UMax | Self::SMax)
    }
    /// The minimum or maximum of two values.
    fn pick(self, a: Int, b: Int) -> Int {
        match self {
            Self::UMax => a.umax(b),
            Self::SMax => a.smax(b),
            Self::SMin => a.smin(b),
            Self::UMin | Self::UMinSeq | Self::Add | Self::Mul => a.umin(b),
        }
    }
    /// The identity value of the operation, and its absorbing value.
    fn ends(self, width: u32) -> (Int, Int) {
        let (low, high) = if self.is_signed_min_max() {
            (Int::signed_min(width), Int::signed_max(width))
        } else {
            (Int::zero(width), Int::all_ones(width))
        };
        if self.is_max() { (low, high) } else { (high, low) }
    }
}

impl ScalarEvolution<'_> {
    /// The unsigned minimum.
    pub fn umin(&mut self, left: Expr, right: Expr) -> Expr {
        self.min_max(NAry::UMin, &[left, right])
    }
    /// The unsigned maximum.
    pub fn umax(&mut self, left: Expr, right: Expr) -> Expr {
        self.min_max(NAry::UMax, &[left, right])
    }
    /// The signed minimum.
    pub fn smin(&mut self, left: Expr, right: Expr) -> Expr {
        self.min_max(NAry::SMin, &[left, right])
    }
    /// The signed maximum.
    pub fn smax(&mut self, left: Expr, right: Expr) -> Expr {
        self.min_max(NAry::SMax, &[left, right])
    }

    pub(super) fn fold_min_max(&mut self, op: NAry, operands: &[Expr]) -> Expr {
        let width = self.width(operands[0]);
        let (loses, wins) = op.ends(width);
        let mut constant = loses;
        let mut rest = Operands::new();
        let small = !self.too_large(operands);
        let mut work: Operands = operands.iter().rev().copied().collect();
        while let Some(expr) = work.pop() {
            if let Some(value) = self.as_constant(expr) {
                constant = op.pick(constant, value);
                continue;
            }
            match self.arena.as_nary(op, expr).filter(|_| small) {
                Some(inner) if rest.len() + work.len() + inner.len() <= self.limits.operands => {
                    work.extend(inner.iter().rev().copied());
                }
                _ => rest.push(expr),
            }
        }
        if constant == wins || rest.is_empty() {
            return self.constant(constant);
        }
        if constant != loses {
            rest.push(self.constant(constant));
        }
        crate::expr::sort_operands(&self.arena, &mut rest);
        rest.dedup();
        if let Some(known) = self.lookup_nary(op, &rest).filter(|_| rest.len() > 1) {
            return known;
        }
        if small && (2..=COMPARED).contains(&rest.len()) {
            self.drop_superfluous(op, &mut rest);
        }
        match rest[..] {
            [one] => one,
            _ if small => self.intern_nary(op, rest),
            _ => self.unfolded(op, &rest),
        }
    }
    fn drop_superfluous(&mut self, op: NAry, operands: &mut Operands) {
        let mut at = 0;
        while at < operands.len() {
            let operand = operands[at];
            let others = operands.iter().enumerate().filter(|(i, _)| *i != at);
            let others: Operands = others.map(|(_, e)| *e).collect();
            if others.iter().any(|other| self.is_superfluous_beside(op, operand, *other)) {
                operands.remove(at);
            } else {
                at += 1;
            }
        }
    }
    /// Whether `op` of `operand` and `other` is always `other`.
    pub(super) fn is_superfluous_beside(&mut self, op: NAry, operand: Expr, other: Expr) -> bool {
        let (less, more) = if op.is_max() { (operand, other) } else { (other, operand) };
        self.is_at_most(op.is_signed_min_max(), less, more)
    }
    /// Whether shape and ranges imply `less <= more`; uses no guards and no search.
    pub(super) fn is_at_most(&mut self, signed: bool, less: Expr, more: Expr) -> bool {
        less == more
            || self.is_at_most_by_form(signed, less, more)
            || self.is_at_most_by_range(signed, less, more)
            || self.is_part_of_sum(signed, less, more, false)
            || signed && self.is_part_of_sum(signed, more, less, true)
    }
    /// Whether `whole` is a non-wrapping sum of `part` and non-negative terms or, if `below`, negative terms. (As
    /// unsigned, no term is negative.)
    fn is_part_of_sum(&mut self, signed: bool, part: Expr, whole: Expr, below: bool) -> bool {
        let Some(terms) = self.arena.as_nary(NAry::Add, whole) else { return false };
        let flags = self.flags_here(whole);
        if !(if signed { flags.nsw() } else { flags.nuw() }) {
            return false;
        }
        let mut rest: Operands = terms.iter().copied().collect();
        let parts: Operands = match self.arena.as_nary(NAry::Add, part) {
            Some(parts) if !terms.contains(&part) => parts.iter().copied().collect(),
            _ => [part].into_iter().collect(),
        };
        for part in parts {
            let Some(at) = rest.iter().position(|e| *e == part) else { return false };
            rest.remove(at);
        }
        !signed
            || rest
                .iter()
                .all(|e| if below { self.is_always_negative(*e) } else { self.is_never_negative(*e) })
    }
    fn is_at_most_by_range(&mut self, signed: bool, less: Expr, more: Expr) -> bool {
        if signed {
            let (most, least) = (self.signed_range(less).signed_max(), self.signed_range(more).signed_min());
            matches!((most, least), (Some(most), Some(least)) if most.sle(least))
        } else {
            let (most, least) =
                (self.unsigned_range(less).unsigned_max(), self.unsigned_range(more).unsigned_min());
            matches!((most, least), (Some(most), Some(least)) if most.ule(least))
        }
    }
    fn is_at_most_by_form(&self, signed: bool, less: Expr, more: Expr) -> bool {
        let (min, max) = if signed { (NAry::SMin, NAry::SMax) } else { (NAry::UMin, NAry::UMax) };
        let has = |op, of: Expr, operand: &Expr| {
            self.arena.as_nary(op, of).is_some_and(|operands| operands.contains(operand))
        };
        if has(min, less, &more) || has(max, more, &less) {
            return true;
        }
        let in_sequence = |of: Expr| !signed && has(NAry::UMinSeq, of, &more);
        in_sequence(less) || self.differs_by_constant(signed, less, more)
    }
    /// Whether both differ by a constant without wrapping, in the required direction.
    fn differs_by_constant(&self, signed: bool, less: Expr, more: Expr) -> bool {
        let split = |e: Expr| -> (Int, &[Expr], bool) {
            let zero = Int::zero(self.width(e));
            match self.arena.as_nary(NAry::Add, e) {
                Some(operands) => {
                    let flags = self.flags_here(e);
                    let exact = if signed { flags.nsw() } else { flags.nuw() };
                    match self.as_constant(operands[0]) {
                        Some(c) => (c, &operands[1..], exact),
                        None => (zero, operands, true),
                    }
                }
                None => (zero, &[], true),
            }
        };
        let ((c, x, x_exact), (d, y, y_exact)) = (split(less), split(more));
        let same = match (x, y) {
            ([], []) => false,
            ([], [y]) => less == *y,
            ([x], []) => *x == more,
            _ => x == y,
        };
        // Flags are strong: the sums without the constants are exact too.
        same && x_exact && y_exact && if signed { c.sle(d) } else { c.ule(d) }
    }

    /// `-1 - expr` for a minimum or maximum of values `-1 - x`: the opposite operation on the values `x`.
    pub(super) fn not_of_min_max(&mut self, expr: Expr) -> Option<Expr> {
        let crate::Node::NAry(op, operands) = self.node(expr) else { return None };
        if !op.is_min_max() || op == NAry::UMinSeq {
            return None;
        }
        let inner: Option<Operands> = operands.iter().map(|e| self.as_not(*e)).collect();
        let inner = inner?;
        Some(self.min_max(op.opposite(), &inner))
    }
    /// `x` if `expr` is `-1 - x`.
    fn as_not(&mut self, expr: Expr) -> Option<Expr> {
        if let Some(value) = self.as_constant(expr) {
            return Some(self.constant(value.not()));
        }
        let [minus_one, negated] = **self.arena.as_nary(NAry::Add, expr)? else { return None };
        let (coefficient, base) = self.split_coefficient(negated);
        let is_not = self.as_constant(minus_one).is_some_and(Int::is_all_ones) && coefficient.is_all_ones();
        is_not.then_some(base)
    }
}
