//! Differences and addresses of pointers.
//!
//! A pointer expression has one base: the pointer operand of a sum, the start of a recurrence, and so on down to an
//! expression of another kind. The difference of two pointers with one base is the difference of their offsets.

use super::Operands;
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, NAry, Node};
use crate::facts::Flags;
use backedge_ir::constant::ConstData;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;

impl ScalarEvolution<'_> {
    /// `left - right`; the subtraction is known not to wrap as `flags` say. For pointers, see [`Self::sub`].
    pub fn sub_flagged(&mut self, left: Expr, right: Expr, flags: Flags) -> Expr {
        if let Some(unknown) = self.trivial(&[left, right]).filter(|_| left != right) {
            return unknown;
        }
        let width = self.width(left);
        if left == right {
            return self.int(width, 0);
        }
        let (mut left, mut right, mut flags) = (left, right, flags);
        if self.ty(right).is_pointer() {
            if !self.ty(left).is_pointer() || self.pointer_base(left) != self.pointer_base(right) {
                return self.could_not_compute();
            }
            (left, right) = (self.without_base(left), self.without_base(right));
            flags = Flags::NONE;
        }
        // As signed, `-right` is exact unless `right` is the minimum. As unsigned, `-right` is far from the exact value
        // unless `right` is zero.
        let lowest = Int::signed_min(width);
        let exact_negation = !self.signed_range(right).contains(lowest);
        let exact_negation = flags.nsw() && (exact_negation || self.is_never_negative(left));
        let of_sum = if exact_negation { Flags::NSW } else { Flags::NONE };
        let negated = self.neg(right);
        self.add_flagged(&[left, negated], of_sum)
    }
    /// The base of a pointer expression.
    pub fn pointer_base(&self, expr: Expr) -> Expr {
        let mut base = expr;
        loop {
            let inner = match self.arena.node(base) {
                Node::AddRec(_, operands) => Some(operands[0]),
                Node::NAry(NAry::Add, operands) => {
                    operands.iter().copied().find(|e| self.ty(*e).is_pointer())
                }
                _ => None,
            };
            match inner.filter(|e| self.ty(*e).is_pointer()) {
                Some(inner) => base = inner,
                None => return base,
            }
        }
    }
    /// The offset of a pointer expression from its base, as an integer.
    pub fn without_base(&mut self, expr: Expr) -> Expr {
        // Peel from the outside inwards, then rebuild.
        let mut layers = Vec::new();
        let base = self.pointer_base(expr);
        let mut at = expr;
        while at != base {
            let node = self.node(at);
            let next = node.operands().iter().copied().find(|e| self.ty(*e).is_pointer());
            layers.push((at, node));
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        let mut rest = self.int(self.width(expr), 0);
        while let Some((of, node)) = layers.pop() {
            let mut operands: Operands = node.operands().into();
            if let Some(pointer) = operands.iter_mut().find(|e| self.arena.ty(**e).is_pointer()) {
                *pointer = rest;
            }
            rest = match node {
                Node::AddRec(l, _) => {
                    let nw = if self.flags(of).nw() { Flags::NW } else { Flags::NONE };
                    self.add_rec_flagged(l, &operands, nw)
                }
                _ => self.add(&operands),
            };
        }
        rest
    }

    /// The address of a pointer, in the width of its index type; an integer is returned unchanged. Non-integral
    /// pointers have none.
    pub fn ptr_to_int(&mut self, expr: Expr) -> Expr {
        if !self.ty(expr).is_pointer() || self.is_could_not_compute(expr) {
            return expr;
        }
        if self.ty(expr).space.is_some_and(|space| self.at.env.layout.is_non_integral(space)) {
            return self.could_not_compute();
        }
        let width = self.width(expr);
        self.cached_cast(Cast::PtrToInt, expr, width, |s| s.fold_ptr_to_int(expr))
    }
    fn fold_ptr_to_int(&mut self, expr: Expr) -> Expr {
        let node = self.node(expr);
        let flags = self.flags(expr);
        let width = self.width(expr);
        match node {
            Node::Unknown(value) if self.is_null(value) => self.int(width, 0),
            Node::NAry(op, operands) => {
                let operands: Operands = operands.iter().map(|e| self.ptr_to_int(*e)).collect();
                match op {
                    NAry::Add => self.add_flagged(&operands, flags),
                    NAry::Mul => self.mul_flagged(&operands, flags),
                    _ => self.min_max(op, &operands),
                }
            }
            Node::AddRec(l, operands) => {
                let operands: Operands = operands.iter().map(|e| self.ptr_to_int(*e)).collect();
                self.add_rec_flagged(l, &operands, flags)
            }
            _ => self.plain_cast(Cast::PtrToInt, expr, width),
        }
    }
    fn is_null(&self, value: Value) -> bool {
        match value {
            Value::Const(c) => self.at.body.constant(c).data == ConstData::Zero,
            _ => false,
        }
    }
}
