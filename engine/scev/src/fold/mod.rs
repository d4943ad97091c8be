//! Folding: builds expressions in the canonical form of each operation.
//!
//! Requires that the operands of an operation have one width, and that at most one operand of a sum is a pointer.
//! Guarantees: whenever the operation is defined on the operands (no leaf that matters is poison, no divisor is zero),
//! the result is defined and equals the operation. The result does not depend on the order of the operands, except for
//! `umin_seq`. If an operand is [`Node::CouldNotCompute`], so is the result.
//!
//! Forms: sums and products are flat, with at most one constant, which comes first. Like terms of a sum are merged into
//! one with a constant coefficient. Values that are invariant in the loop of an add recurrence become part of the
//! recurrence. Casts are moved inwards as far as facts permit. The forms are those of LLVM's `ScalarEvolution`; sums
//! are folded by collecting terms with coefficients.
//!
//! [`crate::Limits`] bounds the work: above a limit, the operation is left unfolded.
//!
//! | file | folds |
//! |---|---|
//! | `claims` | nothing: tracks wrap flags during folding |
//! | `add`, `terms` | sums: like terms, common factors; add recurrences in sums |
//! | `mul` | products |
//! | `div` | unsigned quotients and remainders |
//! | `trunc`, `extend` | casts |
//! | `pointer` | differences and addresses of pointers |
//! | `min_max`, `sequential` | minima and maxima |
//! | `add_rec` | add recurrences |
//! | `strengthen` | nothing: derives flags from ranges |

mod add;
mod add_rec;
mod claims;
mod div;
mod extend;
mod min_max;
mod mul;
mod pointer;
mod sequential;
mod strengthen;
mod terms;
mod trunc;

use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, ExprType, NAry, Node, sort_operands};
use crate::facts::{Flags, Scope};
use backedge_ir::entity::Block;
use backedge_ir::int::Int;
use claims::Claims;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A list of operands.
type Operands = SmallVec<[Expr; 8]>;

/// The context in which a cast is built, the cast, its operand, and the width of the result.
type CastKey = (Option<Block>, Cast, Expr, u32);

/// Results of expensive folds, and the current folding depth.
#[derive(Debug, Default)]
pub(crate) struct FoldCache {
    /// Results of casts, each with the top-level operation and the epoch of facts in which it was computed.
    casts: FxHashMap<CastKey, (u64, u64, Expr)>,
    /// Expressions left unfolded because of a limit.
    unfolded: FxHashSet<Expr>,
    depth: u32,
    /// The number of the current top-level operation.
    operation: u64,
}

