//! Addresses: a base and offsets, in the width of the pointer's index type.
//!
//! Source: LangRef, "getelementptr": indices are sign-extended or truncated to the index type, and offsets are added one
//! by one.

use crate::ScalarEvolution;
use crate::expr::Expr;
use crate::facts::Flags;
use backedge_ir::inst::{GepFlags, Value};
use backedge_ir::int::Int;
use backedge_ir::types::{Compound, Type};
use smallvec::SmallVec;

/// The offset that an address adds to its base, and the flags of the addition if the address is not poison.
pub(super) struct Offset {
    /// The sum of all offsets.
    pub(super) sum: Expr,
    /// The flags of adding `sum` to the base, as an integer addition.
    pub(super) flags: Flags,
}

impl ScalarEvolution<'_> {
    pub(super) fn recognized_address(
        &mut self,
        value: Value,
        source: Type,
        flags: GepFlags,
        operands: &[Value],
    ) -> Option<Expr> {
        let ty = self.expr_type(self.at.body.ty(operands[0])).filter(|t| t.is_pointer())?;
        let base = self.operand(operands[0]);
        let offset = self.address_offset(value, source, flags, &operands[1..], ty.width)?;
        Some(self.flagged_sum(value, base, offset.sum, offset.flags))
    }
    /// The offset of `value`, an address into `source` with `indices`, from its base.
    pub(super) fn address_offset(
        &mut self,
        value: Value,
        source: Type,
        flags: GepFlags,
        indices: &[Value],
        width: u32,
    ) -> Option<Offset> {
        let no_wrap = Flags::new(flags.nuw, flags.nusw || flags.inbounds);
        let mut parts: SmallVec<[Expr; 4]> = SmallVec::new();
        let mut constant = Int::zero(width);
        let mut ty = source;
        for (i, &index) in indices.iter().enumerate() {
            if i > 0 {
                if let Some(bytes) = self.field(ty, index) {
                    constant = constant.add(Int::new(width, bytes.into()));
                    ty = self.at.env.types.member(ty, self.at.body.as_int(index)?.to_u64()?)?;
                    continue;
                }
                ty = self.element(ty)?;
            }
            let stride = Int::new(width, self.at.env.layout.alloc_bytes(&self.at.env.types, ty)?.into());
            self.expr_type(self.at.body.ty(index))?;
            let index = self.operand(index);
            let index = self.trunc_or_sext(index, width);
            match self.as_constant(index) {
                Some(index) => constant = constant.add(index.mul(stride)),
                None if stride.is_zero() => {}
                None => {
                    let stride = self.constant(stride);
                    parts.push(self.flagged_product(value, index, stride, no_wrap));
                }
            }
        }
        if !constant.is_zero() || parts.is_empty() {
            parts.push(self.constant(constant));
        }
        let sum = match parts[..] {
            [one] => one,
            [a, b] => self.flagged_sum(value, a, b, no_wrap),
            _ => self.add(&parts),
        };
        // Addresses are unsigned: adding a non-negative offset does not wrap.
        let upwards = no_wrap.nsw() && self.signed_range(sum).signed_min().is_some_and(|m| !m.is_negative());
        let flags = if no_wrap.nuw() || upwards { Flags::NUW } else { Flags::NONE };
        Some(Offset { sum, flags })
    }
    /// The byte offset of a struct member.
    fn field(&self, ty: Type, index: Value) -> Option<u64> {
        self.at.env.types.struct_fields(ty)?;
        let field = usize::try_from(self.at.body.as_int(index)?.to_u64()?).ok()?;
        self.at.env.layout.struct_layout(&self.at.env.types, ty)?.offsets.get(field).copied()
    }
    fn element(&self, ty: Type) -> Option<Type> {
        match self.at.env.types.compound(ty)? {
            Compound::Array { elem, .. } | Compound::Vector { elem, scalable: false, .. } => Some(*elem),
            _ => None,
        }
    }
}
