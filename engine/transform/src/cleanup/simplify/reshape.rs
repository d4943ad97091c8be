//! Casts that cancel, GEPs with zero offset, extraction of inserted elements, double negation.

use super::{Rules, Simple};
use crate::fold::with_overflow;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::Const;
use backedge_ir::inst::{CastFlags, CastOp, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::Type;

/// Maximum number of insertions traversed: bounds the time for one extraction from a long chain.
const MAX_INSERTIONS: usize = 16;

impl<'a> Rules<'a> {
    pub(super) fn cast(self, ty: Type, op: CastOp, _: CastFlags, a: Value) -> Option<Simple> {
        if self.is_poison(a) {
            return Some(Simple::Poison(ty));
        }
        if op == CastOp::BitCast && self.body.ty(a) == ty {
            return Some(a.into());
        }
        let inner = self.data(a)?;
        let (InstKind::Cast(before, _), &[x]) = (&inner.kind, inner.operands.as_slice()) else { return None };
        let back = matches!(
            (op, before),
            (CastOp::Trunc, CastOp::ZExt | CastOp::SExt) | (CastOp::BitCast, CastOp::BitCast)
        );
        (back && self.body.ty(x) == ty).then_some(x.into())
    }
    pub(super) fn fneg(self, a: Value) -> Option<Simple> {
        let inner = self.data(a)?;
        matches!(inner.kind, InstKind::FNeg(_)).then(|| inner.operands[0].into())
    }
    pub(super) fn gep(self, ty: Type, base: Value, indices: &[Value]) -> Option<Simple> {
        if self.is_poison(base) || indices.iter().any(|i| self.is_poison(*i)) {
            return Some(Simple::Poison(ty));
        }
        indices.iter().all(|i| self.is_zero(*i)).then_some(base.into())
    }
    pub(super) fn extract_value(self, ty: Type, aggregate: Value, path: &[u32]) -> Option<Simple> {
        let mut aggregate = aggregate;
        for _ in 0..MAX_INSERTIONS {
            if let Value::Const(c) = aggregate {
                return self.member(ty, c, path);
            }
            let data = self.data(aggregate)?;
            match &data.kind {
                InstKind::InsertValue(at) if **at == *path => return Some(data.operands[1].into()),
                // The paths are disjoint.
                InstKind::InsertValue(at) if at.iter().zip(path).any(|(a, b)| a != b) => {
                    aggregate = data.operands[0];
                }
                InstKind::Call(_) => return self.overflow_part(ty, aggregate, path),
                _ => return None,
            }
        }
        None
    }
    /// The element of a constant at `path`.
    fn member(self, ty: Type, constant: Const, path: &[u32]) -> Option<Simple> {
        let mut constant = constant;
        for &index in path {
            match &self.body.constant(constant).data {
                ConstData::Aggregate(members) => constant = *members.get(index as usize)?,
                ConstData::Zero => return Some(Simple::Null(ty)),
                ConstData::Poison => return Some(Simple::Poison(ty)),
                _ => return None,
            }
        }
        Some(Value::from(constant).into())
    }
    /// An element of the result of an arithmetic intrinsic with overflow bit.
    fn overflow_part(self, ty: Type, call: Value, path: &[u32]) -> Option<Simple> {
        use Intrinsic as I;
        let (intrinsic, args) = self.intrinsic(self.data(call)?)?;
        let (&[a, b], &[part @ (0 | 1)]) = (args, path) else { return None };
        let neutral = match intrinsic {
            I::UAddWithOverflow | I::SAddWithOverflow if self.is_zero(b) => Some(a),
            I::UAddWithOverflow | I::SAddWithOverflow if self.is_zero(a) => Some(b),
            I::USubWithOverflow | I::SSubWithOverflow if self.is_zero(b) => Some(a),
            // For `i1`, one equals minus one: -1 * -1 overflows.
            I::UMulWithOverflow | I::SMulWithOverflow if self.body.ty(a) == Type::I1 => None,
            I::UMulWithOverflow | I::SMulWithOverflow if self.is_one(b) => Some(a),
            I::UMulWithOverflow | I::SMulWithOverflow if self.is_one(a) => Some(b),
            _ => None,
        };
        if let Some(value) = neutral {
            return if part == 0 { Some(value.into()) } else { self.small(ty, 0) };
        }
        let cancels = match intrinsic {
            I::USubWithOverflow | I::SSubWithOverflow => a == b,
            I::UMulWithOverflow | I::SMulWithOverflow => self.is_zero(a) || self.is_zero(b),
            _ => false,
        };
        if cancels {
            return self.small(ty, 0);
        }
        let (value, overflow) = with_overflow(intrinsic, self.int(a)?, self.int(b)?)?;
        Some(Simple::Int(ty, if part == 0 { value } else { Int::bool(overflow) }))
    }
    pub(super) fn extract_element(self, ty: Type, vector: Value, index: Value) -> Option<Simple> {
        let index = self.int(index)?.to_u64()?;
        let lanes = self.env.types.fixed_vector(self.body.ty(vector)).map(|(lanes, _)| lanes)?;
        if index >= lanes {
            return Some(Simple::Poison(ty));
        }
        let mut vector = vector;
        for _ in 0..MAX_INSERTIONS {
            if let Value::Const(c) = vector {
                return match &self.body.constant(c).data {
                    ConstData::Splat(element) => Some(Value::from(*element).into()),
                    _ => self.member(ty, c, &[u32::try_from(index).ok()?]),
                };
            }
            let data = self.data(vector)?;
            let (InstKind::InsertElement, &[into, element, at]) = (&data.kind, data.operands.as_slice())
            else {
                return None;
            };
            match self.int(at)?.to_u64()? {
                at if at == index => return Some(element.into()),
                // An out-of-range lane makes the whole vector poison.
                at if at >= lanes => return Some(Simple::Poison(ty)),
                _ => vector = into,
            }
        }
        None
    }
}
