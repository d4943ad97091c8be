//! Selects, phis and freezes.

use super::{Rules, Simple};
use backedge_ir::constant::ConstData;
use backedge_ir::inst::{InstData, InstKind, IntPredicate, Value};

impl Rules<'_> {
    pub(super) fn select(self, condition: Value, a: Value, b: Value) -> Option<Simple> {
        let ty = self.body.ty(a);
        if let Some(c) = self.int(condition) {
            return Some(if c.is_zero() { b } else { a }.into());
        }
        if self.is_poison(condition) {
            return Some(Simple::Poison(ty));
        }
        // Poison may be refined to the other choice.
        if a == b || self.is_poison(b) {
            return Some(a.into());
        }
        if self.is_poison(a) || self.is_undef(condition) {
            return Some(b.into());
        }
        if self.body.ty(condition) == ty {
            // c ? true : false, c ? c : false, c ? true : c.
            let (is_true, is_false) = (|v| self.is_one(v), |v| self.is_zero(v));
            if (a == condition || is_true(a)) && (b == condition || is_false(b)) {
                return Some(condition.into());
            }
        }
        self.equal_or_not(condition, a, b)
    }
    /// `x == y ? x : y`, which is `y`, and the like. Of integers only: equal pointers may have different provenance.
    fn equal_or_not(self, condition: Value, a: Value, b: Value) -> Option<Simple> {
        let data = self.data(condition)?;
        let (InstKind::ICmp { pred, .. }, &[x, y]) = (&data.kind, data.operands.as_slice()) else {
            return None;
        };
        let same = (x == a && y == b) || (x == b && y == a);
        if !same || self.env.types.scalar(self.body.ty(x)).int_bits().is_none() {
            return None;
        }
        match pred {
            IntPredicate::Eq => Some(b.into()),
            IntPredicate::Ne => Some(a.into()),
            _ => None,
        }
    }
    /// A phi with a single incoming value, which is available at the start of its block: every path to the block uses
    /// an edge on which the value is available, and the phi keeps it from the first such edge on.
    pub(super) fn phi(self, data: &InstData) -> Option<Simple> {
        let same_phi = |v: Value| self.data(v).is_some_and(|of| std::ptr::eq(of, data));
        let mut others = data.operands.iter().copied().filter(|v| !same_phi(*v));
        let value = others.next()?;
        others.all(|v| v == value).then_some(value.into())
    }
    pub(super) fn freeze(self, a: Value) -> Option<Simple> {
        if let Some(data) = self.data(a) {
            return matches!(data.kind, InstKind::Freeze).then_some(a.into());
        }
        match &self.body.constant(a.as_const()?).data {
            // Choose one value for all uses.
            ConstData::Undef | ConstData::Poison => Some(Simple::Null(self.body.ty(a))),
            ConstData::Int(_)
            | ConstData::Float(_)
            | ConstData::Zero
            | ConstData::Bytes(_)
            | ConstData::Global(_)
            | ConstData::BlockAddress(_) => Some(a.into()),
            ConstData::Splat(element) => self.body.consts().as_int(*element).map(|_| a.into()),
            ConstData::Aggregate(_) | ConstData::Expr(_) | ConstData::Metadata(_) => None,
        }
    }
}
