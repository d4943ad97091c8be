//! The canonical form of each operation: what builds expressions.
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, ExprType, NAry, Node};
use crate::facts::Flags;
use backedge_analysis::LoopId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Results of folding that cost much.
#[derive(Debug, Default)]
pub(crate) struct FoldCache {
    pub(crate) casts: FxHashMap<(Cast, Expr, u32), (u64, Expr)>,
}

impl ScalarEvolution<'_> {
    /// The sum of `operands`, at most one of which is a pointer.
    pub fn add(&mut self, operands: &[Expr]) -> Expr {
        self.add_flagged(operands, Flags::NONE)
    }
    /// The sum, of which `flags` are known in its defining scope.
    pub fn add_flagged(&mut self, operands: &[Expr], flags: Flags) -> Expr {
        let _ = flags;
        self.nary(NAry::Add, operands)
    }
    /// The product of `operands`.
    pub fn mul(&mut self, operands: &[Expr]) -> Expr {
        self.mul_flagged(operands, Flags::NONE)
    }
    /// The product, of which `flags` are known in its defining scope.
    pub fn mul_flagged(&mut self, operands: &[Expr], flags: Flags) -> Expr {
        let _ = flags;
        self.nary(NAry::Mul, operands)
    }
    fn nary(&mut self, op: NAry, operands: &[Expr]) -> Expr {
        if let [one] = operands {
            return *one;
        }
        let mut operands = operands.to_vec();
        crate::expr::sort_operands(&self.arena, &mut operands);
        let ty = operands.iter().map(|e| self.ty(*e)).max_by_key(|t| t.is_pointer()).expect("operands");
        self.arena.intern(Node::NAry(op, operands.into()), ty)
    }
    /// `left - right`. Of two pointers, their difference if it can be had without their common base.
    pub fn sub(&mut self, left: Expr, right: Expr) -> Expr {
        let negated = self.neg(right);
        self.add(&[left, negated])
    }
    /// `0 - expr`.
    pub fn neg(&mut self, expr: Expr) -> Expr {
        let minus_one = self.int(self.width(expr), -1);
        self.mul(&[minus_one, expr])
    }
    /// `-1 - expr`.
    pub fn not(&mut self, expr: Expr) -> Expr {
        let minus_one = self.int(self.width(expr), -1);
        self.sub(minus_one, expr)
    }
    /// The quotient as unsigned.
    pub fn udiv(&mut self, left: Expr, right: Expr) -> Expr {
        let ty = self.ty(left);
        self.arena.intern(Node::UDiv([left, right]), ty)
    }
    /// The remainder as unsigned.
    pub fn urem(&mut self, left: Expr, right: Expr) -> Expr {
        let quotient = self.udiv(left, right);
        let product = self.mul(&[quotient, right]);
        self.sub(left, product)
    }
    fn cast(&mut self, cast: Cast, expr: Expr, width: u32) -> Expr {
        if width == self.width(expr) && cast != Cast::PtrToInt {
            return expr;
        }
        self.arena.intern(Node::Cast(cast, expr), ExprType::int(width))
    }
    /// The low `width` bits; `width` is at most that of `expr`.
    pub fn trunc(&mut self, expr: Expr, width: u32) -> Expr {
        self.cast(Cast::Trunc, expr, width)
    }
    /// `expr` with zeros above.
    pub fn zext(&mut self, expr: Expr, width: u32) -> Expr {
        self.cast(Cast::ZExt, expr, width)
    }
    /// `expr` with copies of its sign above.
    pub fn sext(&mut self, expr: Expr, width: u32) -> Expr {
        self.cast(Cast::SExt, expr, width)
    }
    /// [`Self::trunc`] or [`Self::zext`], whichever leads to `width`.
    pub fn trunc_or_zext(&mut self, expr: Expr, width: u32) -> Expr {
        if width < self.width(expr) { self.trunc(expr, width) } else { self.zext(expr, width) }
    }
    /// [`Self::trunc`] or [`Self::sext`], whichever leads to `width`.
    pub fn trunc_or_sext(&mut self, expr: Expr, width: u32) -> Expr {
        if width < self.width(expr) { self.trunc(expr, width) } else { self.sext(expr, width) }
    }
    /// The address of a pointer, in the width of its index type; of an integer, itself.
    pub fn ptr_to_int(&mut self, expr: Expr) -> Expr {
        if self.ty(expr).is_pointer() { self.cast(Cast::PtrToInt, expr, self.width(expr)) } else { expr }
    }
    /// A minimum or maximum. [`NAry::UMinSeq`] keeps the order of its operands.
    pub fn min_max(&mut self, op: NAry, operands: &[Expr]) -> Expr {
        self.nary(op, operands)
    }
    /// `{operands[0],+,operands[1],+,…}<l>`.
    pub fn add_rec(&mut self, l: LoopId, operands: &[Expr]) -> Expr {
        self.add_rec_flagged(l, operands, Flags::NONE)
    }
    /// The add recurrence, of which `flags` are known.
    pub fn add_rec_flagged(&mut self, l: LoopId, operands: &[Expr], flags: Flags) -> Expr {
        let ty = self.ty(operands[0]);
        let expr = self.arena.intern(Node::AddRec(l, Arc::from(operands)), ty);
        self.learn(expr, flags, crate::Scope::Defining);
        expr
    }
    /// What an add recurrence adds in each iteration: its operands but the first.
    pub fn step_of(&mut self, l: LoopId, operands: &[Expr]) -> Expr {
        if let [_, step] = operands { *step } else { self.add_rec(l, &operands[1..]) }
    }
}
