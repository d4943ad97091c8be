//! The encoding of a byte of memory: eight bits, masks of poison and undef bits, and, if the functions handle pointers
//! in memory, whether the byte is part of a pointer, which pointer, and which part.
//!
//! Layout from the low end: value (8 bits), poison mask (8), undef mask (8, if undef can occur), and if pointers are
//! handled, pointer flag (1), part number (3), pointer.

use super::pointer::{block_of, offset_of};
use crate::encode::world::{BLOCK_BITS, ByteLayout, LOCAL_BLOCK, OFFSET_BITS, POINTER_BITS, Uninit, World};
use crate::term::{Bits, Term, Terms};

const VALUE: (u32, u32) = (7, 0);
const POISON: (u32, u32) = (15, 8);
const UNDEF: (u32, u32) = (23, 16);

impl ByteLayout {
    /// Width of an encoded byte, in bits.
    pub(crate) fn byte_bits(self) -> u32 {
        self.plain_bits() + if self.pointers { 4 + POINTER_BITS } else { 0 }
    }
    /// Width of the fields of a byte that is not part of a pointer, in bits.
    pub(crate) fn plain_bits(self) -> u32 {
        if self.undef { UNDEF.0 + 1 } else { POISON.0 + 1 }
    }
    /// The encoded byte with all poison bits set.
    pub(crate) fn poisoned(self) -> u128 {
        0xff << POISON.1
    }
    /// Joins the fields. A layout without an undef mask drops undef bits: the encoder records the loss and restarts
    /// with a mask.
    fn join(self, terms: &mut Terms, value: Term, poison: Term, undef: Term) -> Term {
        let byte = terms.concat(poison, value);
        if self.undef { terms.concat(undef, byte) } else { byte }
    }
    /// A byte that is not part of a pointer.
    pub(crate) fn plain(self, terms: &mut Terms, value: Term, poison: Term, undef: Term) -> Term {
        let byte = self.join(terms, value, poison, undef);
        terms.zext(byte, self.byte_bits())
    }
    /// An uninitialized byte.
    pub(crate) fn uninit(self, terms: &mut Terms, rule: Uninit) -> Term {
        let (zero, ones) = (terms.number(8, 0), terms.number(8, 0xff));
        match rule {
            Uninit::Undef => self.plain(terms, zero, zero, ones),
            Uninit::Poison => self.plain(terms, zero, ones, zero),
        }
    }
    /// Part `part` of a pointer.
    pub(crate) fn of_pointer(
        self,
        terms: &mut Terms,
        pointer: Term,
        part: u32,
        poison: Term,
        undef: Term,
    ) -> Term {
        let zero = terms.number(8, 0);
        let plain = self.join(terms, zero, poison, undef);
        let is_pointer = terms.number(1, 1);
        let part = terms.number(3, part.into());
        let byte = terms.concat(part, is_pointer);
        let byte = terms.concat(byte, plain);
        terms.concat(pointer, byte)
    }
}

/// The fields of a byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Byte {
    /// The bits, if the byte is not part of a pointer.
    pub(crate) value: Term,
    /// Mask of poison bits.
    pub(crate) poison: Term,
    /// Mask of undef bits.
    pub(crate) undef: Term,
    /// Whether the byte is part of a pointer, the part number, and the pointer.
    pub(crate) pointer: Option<(Term, Term, Term)>,
}

impl Byte {
    /// Splits a byte into its fields.
    pub(crate) fn of(terms: &mut Terms, layout: ByteLayout, byte: Term) -> Self {
        let mut field = |(high, low)| terms.extract(byte, high, low);
        let (value, poison) = (field(VALUE), field(POISON));
        let undef = if layout.undef { Some(field(UNDEF)) } else { None };
        let pointer = if layout.pointers {
            let at = layout.plain_bits();
            let (is, part, pointer) =
                (field((at, at)), field((at + 3, at + 1)), field((at + 3 + POINTER_BITS, at + 4)));
            Some((terms.is_nonzero(is), part, pointer))
        } else {
            None
        };
        let undef = undef.unwrap_or_else(|| terms.number(8, 0));
        Self { value, poison, undef, pointer }
    }
    /// The same byte, but plain if it is part of a pointer without a block: memory does not distinguish null from zero
    /// bytes.
    fn without_null(self, terms: &mut Terms) -> Self {
        let Some((is_pointer, part, pointer)) = self.pointer else { return self };
        let block = block_of(terms, pointer);
        let leads = terms.is_nonzero(block);
        let still = terms.and(is_pointer, leads);
        if still == is_pointer {
            return self;
        }
        let offset = offset_of(terms, pointer);
        let eight = terms.number(OFFSET_BITS, 8);
        let shift = terms.zext(part, OFFSET_BITS);
        let shift = terms.mul(shift, eight);
        let shifted = terms.lshr(offset, shift);
        let address = terms.extract(shifted, 7, 0);
        let null = terms.not(leads);
        let null = terms.and(is_pointer, null);
        let value = terms.ite(null, address, self.value);
        Self { value, pointer: Some((still, part, pointer)), ..self }
    }
}

