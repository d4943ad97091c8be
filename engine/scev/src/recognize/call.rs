//! Integer arithmetic intrinsics.

use crate::ScalarEvolution;
use crate::expr::{Expr, NAry};
use backedge_ir::inst::Value;
use backedge_ir::intrinsic::Intrinsic;

impl ScalarEvolution<'_> {
    pub(super) fn recognized_intrinsic(&mut self, intrinsic: Intrinsic, operands: &[Value]) -> Option<Expr> {
        let &[left, right] = operands else { return None };
        let l = self.operand(left);
        if intrinsic == Intrinsic::Abs {
            return Some(self.absolute(l));
        }
        let r = self.operand(right);
        match intrinsic {
            Intrinsic::UMin => Some(self.min_max(NAry::UMin, &[l, r])),
            Intrinsic::UMax => Some(self.min_max(NAry::UMax, &[l, r])),
            Intrinsic::SMin => Some(self.min_max(NAry::SMin, &[l, r])),
            Intrinsic::SMax => Some(self.min_max(NAry::SMax, &[l, r])),
            Intrinsic::USubSat => Some(self.saturating_sub(l, r)),
            Intrinsic::UAddSat => Some(self.saturating_add(l, r)),
            _ => None,
        }
    }
    /// The signed maximum of `x` and `-x`.
    fn absolute(&mut self, x: Expr) -> Expr {
        let negated = self.neg(x);
        self.min_max(NAry::SMax, &[x, negated])
    }
}
