//! Conversions.
//!
//! An extension is never more defined than its operand. If the operand is a sum that is poison if it wraps, then the
//! extension, where it is not poison, is the sum of the extended operands, whether or not poison would be UB. The same
//! holds for a recurrence: its value is not poison only if no earlier step wrapped.

use super::operation::{Operation, binary_of};
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, Node};
use crate::facts::Flags;
use backedge_ir::inst::{CastFlags, Value};
use backedge_ir::opcode::{BinaryOp, CastOp};

/// Limit on the depth, in operands, at which operands of an extended value are extended: bounds the recursion, in which
/// shared operands occur several times.
const DEPTH: u32 = 3;

impl ScalarEvolution<'_> {
    pub(super) fn cast_of(&mut self, value: Value, op: CastOp, flags: CastFlags, of: Value) -> Option<Expr> {
        let body = self.at.body;
        let (from, to) = (self.expr_type(body.ty(of))?, self.expr_type(body.ty(value))?);
        let expr = self.operand(of);
        match op {
            CastOp::Trunc => Some(self.trunc(expr, to.width)),
            CastOp::ZExt if flags.nneg => Some(self.either_extension(value, of, to.width)),
            CastOp::ZExt => Some(self.extension(value, of, Cast::ZExt, to.width)),
            CastOp::SExt => Some(self.extension(value, of, Cast::SExt, to.width)),
            CastOp::PtrToInt | CastOp::PtrToAddr => {
                if self.at.env.layout.is_non_integral(from.space?) {
                    return None;
                }
                let layout = self.at.env.layout.pointer(from.space?);
                // Pointer bits beyond the index bits are unknown.
                if to.width > from.width && layout.bits != from.width {
                    return None;
                }
                let address = self.ptr_to_int(expr);
                Some(self.trunc_or_zext(address, to.width))
            }
            CastOp::BitCast => (from == to).then_some(expr),
            CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp
            | CastOp::IntToPtr
            | CastOp::AddrSpaceCast => None,
        }
    }

    fn convert(&mut self, cast: Cast, expr: Expr, width: u32) -> Expr {
        if cast == Cast::SExt { self.sext(expr, width) } else { self.zext(expr, width) }
    }
    /// For a non-negative value, both extensions are correct.
    fn either_extension(&mut self, value: Value, of: Value, width: u32) -> Expr {
        let zero = self.extension(value, of, Cast::ZExt, width);
        if self.arena.as_cast(Cast::ZExt, zero).is_none() {
            return zero;
        }
        let signed = self.extension(value, of, Cast::SExt, width);
        if matches!(self.arena.node(signed), Node::AddRec(..)) {
            self.record(value, zero);
            signed
        } else {
            self.record(value, signed);
            zero
        }
    }
    /// The expression of `value`, which extends `of`.
    fn extension(&mut self, value: Value, of: Value, cast: Cast, width: u32) -> Expr {
        let expr = self.operand(of);
        let plain = self.convert(cast, expr, width);
        if !matches!(self.arena.node(plain), Node::Cast(c, _) if *c == cast) {
            return plain;
        }
        let Some(parts) = self.extended(of, cast, width, DEPTH) else { return plain };
        let is_difference = binary_of(self.at.body, of).is_some_and(|(op, ..)| op == BinaryOp::Sub);
        if is_difference || matches!(self.arena.node(parts), Node::AddRec(..)) {
            self.record(value, plain);
            parts
        } else {
            self.record(value, parts);
            plain
        }
    }
    /// `value` extended, where it is not poison, as an operation on its extended operands.
    fn extended(&mut self, value: Value, cast: Cast, width: u32, depth: u32) -> Option<Expr> {
        if depth == 0 {
            return None;
        }
        match self.operation(value) {
            Operation::Binary(op, flags, operands) => {
                let signed = cast == Cast::SExt;
                let exact = if signed { flags.nsw } else { flags.nuw };
                let is_or = op == BinaryOp::Or && flags.disjoint;
                if !exact && !is_or {
                    return None;
                }
                if op == BinaryOp::Shl {
                    return self.extended_shift(operands, cast, width, depth);
                }
                let l = self.extended_operand(operands[0], cast, width, depth)?;
                let r = self.extended_operand(operands[1], cast, width, depth)?;
                match op {
                    BinaryOp::Add | BinaryOp::Or => Some(self.add(&[l, r])),
                    BinaryOp::Sub => Some(self.sub(l, r)),
                    BinaryOp::Mul => Some(self.mul(&[l, r])),
                    _ => None,
                }
            }
            Operation::Header(phi) => {
                let flags = *self.values.phi_flags.get(&phi)?;
                let kind = if cast == Cast::SExt { Flags::NSW } else { Flags::NUW };
                let expr = self.found(value)?;
                let (l, operands) = self.arena.as_add_rec(expr)?;
                let &[start, step] = &operands[..] else { return None };
                if !flags.contains(kind) {
                    return None;
                }
                let [start, step] = [start, step].map(|e| self.convert(cast, e, width));
                Some(self.add_rec(l, &[start, step]))
            }
            _ => None,
        }
    }
    fn extended_shift(&mut self, [x, by]: [Value; 2], cast: Cast, width: u32, depth: u32) -> Option<Expr> {
        let amount = self.at.body.as_int(by)?;
        if amount.bits() >= u128::from(amount.width()) {
            return None;
        }
        let x = self.extended_operand(x, cast, width, depth)?;
        let factor = self.int(width, 1 << amount.bits());
        Some(self.mul(&[x, factor]))
    }
    fn extended_operand(&mut self, value: Value, cast: Cast, width: u32, depth: u32) -> Option<Expr> {
        let expr = self.found(value)?;
        let plain = self.convert(cast, expr, width);
        if matches!(self.arena.node(plain), Node::Cast(c, _) if *c == cast) {
            Some(self.extended(value, cast, width, depth - 1).unwrap_or(plain))
        } else {
            Some(plain)
        }
    }
}