impl World {
    /// Whether byte `t` refines byte `s`, bit by bit.
    pub(crate) fn byte_refines(&mut self, s: Term, t: Term) -> Term {
        let layout = self.layout;
        let terms = &mut self.terms;
        if s == t {
            return terms.bool(true);
        }
        let (s, t) = (Byte::of(terms, layout, s), Byte::of(terms, layout, t));
        let (s, t) = (s.without_null(terms), t.without_null(terms));
        let differ = terms.bv_xor(s.value, t.value);
        let undef = terms.bv_or(differ, t.undef);
        let settled = terms.bv_not(s.undef);
        let wrong = terms.bv_and(settled, undef);
        let wrong = terms.bv_or(wrong, t.poison);
        let held = terms.bv_not(s.poison);
        let wrong = terms.bv_and(held, wrong);
        let wrong = terms.is_nonzero(wrong);
        let plain = terms.not(wrong);
        let (Some((is_s, part_s, ptr_s)), Some((is_t, part_t, ptr_t))) = (s.pointer, t.pointer) else {
            return plain;
        };
        let ones = terms.constant(Bits::ones(8));
        let open = terms.bv_or(s.poison, s.undef);
        let all_open = terms.eq(open, ones);
        let same_kind = terms.eq(is_s, is_t);
        let same_part = terms.eq(part_s, part_t);
        let same_pointer = terms.eq(ptr_s, ptr_t);
        let same = terms.and(same_part, same_pointer);
        let not_pointer = terms.not(is_s);
        let same = terms.or(not_pointer, same);
        let same = terms.and(same_kind, same);
        let fine = terms.or(all_open, same);
        terms.and(plain, fine)
    }
    /// The bits of a byte as an integer; for part of a pointer, the bits of its address.
    pub(crate) fn byte_as_integer(&mut self, byte: &Byte) -> Term {
        let Some((is_pointer, part, pointer)) = byte.pointer else { return byte.value };
        if self.terms.as_bool(is_pointer) == Some(false) {
            return byte.value;
        }
        let address = self.address_of(pointer);
        let part = self.terms.zext(part, OFFSET_BITS);
        let eight = self.terms.number(OFFSET_BITS, 8);
        let shift = self.terms.mul(part, eight);
        let shifted = self.terms.lshr(address, shift);
        let low = self.terms.extract(shifted, 7, 0);
        self.terms.ite(is_pointer, low, byte.value)
    }
    /// Whether a pointer compares equal to null. Compares addresses, because a pointer before a block at a low address
    /// may also be zero.
    pub(crate) fn is_null(&mut self, pointer: Term) -> Term {
        let address = self.address_of(pointer);
        let nonzero = self.terms.is_nonzero(address);
        self.terms.not(nonzero)
    }
    /// The address of a pointer, zero-extended to [`OFFSET_BITS`].
    pub(crate) fn address_of(&mut self, pointer: Term) -> Term {
        let (block, offset) = (block_of(&mut self.terms, pointer), offset_of(&mut self.terms, pointer));
        let base = self.base_of(block);
        self.observe_address(block);
        let sum = self.terms.add(base, offset);
        let address = self.terms.truncate(sum, self.layout.address_bits);
        self.terms.zext(address, OFFSET_BITS)
    }
}

/// `pointer` without the local-block bit.
pub(crate) fn not_local(terms: &mut Terms, pointer: Term) -> Term {
    let (block, offset) = (block_of(terms, pointer), offset_of(terms, pointer));
    let mask = terms.number(BLOCK_BITS, (!LOCAL_BLOCK & 0xffff).into());
    let block = terms.bv_and(block, mask);
    terms.concat(block, offset)
}
