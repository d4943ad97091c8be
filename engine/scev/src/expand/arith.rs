//! Expansion of sums, products, quotients, minima and maxima.
//!
//! Operands that are available furthest outside of loops are combined first, so that the result can be hoisted.
//! Constants follow the operands whose addressing mode or immediate operand can absorb them.

use super::build::{Built, Key, Planner};
use super::plan::{Callee, Chain, Op, Operand};
use super::{Divisions, MinMax, Obstacle};
use crate::expr::{Expr, NAry};
use crate::facts::Flags;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryFlags, BinaryOp, GepFlags, IntPredicate};
use backedge_ir::int::Int;
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// A term of a sum.
#[derive(Copy, Clone)]
struct Term {
    built: Built,
    expr: Expr,
    is_negated: bool,
    level: usize,
}

impl Term {
    fn is_constant(&self) -> bool {
        matches!(self.built.operand, Operand::Int(_))
    }
}

/// The partial sum so far.
type Sum = Option<Operand>;

/// Sums and products.
impl Planner<'_, '_> {
    /// `x` if `expr` is `-1 * x`.
    pub(super) fn negated(&self, expr: Expr) -> Option<Expr> {
        match self.scev.arena.as_nary(NAry::Mul, expr).map(|o| &o[..]) {
            Some([c, x]) if self.scev.as_constant(*c).is_some_and(Int::is_all_ones) => Some(*x),
            _ => None,
        }
    }
    /// `op` on two operands for use at `anchor`, with those flags of `wanted` that are facts of `expr` at the
    /// instruction's block.
    fn binary(
        &mut self,
        (expr, anchor): Key,
        op: BinaryOp,
        operands: [Operand; 2],
        wanted: Flags,
    ) -> Operand {
        let place = self.place(anchor, &operands);
        let facts = self.scev.flags_at(expr, self.block_of(place)).and(wanted);
        let flags = BinaryFlags { nuw: facts.nuw(), nsw: facts.nsw(), ..BinaryFlags::default() };
        let ty = Type::int(self.scev.width(expr));
        self.step_at(place, ty, Op::Binary(op, flags, operands))
    }
    /// Whether instructions for `expr` may get flags.
    pub(super) fn may_be_flagged(&self, (expr, anchor): Key) -> bool {
        !self.scev.flags_at(expr, self.block_of(anchor)).is_empty()
    }
    fn place(&mut self, anchor: Inst, operands: &[Operand]) -> Inst {
        let chain = self.chain(anchor);
        chain[if self.options.hoist { self.level(operands, &chain) } else { 0 }]
    }
    fn terms(&self, parts: &[(Key, bool)], chain: &Chain) -> SmallVec<[Term; 4]> {
        let term = |(key, is_negated): &(Key, bool)| {
            let built = self.built(*key);
            let level = self.level(&[built.operand], chain);
            Term { built, expr: key.0, is_negated: *is_negated, level }
        };
        let mut terms: SmallVec<[Term; 4]> = parts.iter().map(term).collect();
        // Constants are available everywhere: place them after the terms that are available furthest outside.
        let furthest = terms.iter().filter(|t| !t.is_constant()).map(|t| t.level).max().unwrap_or(0);
        for term in terms.iter_mut().filter(|t| t.is_constant()) {
            term.level = furthest;
        }
        terms.sort_by_key(|t| (std::cmp::Reverse(t.level), t.is_constant(), t.is_negated));
        terms
    }

