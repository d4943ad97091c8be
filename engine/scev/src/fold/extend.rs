//! Zero and sign extension.
//!
//! An extension moves inside operations that do not wrap. For a sum `c + x + …` that may wrap, the low bits of `c` in
//! which all other terms are zero can be added after the extension, since adding them produces no carry. The start of a
//! recurrence is extended with the facts that hold in its loop, because the recurrence has a value only after the loop
//! was entered.

use super::{Claims, Operands};
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, NAry, Node};
use crate::facts::{Flags, Scope};
use backedge_analysis::LoopId;
use backedge_ir::int::Int;

impl ScalarEvolution<'_> {
    /// Zero-extends `expr`; `width` is at least that of `expr`.
    pub fn zext(&mut self, expr: Expr, width: u32) -> Expr {
        self.extend(Cast::ZExt, expr, width)
    }
    /// Sign-extends `expr`; `width` is at least that of `expr`.
    pub fn sext(&mut self, expr: Expr, width: u32) -> Expr {
        self.extend(Cast::SExt, expr, width)
    }
    fn extend(&mut self, cast: Cast, expr: Expr, width: u32) -> Expr {
        if width == self.width(expr) || self.is_could_not_compute(expr) {
            return expr;
        }
        match *self.arena.node(expr) {
            Node::Constant(value) if cast == Cast::ZExt => self.constant(value.zext(width)),
            Node::Constant(value) => self.constant(value.sext(width)),
            Node::Cast(Cast::ZExt, inner) => self.zext(inner, width),
            Node::Cast(Cast::SExt, inner) if cast == Cast::SExt => self.sext(inner, width),
            _ => self.cached_cast(cast, expr, width, |s| {
                if cast == Cast::ZExt { s.fold_zext(expr, width) } else { s.fold_sext(expr, width) }
            }),
        }
    }

    fn fold_zext(&mut self, expr: Expr, width: u32) -> Expr {
        let folded = match self.node(expr) {
            Node::Cast(Cast::Trunc, inner) => {
                let fits = self
                    .unsigned_range(inner)
                    .unsigned_max()
                    .is_some_and(|most| !most.trunc_loses_unsigned(self.width(expr)));
                fits.then(|| self.trunc_or_zext(inner, width))
            }
            Node::NAry(op @ (NAry::Add | NAry::Mul), operands) => {
                self.extend_exact(Cast::ZExt, op, expr, &operands, width)
            }
            Node::NAry(op @ (NAry::UMin | NAry::UMax | NAry::UMinSeq), operands) => {
                let operands: Operands = operands.iter().map(|e| self.zext(*e, width)).collect();
                Some(self.min_max(op, &operands))
            }
            Node::UDiv([left, right]) => {
                let (left, right) = (self.zext(left, width), self.zext(right, width));
                Some(self.udiv(left, right))
            }
            Node::AddRec(l, operands) if operands.len() == 2 => {
                self.zext_add_rec(l, expr, [operands[0], operands[1]], width)
            }
            _ => None,
        };
        folded.unwrap_or_else(|| self.plain_cast(Cast::ZExt, expr, width))
    }
    fn fold_sext(&mut self, expr: Expr, width: u32) -> Expr {
        if self.is_never_negative(expr) {
            return self.zext(expr, width);
        }
        let folded = match self.node(expr) {
            Node::Cast(Cast::Trunc, inner) => {
                let range = self.signed_range(inner);
                let fits = |end: Option<Int>| end.is_some_and(|v| !v.trunc_loses_signed(self.width(expr)));
                let fits = fits(range.signed_min()) && fits(range.signed_max());
                fits.then(|| self.trunc_or_sext(inner, width))
            }
            Node::NAry(op @ (NAry::Add | NAry::Mul), operands) => {
                self.extend_exact(Cast::SExt, op, expr, &operands, width)
            }
            Node::NAry(op @ (NAry::SMin | NAry::SMax), operands) => {
                let operands: Operands = operands.iter().map(|e| self.sext(*e, width)).collect();
                Some(self.min_max(op, &operands))
            }
            Node::AddRec(l, operands) if operands.len() == 2 => {
                self.sext_add_rec(l, expr, [operands[0], operands[1]], width)
            }
            _ => None,
        };
        folded.unwrap_or_else(|| self.plain_cast(Cast::SExt, expr, width))
    }

    /// Extends a sum or product whose exact value is in range, operand by operand.
    fn extend_exact(
        &mut self,
        cast: Cast,
        op: NAry,
        expr: Expr,
        operands: &[Expr],
        width: u32,
    ) -> Option<Expr> {
        let (needed, gained) =
            if cast == Cast::ZExt { (Flags::NUW, Flags::BOTH) } else { (Flags::NSW, Flags::NSW) };
        if let Some(scope) = self.scope_of(expr, needed) {
            let operands: Operands = operands.iter().map(|e| self.extend(cast, *e, width)).collect();
            // Values in the narrow range are far from the ends of the wide type.
            return Some(match op {
                NAry::Add => self.add_claimed(&operands, Claims::new(gained, scope)),
                _ => self.mul_claimed(&operands, Claims::new(gained, scope)),
            });
        }
        match op {
            NAry::Add => self.extend_low_bits(cast, expr, operands, width),
            _ if cast == Cast::ZExt => self.zext_shifted_trunc(operands, width),
            _ => None,
        }
    }
    /// The scope in which `flags` of `expr` hold, if they hold in the current context.
    fn scope_of(&self, expr: Expr, flags: Flags) -> Option<Scope> {
        if self.flags(expr).contains(flags) {
            Some(Scope::Defining)
        } else {
            self.flags_here(expr).contains(flags).then(|| self.scope_here())
        }
    }
    /// The low bits of the constant `c` in which the other terms, multiples of `2^zeros`, are zero.
    fn free_low_bits(c: Int, zeros: u32) -> Option<Int> {
        let free = c.and(Int::low_ones(c.width(), zeros));
        // Not all bits of the type: the sign bit cannot be moved out.
        (!free.is_zero() && zeros < c.width()).then_some(free)
    }
    fn extend_low_bits(&mut self, cast: Cast, expr: Expr, operands: &[Expr], width: u32) -> Option<Expr> {
        let constant = self.as_constant(operands[0])?;
        let zeros = operands[1..].iter().map(|e| self.trailing_zeros(*e)).min()?;
        let low = Self::free_low_bits(constant, zeros)?;
        let minus_low = self.constant(low.neg());
        let rest = self.add(&[minus_low, expr]);
        Some(self.add_low_bits(cast, low, rest, width))
    }
    /// `low + extension of rest`; `rest` is a multiple of a power of two above `low`.
    fn add_low_bits(&mut self, cast: Cast, low: Int, rest: Expr, width: u32) -> Expr {
        let low = self.constant(low.zext(width));
        let rest = self.extend(cast, rest, width);
        self.add_flagged(&[low, rest], Flags::BOTH)
    }
    /// `zext(2^k * trunc(x))` as `2^k * zext(the remaining low bits of x)`.
    fn zext_shifted_trunc(&mut self, operands: &[Expr], width: u32) -> Option<Expr> {
        let [scale, truncated] = *operands else { return None };
        let (scale, inner) = (self.as_constant(scale)?, self.arena.as_cast(Cast::Trunc, truncated)?);
        let left = self.width(truncated) - scale.exact_log2()?;
        let low = self.trunc(inner, left);
        let low = self.zext(low, width);
        let scale = self.constant(scale.zext(width));
        Some(self.mul_flagged(&[scale, low], Flags::NUW))
    }

    fn zext_add_rec(&mut self, l: LoopId, expr: Expr, [start, step]: [Expr; 2], width: u32) -> Option<Expr> {
        self.strengthen_add_rec(expr);
        if let Some(scope) = self.scope_of(expr, Flags::NUW) {
            let step = self.zext(step, width);
            return Some(self.extended_add_rec(Cast::ZExt, l, [start, step], Flags::BOTH, scope));
        }
        // Counts down without passing zero.
        let descends = self.is_always_negative(step)
            && (self.flags_here(expr).nsw() && self.is_never_negative(expr)
                || self.stays_above_zero(l, start, step));
        if descends {
            let scope = if self.flags(expr).nsw() { Scope::Defining } else { self.scope_here() };
            let step = self.sext(step, width);
            return Some(self.extended_add_rec(Cast::ZExt, l, [start, step], Flags::NSW, scope));
        }
        self.extend_low_start(Cast::ZExt, l, expr, [start, step], width)
    }
    fn sext_add_rec(&mut self, l: LoopId, expr: Expr, [start, step]: [Expr; 2], width: u32) -> Option<Expr> {
        self.strengthen_add_rec(expr);
        if let Some(scope) = self.scope_of(expr, Flags::NSW) {
            let step = self.sext(step, width);
            return Some(self.extended_add_rec(Cast::SExt, l, [start, step], Flags::NSW, scope));
        }
        self.extend_low_start(Cast::SExt, l, expr, [start, step], width)
    }
    /// The recurrence of the extended start and an already extended step.
    fn extended_add_rec(
        &mut self,
        cast: Cast,
        l: LoopId,
        [start, step]: [Expr; 2],
        flags: Flags,
        scope: Scope,
    ) -> Expr {
        let (header, width) = (self.header(l), self.width(step));
        let start = self.within(Some(header), |s| s.extend(cast, start, width));
        let operands = [start, step];
        let rec = self.add_rec(l, &operands);
        if self.is_add_rec_of(rec, l, &operands) {
            self.learn(rec, flags, scope);
            self.strengthen_add_rec(rec);
        }
        rec
    }
    /// Extends `{c,+,step}` after moving out the low bits of `c` that the steps do not change.
    fn extend_low_start(
        &mut self,
        cast: Cast,
        l: LoopId,
        expr: Expr,
        [start, step]: [Expr; 2],
        width: u32,
    ) -> Option<Expr> {
        let zeros = self.trailing_zeros(step);
        let constant = self.as_constant(start)?;
        let low = Self::free_low_bits(constant, zeros)?;
        let start = self.constant(constant.sub(low));
        let nw = if self.flags(expr).nw() { Flags::NW } else { Flags::NONE };
        let rest = self.add_rec_flagged(l, &[start, step], nw);
        Some(self.add_low_bits(cast, low, rest, width))
    }
    /// Whether `start`, as unsigned, is at least the total distance of the negative steps, given the known maximum
    /// count of the loop.
    fn stays_above_zero(&mut self, l: LoopId, start: Expr, step: Expr) -> bool {
        let Some(most) = self.counts.of.get(&l).and_then(|c| self.as_constant(c.constant_max)) else {
            return false;
        };
        let width = self.width(start);
        let (Some(lowest), Some(least)) =
            (self.unsigned_range(start).unsigned_min(), self.signed_range(step).signed_min())
        else {
            return false;
        };
        if most.width() > width && most.trunc_loses_unsigned(width) {
            return false;
        }
        let most = if most.width() > width { most.trunc(width) } else { most.zext(width) };
        let far = least.abs();
        !far.mul_overflows_unsigned(most) && far.mul(most).ule(lowest)
    }
}
