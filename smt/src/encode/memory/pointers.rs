//! Conversions between pointers and bytes or integers.
//!
//! A pointer loaded from memory is recorded with its bytes, so that storing it elsewhere copies these bytes: the
//! pointer alone does not determine whether they were parts of a pointer or an integer.

use crate::encode::byte::Byte;
use crate::encode::function::Encoder;
use crate::encode::pointer::block_of;
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{BLOCK_BITS, LoadedPointer, OFFSET_BITS, POINTER_BITS, Side};
use crate::term::{Op, Term};

/// Maximum nesting of selects between pointers that is searched for loaded pointers.
const MANY_SELECTED: usize = 4;

/// Approximation recorded when an integer becomes a pointer.
pub(crate) const POINTER_OF_INTEGER: &str = "an integer is made into a pointer";

impl Encoder<'_, '_> {
    /// The bytes that a store of a pointer writes. For a loaded pointer these are the bytes it was loaded from, if they
    /// are defined.
    pub(super) fn pointer_bytes(&mut self, value: Scalar) -> Vec<Term> {
        self.note_undef(value);
        let terms = &mut self.w.terms;
        let (all, none) = (terms.number(8, 0xff), terms.number(8, 0));
        let poison = terms.ite(value.poison, all, none);
        let has_undef = terms.is_nonzero(value.undef);
        let undef = terms.ite(has_undef, all, none);
        let open = self.is_open(value);
        let bytes = self.parts(value.bits, poison, undef);
        // The loaded value itself is open exactly where the load was.
        let own = self.w.loaded_pointers.get(&value.bits).filter(|loaded| loaded.open == open);
        let own = own.map(|loaded| loaded.bytes.clone());
        match own.or_else(|| self.loaded_from(value.bits, MANY_SELECTED)) {
            Some(loaded) => self.choose(open, bytes, loaded),
            None => bytes,
        }
    }
    /// The bytes of a pointer in memory order, with these poison and undef masks for each byte.
    fn parts(&mut self, pointer: Term, poison: Term, undef: Term) -> Vec<Term> {
        let count = self.w.layout.address_bits.div_ceil(8);
        let mut bytes: Vec<Term> = (0..count)
            .map(|part| self.w.layout.of_pointer(&mut self.w.terms, pointer, part, poison, undef))
            .collect();
        if self.w.layout.big_endian {
            bytes.reverse();
        }
        bytes
    }
    /// The bytes of a defined pointer.
    fn defined_parts(&mut self, pointer: Term) -> Vec<Term> {
        let none = self.w.terms.number(8, 0);
        self.parts(pointer, none, none)
    }
    fn choose(&mut self, condition: Term, then: Vec<Term>, other: Vec<Term>) -> Vec<Term> {
        let pairs = then.into_iter().zip(other);
        pairs.map(|(then, other)| self.w.terms.ite(condition, then, other)).collect()
    }
    /// Bytes that represent a defined pointer: those that the pointer, or one of its alternatives, was loaded from.
    fn loaded_from(&mut self, pointer: Term, most: usize) -> Option<Vec<Term>> {
        if let Some(LoadedPointer { open, settled_on, bytes }) = self.w.loaded_pointers.get(&pointer).cloned()
        {
            if settled_on.is_some_and(|before| self.w.terms.goes_on(self.path, before)) {
                return Some(bytes);
            }
            let parts = self.defined_parts(pointer);
            return Some(self.choose(open, parts, bytes));
        }
        if self.w.terms.op(pointer) != Op::Ite || most == 0 {
            return None;
        }
        let &[condition, then, other] = self.w.terms.args(pointer) else { return None };
        let (of_then, of_other) = (self.loaded_from(then, most - 1), self.loaded_from(other, most - 1));
        if of_then.is_none() && of_other.is_none() {
            return None;
        }
        let of_then = of_then.unwrap_or_else(|| self.defined_parts(then));
        let of_other = of_other.unwrap_or_else(|| self.defined_parts(other));
        Some(self.choose(condition, of_then, of_other))
    }
    /// The pointer whose parts the bytes are, in order; if they are not parts of a pointer, the pointer for their
    /// integer address. Parts of several pointers, or parts mixed with other bytes, yield poison.
    pub(super) fn pointer_of_bytes(&mut self, bytes: &[Term]) -> Scalar {
        let fields = self.fields(bytes);
        let mut whole = self.w.terms.bool(true);
        let mut some = self.w.terms.bool(false);
        let mut first = None;
        for (i, byte) in fields.iter().enumerate() {
            let Some((is_pointer, part, pointer)) = byte.pointer else { continue };
            let pointer0 = *first.get_or_insert(pointer);
            let terms = &mut self.w.terms;
            let number = terms.number(3, i as u128);
            let in_place = terms.eq(part, number);
            let same = terms.eq(pointer, pointer0);
            whole = terms.and_all([whole, is_pointer, in_place, same]);
            let block = block_of(terms, pointer);
            let leads = terms.is_nonzero(block);
            let leads = terms.and(is_pointer, leads);
            some = terms.or(some, leads);
        }
        let apart = self.w.terms.not(whole);
        let mixed = self.w.terms.and(some, apart);
        let bits = match first {
            Some(pointer) if self.w.terms.as_bool(whole) == Some(true) => pointer,
            first => {
                let integer = self.plain_of_bytes(self.w.layout.address_bits, bytes);
                let from_integer = self.pointer_from_address(integer.bits);
                let spelled = [self.w.terms.not(some), self.w.terms.is_nonzero(integer.bits)];
                let spelled = self.w.terms.and_all(spelled);
                self.w.made_pointers.push(spelled);
                first.map_or(from_integer, |pointer| self.w.terms.ite(whole, pointer, from_integer))
            }
        };
        let terms = &mut self.w.terms;
        let zero = terms.number(8, 0);
        let (poison, undef) =
            fields.iter().fold((zero, zero), |(p, u), f| (terms.bv_or(p, f.poison), terms.bv_or(u, f.undef)));
        let (poison, has_undef) = (terms.is_nonzero(poison), terms.is_nonzero(undef));
        let poison = terms.or(poison, mixed);
        let ones = terms.constant(crate::term::Bits::ones(POINTER_BITS));
        let zero = terms.number(POINTER_BITS, 0);
        if self.side == Side::Source {
            self.note_partially_undef(&fields, poison, has_undef);
        }
        let value = Scalar { bits, poison, undef: self.w.terms.ite(has_undef, ones, zero) };
        if self.w.layout.pointers && self.w.terms.as_bool(whole) != Some(true) {
            let open = self.is_open(value);
            let loaded = LoadedPointer { open, settled_on: None, bytes: bytes.to_vec() };
            self.w.loaded_pointers.insert(bits, loaded);
        }
        value
    }
    /// Records that the path continues only where these values are defined.
    pub(in crate::encode) fn settle_loaded(&mut self, value: &Sym) {
        for scalar in value.scalars() {
            let open = self.is_open(scalar);
            if let Some(loaded) =
                self.w.loaded_pointers.get_mut(&scalar.bits).filter(|loaded| loaded.open == open)
            {
                loaded.settled_on = Some(self.path);
            }
        }
    }
    /// Whether a value is poison or has undef bits.
    fn is_open(&mut self, value: Scalar) -> Term {
        let has_undef = value.has_undef(&mut self.w.terms);
        self.w.terms.or(value.poison, has_undef)
    }
    /// Records where only some bits of a loaded pointer are undef. The encoding treats all of its bits as undef. For a
    /// target this is an over-approximation of its behavior; for a source it would be unsound.
    fn note_partially_undef(&mut self, fields: &[Byte], poison: Term, has_undef: Term) {
        let terms = &mut self.w.terms;
        let all = terms.constant(crate::term::Bits::ones(8));
        let wholly: Vec<Term> = fields.iter().map(|f| terms.eq(f.undef, all)).collect();
        let wholly = terms.and_all(wholly);
        let (not_wholly, not_poison) = (terms.not(wholly), terms.not(poison));
        let partly = terms.and_all([self.path, has_undef, not_wholly, not_poison]);
        if terms.as_bool(partly) != Some(false) {
            self.w.partially_undef_pointers.push(partly);
        }
    }
    /// The pointer for an integer of address width: null for 0; otherwise a pointer into a block that is a function of
    /// the address, the same on both sides.
    pub(crate) fn pointer_from_address(&mut self, address: Term) -> Term {
        let address = self.w.terms.zext(address, OFFSET_BITS);
        if self.w.terms.as_bits(address).is_some_and(crate::term::Bits::is_zero) {
            return self.w.terms.number(POINTER_BITS, 0);
        }
        let block = self.w.terms.select(self.w.int_to_block, address);
        let zero = self.w.terms.number(OFFSET_BITS, 0);
        let null = self.w.terms.number(BLOCK_BITS, 0);
        let is_zero = self.w.terms.eq(address, zero);
        let block = self.w.terms.ite(is_zero, null, block);
        self.w.approximate(POINTER_OF_INTEGER);
        let base = self.w.base_of(block);
        let offset = self.w.terms.sub(address, base);
        let offset = self.w.wrapped_offset(offset);
        self.w.terms.concat(block, offset)
    }
}