    pub(super) fn sum(&mut self, expr: Expr, parts: &[(Key, bool)], anchor: Inst) -> Built {
        let chain = self.chain(anchor);
        let terms = self.terms(parts, &chain);
        let built: SmallVec<[Built; 4]> = terms.iter().map(|t| t.built).collect();
        let pointer = terms.iter().position(|t| self.scev.arena.ty(t.expr).is_pointer());
        let key = (expr, anchor);
        let operand = match pointer {
            None => self.sum_of(key, &terms),
            Some(at) => self.address(key, &terms, at),
        };
        let flagged = self.may_be_flagged(key) || parts.iter().any(|(_, is_negated)| *is_negated);
        let of = Built::of(operand, &built);
        Built { flagged: of.flagged || flagged, ..of }
    }
    /// The sum of some integer terms of `key`, which may be a pointer.
    fn sum_of(&mut self, key: Key, terms: &[Term]) -> Operand {
        let mut terms: SmallVec<[Term; 4]> = SmallVec::from_slice(terms);
        if terms[0].is_negated {
            // Start with a term to subtract from.
            let first =
                terms.iter().position(|t| t.is_constant()).or(terms.iter().position(|t| !t.is_negated));
            if let Some(first) = first {
                let first = terms.remove(first);
                terms.insert(0, first);
            }
        }
        let mut sum: Sum = None;
        for term in terms {
            let operand = term.built.operand;
            sum = Some(match (sum, term.is_negated) {
                (None, false) => operand,
                (None, true) => {
                    let zero = Operand::Int(Int::zero(self.scev.width(key.0)));
                    let exact = self.is_negated_exactly(term.expr);
                    self.subtraction(key.1, [zero, operand], exact)
                }
                (Some(sum), true) => {
                    let exact = self.is_negated_exactly(term.expr);
                    let wanted = if exact { Flags::NSW } else { Flags::NONE };
                    self.binary(key, BinaryOp::Sub, [sum, operand], wanted)
                }
                (Some(sum), false) => self.binary(key, BinaryOp::Add, [sum, operand], Flags::BOTH),
            });
        }
        sum.expect("a sum of something")
    }
    fn subtraction(&mut self, anchor: Inst, operands: [Operand; 2], nsw: bool) -> Operand {
        let Operand::Int(zero) = operands[0] else { unreachable!("from zero") };
        let flags = BinaryFlags { nsw, ..BinaryFlags::default() };
        self.step(anchor, Type::int(zero.width()), Op::Binary(BinaryOp::Sub, flags, operands))
    }
    /// Whether `-expr` does not overflow as signed, whenever `expr` is defined.
    fn is_negated_exactly(&mut self, expr: Expr) -> bool {
        let least = Int::signed_min(self.scev.width(expr));
        !self.scev.signed_range(expr).contains(least)
    }
    /// A pointer plus its offsets: first the offsets that are available as far outside as the pointer.
    fn address(&mut self, key: Key, terms: &[Term], at: usize) -> Operand {
        let pointer = terms[at];
        let others = terms.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, t)| *t);
        let (outside, inside): (SmallVec<[Term; 4]>, SmallVec<[Term; 4]>) =
            others.partition(|t| t.level >= pointer.level);
        let mut address = pointer.built.operand;
        for offsets in [outside, inside].iter().filter(|o| !o.is_empty()) {
            let offset = self.sum_of(key, offsets);
            let operands = [address, offset];
            let place = self.place(key.1, &operands);
            let nuw = self.scev.flags_at(key.0, self.block_of(place)).nuw();
            let flags = GepFlags { nuw, ..GepFlags::default() };
            address = self.step_at(place, self.ir_type(key.0), Op::Offset(operands, flags));
        }
        address
    }

    pub(super) fn product(&mut self, expr: Expr, keys: &[Key], anchor: Inst) -> Built {
        let chain = self.chain(anchor);
        let parts: SmallVec<[(Key, bool); 4]> = keys.iter().map(|k| (*k, false)).collect();
        let terms = self.terms(&parts, &chain);
        let built: SmallVec<[Built; 4]> = terms.iter().map(|t| t.built).collect();
        let key = (expr, anchor);
        let mut product = terms[0].built.operand;
        for term in &terms[1..] {
            let by = term.built.operand;
            product = match by {
                Operand::Int(c) if c.is_all_ones() => {
                    let zero = Operand::Int(Int::zero(c.width()));
                    self.binary(key, BinaryOp::Sub, [zero, product], Flags::NSW)
                }
                Operand::Int(c) if c.is_power_of_two() => {
                    let amount = c.trailing_zeros();
                    // As a factor, the sign bit is negative; as a shift amount, it denotes a positive factor, so
                    // `nsw` does not carry over.
                    let wanted = if amount + 1 == c.width() { Flags::NUW } else { Flags::BOTH };
                    let amount = Operand::Int(Int::new(c.width(), u128::from(amount)));
                    self.binary(key, BinaryOp::Shl, [product, amount], wanted)
                }
                _ => self.binary(key, BinaryOp::Mul, [product, by], Flags::BOTH),
            };
        }
        let of = Built::of(product, &built);
        Built { flagged: of.flagged || self.may_be_flagged(key), ..of }
    }
}