impl ScalarEvolution<'_> {
    /// The sum of `operands`, at most one of which is a pointer.
    pub fn add(&mut self, operands: &[Expr]) -> Expr {
        self.add_flagged(operands, Flags::NONE)
    }
    /// The sum; `flags` must hold in its defining scope, in the strong form of P1 of docs/semantics.md.
    pub fn add_flagged(&mut self, operands: &[Expr], flags: Flags) -> Expr {
        self.add_claimed(operands, Claims::new(flags, Scope::Defining))
    }
    /// The sum; `flags` must follow from facts in the current context.
    pub(crate) fn add_flagged_here(&mut self, operands: &[Expr], flags: Flags) -> Expr {
        self.add_claimed(operands, Claims::new(flags, self.scope_here()))
    }
    fn add_claimed(&mut self, operands: &[Expr], claims: Claims) -> Expr {
        if let Some(short) = self.trivial(operands) {
            return short;
        }
        self.guarded(|s| s.fold_sum(operands, claims), |s| s.unfolded(NAry::Add, operands))
    }
    /// The product of `operands`.
    pub fn mul(&mut self, operands: &[Expr]) -> Expr {
        self.mul_flagged(operands, Flags::NONE)
    }
    /// The product; `flags` must hold in its defining scope, in the strong form of P1 of docs/semantics.md.
    pub fn mul_flagged(&mut self, operands: &[Expr], flags: Flags) -> Expr {
        self.mul_claimed(operands, Claims::new(flags, Scope::Defining))
    }
    /// The product; `flags` must follow from facts in the current context.
    pub(crate) fn mul_flagged_here(&mut self, operands: &[Expr], flags: Flags) -> Expr {
        self.mul_claimed(operands, Claims::new(flags, self.scope_here()))
    }
    fn mul_claimed(&mut self, operands: &[Expr], claims: Claims) -> Expr {
        if let Some(short) = self.trivial(operands) {
            return short;
        }
        self.guarded(|s| s.fold_product(operands, claims), |s| s.unfolded(NAry::Mul, operands))
    }
    /// A minimum or maximum. [`NAry::UMinSeq`] keeps the order of its operands.
    pub fn min_max(&mut self, op: NAry, operands: &[Expr]) -> Expr {
        if let Some(short) = self.trivial(operands) {
            return short;
        }
        let plain = |s: &mut Self| s.unfolded(op, operands);
        if op == NAry::UMinSeq {
            self.guarded(|s| s.fold_sequential(operands), plain)
        } else {
            self.guarded(|s| s.fold_min_max(op, operands), plain)
        }
    }
    /// `left - right`. For two pointers, their difference if they have a common base that cancels, otherwise
    /// [`Node::CouldNotCompute`].
    pub fn sub(&mut self, left: Expr, right: Expr) -> Expr {
        self.sub_flagged(left, right, Flags::NONE)
    }
    /// `0 - expr`.
    pub fn neg(&mut self, expr: Expr) -> Expr {
        if self.is_could_not_compute(expr) {
            return expr;
        }
        let minus_one = self.int(self.width(expr), -1);
        self.mul(&[minus_one, expr])
    }
    /// `-1 - expr`. For a minimum or maximum of such complements, the opposite operation on the inner values.
    pub fn not(&mut self, expr: Expr) -> Expr {
        if self.is_could_not_compute(expr) {
            return expr;
        }
        if let Some(opposite) = self.not_of_min_max(expr) {
            return opposite;
        }
        let minus_one = self.int(self.width(expr), -1);
        self.sub(minus_one, expr)
    }
    /// [`Self::trunc`] or [`Self::zext`], whichever converts to `width`.
    pub fn trunc_or_zext(&mut self, expr: Expr, width: u32) -> Expr {
        if width < self.width(expr) { self.trunc(expr, width) } else { self.zext(expr, width) }
    }
    /// [`Self::trunc`] or [`Self::sext`], whichever converts to `width`.
    pub fn trunc_or_sext(&mut self, expr: Expr, width: u32) -> Expr {
        if width < self.width(expr) { self.trunc(expr, width) } else { self.sext(expr, width) }
    }

    /// The trivial result for a single operand, or if an operand could not be computed.
    fn trivial(&self, operands: &[Expr]) -> Option<Expr> {
        if let [one] = operands {
            return Some(*one);
        }
        operands.iter().copied().find(|e| self.is_could_not_compute(*e))
    }
    /// Folds one level deeper, or calls `plain` if the depth limit is reached.
    fn guarded(
        &mut self,
        fold: impl FnOnce(&mut Self) -> Expr,
        plain: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        if self.folds.depth >= self.limits.fold_depth {
            return plain(self);
        }
        self.begin_operation();
        self.folds.depth += 1;
        let result = fold(self);
        self.folds.depth -= 1;
        result
    }
    /// Starts a new top-level operation, unless folding is nested.
    fn begin_operation(&mut self) {
        self.folds.operation += u64::from(self.folds.depth == 0);
    }
    /// The operation without folding, in canonical order.
    fn unfolded(&mut self, op: NAry, operands: &[Expr]) -> Expr {
        let known = self.arena.len();
        let expr = self.intern_nary(op, operands.into());
        if self.arena.len() > known {
            self.folds.unfolded.insert(expr);
        }
        expr
    }
    /// The node with two or more operands.
    fn intern_nary(&mut self, op: NAry, mut operands: Operands) -> Expr {
        if op != NAry::UMinSeq {
            sort_operands(&self.arena, &mut operands);
        }
        let ty = self.type_of(&operands);
        self.arena.intern(Node::NAry(op, operands.as_slice().into()), ty)
    }
    /// The expression with this node, if it exists as a result of folding.
    fn lookup_nary(&self, op: NAry, operands: &[Expr]) -> Option<Expr> {
        let found = self.arena.lookup(Node::NAry(op, operands.into()), self.type_of(operands))?;
        (!self.folds.unfolded.contains(&found)).then_some(found)
    }
    /// The type of an operation on `operands`: the pointer type, if there is a pointer.
    fn type_of(&self, operands: &[Expr]) -> ExprType {
        operands.iter().map(|e| self.ty(*e)).max_by_key(|t| t.is_pointer()).expect("operands")
    }
    /// Whether any of `operands` exceeds the size limit of folding.
    fn too_large(&self, operands: &[Expr]) -> bool {
        operands.iter().any(|e| self.arena.size(*e) > self.limits.expr_size)
    }
    /// The constant `value` in the type of `expr`.
    fn constant_like(&mut self, expr: Expr, value: i128) -> Expr {
        self.int(self.width(expr), value)
    }
    /// Whether `expr` is the constant 0.
    fn is_zero(&self, expr: Expr) -> bool {
        self.as_constant(expr).is_some_and(Int::is_zero)
    }
}
