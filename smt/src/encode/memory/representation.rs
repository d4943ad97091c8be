//! Conversions between values and the bytes that represent them in memory.
//!
//! Bytes are in memory order, whatever the endianness. [`super::pointers`] converts pointers.

use crate::encode::byte::Byte;
use crate::encode::function::{Encoded, Encoder};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::Uninit;
use crate::term::{Bits, Term, Terms};
use backedge_ir::types::{Type, TypeKind};

impl Encoder<'_, '_> {
    /// The bytes of `value`, of type `ty`, in memory order.
    pub(crate) fn value_bytes(&mut self, ty: Type, value: &Sym) -> Encoded<Vec<Term>> {
        match value {
            Sym::Scalar(scalar) if ty.is_ptr() => Ok(self.pointer_bytes(*scalar)),
            Sym::Scalar(scalar) => Ok(self.plain_bytes(*scalar)),
            Sym::List(list) => {
                let size = self.store_size(ty)?;
                let padding = self.w.layout.uninit(&mut self.w.terms, self.w.uninit);
                let mut bytes = vec![padding; size as usize];
                let mut filled = 0;
                for (i, element) in list.iter().enumerate() {
                    let (offset, element_ty) = self.element_place(ty, i as u64)?;
                    for (j, byte) in self.value_bytes(element_ty, element)?.into_iter().enumerate() {
                        bytes[offset as usize + j] = byte;
                        filled += 1;
                    }
                }
                let has_padding = filled < size && self.w.uninit == Uninit::Undef;
                self.w.needs_undef_mask |= has_padding && !self.w.layout.undef;
                Ok(bytes)
            }
        }
    }
    /// Records that a value with undef bits is written to memory whose layout drops them.
    pub(super) fn note_undef(&mut self, value: Scalar) {
        if !self.w.layout.undef && !self.w.terms.as_bits(value.undef).is_some_and(crate::term::Bits::is_zero)
        {
            self.w.needs_undef_mask = true;
        }
    }
    fn plain_bytes(&mut self, value: Scalar) -> Vec<Term> {
        self.note_undef(value);
        let width = self.w.terms.width(value.bits);
        let count = width.div_ceil(8);
        self.w.needs_undef_mask |= !self.w.layout.undef && width < count * 8;
        let terms = &mut self.w.terms;
        let (bits, mut undef) = (terms.zext(value.bits, count * 8), value.undef);
        // LangRef does not specify the bits above the value. Above a poison value they are poison, so that it can be
        // stored back.
        if width < count * 8 {
            let beyond = terms.constant(Bits::ones(count * 8 - width));
            undef = terms.concat(beyond, undef);
        }
        let (all, none) = (terms.constant(Bits::ones(count * 8)), terms.number(count * 8, 0));
        let poison = terms.ite(value.poison, all, none);
        let mut bytes: Vec<Term> = (0..count)
            .map(|i| {
                let value = terms.extract(bits, 8 * i + 7, 8 * i);
                let undef = terms.extract(undef, 8 * i + 7, 8 * i);
                let poison = terms.extract(poison, 8 * i + 7, 8 * i);
                self.w.layout.plain(terms, value, poison, undef)
            })
            .collect();
        if self.w.layout.big_endian {
            bytes.reverse();
        }
        bytes
    }
    /// The value of type `ty` with these bytes.
    pub(crate) fn of_bytes(&mut self, ty: Type, bytes: &[Term]) -> Encoded<Sym> {
        match ty.kind() {
            TypeKind::Int(bits) => Ok(self.plain_of_bytes(bits, bytes).into()),
            TypeKind::Float(kind) => Ok(self.plain_of_bytes(kind.bits(), bytes).into()),
            TypeKind::Ptr(_) => Ok(self.pointer_of_bytes(bytes).into()),
            TypeKind::Compound(_) => {
                let mut list = Vec::new();
                for i in 0..self.element_count(ty)? {
                    let (offset, element_ty) = self.element_place(ty, i)?;
                    let size = self.store_size(element_ty)?;
                    let part = &bytes[offset as usize..(offset + size) as usize];
                    list.push(self.of_bytes(element_ty, part)?);
                }
                Ok(Sym::List(list))
            }
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => {
                Err(self.unsupported("a value of a type that memory can't hold"))
            }
        }
    }
    pub(super) fn fields(&mut self, bytes: &[Term]) -> Vec<Byte> {
        let layout = self.w.layout;
        let mut fields: Vec<Byte> = bytes.iter().map(|&b| Byte::of(&mut self.w.terms, layout, b)).collect();
        if layout.big_endian {
            fields.reverse();
        }
        fields
    }
    pub(super) fn plain_of_bytes(&mut self, width: u32, bytes: &[Term]) -> Scalar {
        let fields = self.fields(bytes);
        let mut parts: Option<(Term, Term, Term)> = None;
        for byte in fields {
            let value = self.w.byte_as_integer(&byte);
            let terms = &mut self.w.terms;
            parts = Some(match parts {
                None => (value, byte.poison, byte.undef),
                Some((v, p, u)) => {
                    (terms.concat(value, v), terms.concat(byte.poison, p), terms.concat(byte.undef, u))
                }
            });
        }
        let (bits, mut poison, undef) = parts.expect("a value has a byte");
        let terms = &mut self.w.terms;
        let whole = terms.width(bits);
        if width < whole {
            // Bytes that were not stored as this type yield poison. Undef bits above the value are accepted, because a
            // store of this type leaves them.
            let above = |terms: &mut Terms, of: Term| terms.extract(of, whole - 1, width);
            let (high, open) = (above(terms, bits), above(terms, undef));
            let (settled, high_poison) = (terms.bv_not(open), above(terms, poison));
            let wrong = terms.bv_and(high, settled);
            let wrong = terms.bv_or(wrong, high_poison);
            let wrong = terms.zext(wrong, whole);
            poison = terms.bv_or(poison, wrong);
        }
        let bits = terms.truncate(bits, width);
        let undef = terms.truncate(undef, width);
        Scalar { bits, poison: terms.is_nonzero(poison), undef }
    }
}