/// Quotients.
impl Planner<'_, '_> {
    pub(super) fn quotient(
        &mut self,
        expr: Expr,
        [left, right]: [Key; 2],
        anchor: Inst,
    ) -> Result<Built, Obstacle> {
        let (ty, l, r) = (self.ir_type(expr), self.built(left), self.built(right));
        let plain = BinaryFlags::default();
        if let Operand::Int(by) = r.operand {
            let (op, by) = match by.exact_log2() {
                Some(amount) => (BinaryOp::LShr, Int::new(by.width(), u128::from(amount))),
                None => (BinaryOp::UDiv, by),
            };
            if !by.is_zero() || op == BinaryOp::LShr {
                let operand = self.step(anchor, ty, Op::Binary(op, plain, [l.operand, Operand::Int(by)]));
                return Ok(Built::of(operand, &[l]));
            }
        }
        let op = Op::Binary(BinaryOp::UDiv, plain, [l.operand, r.operand]);
        if let Some(place) = self.place_of_division(right.0, r, &op, anchor) {
            return Ok(Built::of(self.step_at(place, ty, op), &[l, r]));
        }
        if self.options.divisions == Divisions::Certain {
            return Err(Obstacle::Division(expr));
        }
        let divisor = if r.undefined || r.flagged { self.freeze(r.operand, ty, anchor) } else { r.operand };
        let one = Operand::Int(Int::one(self.scev.width(expr)));
        let divisor = self.least_or_greatest(right.0, NAry::UMax, [divisor, one], anchor);
        let operand = self.step(anchor, ty, Op::Binary(BinaryOp::UDiv, plain, [l.operand, divisor]));
        Ok(Built { guarded: true, ..Built::of(operand, &[l]) })
    }
    /// The outermost place at which the divisor `right` of `op` is known to be defined and nonzero.
    fn place_of_division(&mut self, right: Expr, built: Built, op: &Op, anchor: Inst) -> Option<Inst> {
        if built.guarded {
            // The value of a guarded quotient is unknown.
            return None;
        }
        let chain = self.chain(anchor);
        let level = if self.options.hoist { self.level(op.operands(), &chain) } else { 0 };
        let zero = self.scev.int(self.scev.width(right), 0);
        chain[..=level].iter().rev().copied().find(|place| {
            self.has_defined_leaves(right, *place)
                && self.scev.is_known_at(IntPredicate::Ne, right, zero, self.block_of(*place))
        })
    }
}

/// Minima and maxima.
impl Planner<'_, '_> {
    /// The intrinsic for `op` on operands with the type of `expr`, if wanted and declared.
    pub(super) fn intrinsic(&self, op: NAry, expr: Expr) -> Option<Callee> {
        let ty = self.scev.arena.ty(expr);
        if ty.is_pointer() || self.options.min_max == MinMax::Compare {
            return None;
        }
        let name = match op {
            NAry::UMax => "umax",
            NAry::SMax => "smax",
            NAry::UMin | NAry::UMinSeq => "umin",
            NAry::SMin => "smin",
            NAry::Add | NAry::Mul => return None,
        };
        let env: &Env = self.scev.at.env;
        let func = env.func_named(&format!("llvm.{name}.i{}", ty.width))?;
        let declared = &env.funcs[func];
        declared.intrinsic?;
        let address = Type::ptr(declared.addrspace);
        Some(Callee { func, fn_ty: declared.ty, address })
    }
    /// `op` on two operands with the type of `expr`. Without an intrinsic, each operand is used twice.
    fn least_or_greatest(&mut self, expr: Expr, op: NAry, operands: [Operand; 2], anchor: Inst) -> Operand {
        let ty = self.ir_type(expr);
        if let Some(callee) = self.intrinsic(op, expr) {
            return self.step(anchor, ty, Op::Call(callee, operands));
        }
        let pred = match op {
            NAry::UMax => IntPredicate::Ugt,
            NAry::SMax => IntPredicate::Sgt,
            NAry::SMin => IntPredicate::Slt,
            NAry::UMin | NAry::UMinSeq | NAry::Add | NAry::Mul => IntPredicate::Ult,
        };
        let condition = self.step(anchor, Type::I1, Op::Compare(pred, operands));
        self.step(anchor, ty, Op::Select([condition, operands[0], operands[1]]))
    }
    pub(super) fn min_max(&mut self, expr: Expr, op: NAry, keys: &[Key], anchor: Inst) -> Built {
        let parts = self.parts_of(keys);
        let chain = self.chain(anchor);
        let mut all: SmallVec<[Built; 4]> = parts;
        if op == NAry::UMinSeq {
            // Poison after a zero operand must not spread. If no earlier operand is zero, the whole expression is
            // poison.
            for later in all.iter_mut().skip(1).filter(|p| p.undefined || p.flagged) {
                later.operand = self.freeze(later.operand, self.ir_type(expr), anchor);
                (later.undefined, later.flagged) = (false, false);
            }
        } else {
            let level = |p: &Built| self.level(&[p.operand], &chain);
            let is_constant = |p: &Built| matches!(p.operand, Operand::Int(_));
            all.sort_by_cached_key(|p| (is_constant(p), std::cmp::Reverse(level(p))));
        }
        let mut result = all[0].operand;
        for next in &all[1..] {
            result = self.least_or_greatest(expr, op, [result, next.operand], anchor);
        }
        Built::of(result, &all)
    }
}
