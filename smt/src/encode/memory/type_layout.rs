//! Sizes of types in memory, and the offsets of their elements, within the limits of the encoder.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::world::OFFSET_BITS;
use crate::term::{Term, Terms};
use backedge_ir::types::{Compound, Type};

impl Encoder<'_, '_> {
    /// Number of bytes that a store of `ty` writes.
    pub(crate) fn store_size(&mut self, ty: Type) -> Encoded<u64> {
        let env = &self.module.env;
        let bytes = env.layout.store_bytes(&env.types, ty);
        bytes
            .filter(|b| *b <= 1 << 16)
            .ok_or_else(|| self.unsupported("a value of more than 64 KiB or without a size"))
    }
    /// The size of a type in bytes, and the size of its equal parts: for a vector, its elements.
    pub(crate) fn extent(&mut self, ty: Type) -> Encoded<(Term, Term)> {
        let whole = self.store_size(ty)?;
        let count = match self.module.env.types.compound(ty) {
            Some(Compound::Vector { len, scalable: false, .. }) => *len,
            _ => 1,
        };
        let element = self.module.env.types.scalar(ty);
        let part = if count > 1 { self.store_size(element)? } else { whole };
        // Elements of odd widths are adjacent without padding.
        let part = if part.checked_mul(count) == Some(whole) && part > 0 { part } else { whole };
        let bytes = |terms: &mut Terms, bytes: u64| terms.number(OFFSET_BITS, bytes.into());
        Ok((bytes(&mut self.w.terms, whole), bytes(&mut self.w.terms, part)))
    }
    /// Number of elements of an aggregate or vector.
    pub(crate) fn element_count(&mut self, ty: Type) -> Encoded<u64> {
        let types = &self.module.env.types;
        let count = match types.compound(ty) {
            Some(Compound::Array { len, .. } | Compound::Vector { len, scalable: false, .. }) => Some(*len),
            Some(Compound::Struct { .. } | Compound::Named { .. }) => {
                types.struct_fields(ty).map(|(fields, _)| fields.len() as u64)
            }
            Some(Compound::Vector { .. } | Compound::Function { .. } | Compound::Target { .. }) | None => {
                None
            }
        };
        count
            .filter(|c| *c <= 1 << 12)
            .ok_or_else(|| self.unsupported("an aggregate of more than 4,096 elements"))
    }
    /// Offset in bytes and type of element `index`.
    pub(crate) fn element_place(&mut self, ty: Type, index: u64) -> Encoded<(u64, Type)> {
        let env = &self.module.env;
        let place = match env.types.compound(ty) {
            Some(Compound::Array { elem, .. }) => {
                env.layout.alloc_bytes(&env.types, *elem).map(|s| (s * index, *elem))
            }
            Some(Compound::Vector { elem, scalable: false, .. }) => env
                .layout
                .size_bits(&env.types, *elem)
                .filter(|bits| bits.is_multiple_of(8))
                .map(|bits| (bits / 8 * index, *elem)),
            Some(Compound::Struct { .. } | Compound::Named { .. }) => {
                let elem = env.types.member(ty, index);
                let layout = env.layout.struct_layout(&env.types, ty);
                layout.and_then(|l| Some((*l.offsets.get(index as usize)?, elem?)))
            }
            Some(Compound::Vector { .. } | Compound::Function { .. } | Compound::Target { .. }) | None => {
                None
            }
        };
        place.ok_or_else(|| self.unsupported("a vector in memory whose elements are not whole bytes"))
    }
}
