//! Identities of `and`, `or` and `xor`. Each is tried with the operands in both orders.

use super::{Rules, Simple};
use backedge_ir::inst::{BinaryOp, Value};
use backedge_ir::types::Type;

impl Rules<'_> {
    pub(super) fn and(self, ty: Type, a: Value, b: Value) -> Option<Simple> {
        if a == b || self.is_all_ones(b) {
            return Some(a.into());
        }
        if self.is_zero(b) || self.is_complement(a, b) {
            return self.small(ty, 0);
        }
        // (b | y) & b.
        if self.other_operand(a, BinaryOp::Or, b).is_some() {
            return Some(b.into());
        }
        // (b & y) & b.
        self.other_operand(a, BinaryOp::And, b).map(|_| a.into())
    }
    pub(super) fn or(self, ty: Type, a: Value, b: Value) -> Option<Simple> {
        if a == b || self.is_zero(b) {
            return Some(a.into());
        }
        if self.is_all_ones(b) || self.is_complement(a, b) {
            return self.small(ty, -1);
        }
        // (b & y) | b.
        if self.other_operand(a, BinaryOp::And, b).is_some() {
            return Some(b.into());
        }
        // (b | y) | b.
        self.other_operand(a, BinaryOp::Or, b).map(|_| a.into())
    }
    pub(super) fn xor(self, ty: Type, a: Value, b: Value) -> Option<Simple> {
        if a == b {
            return self.small(ty, 0);
        }
        if self.is_zero(b) {
            return Some(a.into());
        }
        if self.is_complement(a, b) {
            return self.small(ty, -1);
        }
        // (b ^ y) ^ b.
        self.other_operand(a, BinaryOp::Xor, b).map(|(y, _)| y.into())
    }
}
