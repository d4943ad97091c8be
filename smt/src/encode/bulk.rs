//! Memory intrinsics that fill or copy ranges: `llvm.memset`, `llvm.memcpy`, `llvm.memmove`, and the equivalent library
//! functions.
//!
//! An empty range needs no checks. For an unknown length, runs with a length above a maximum are cut off, like
//! iterations past the bound.

use crate::encode::function::{Cut, Encoded, Encoder};
use crate::encode::memory::MANY_BYTES;
use crate::encode::pointer::{block_of, offset_of};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::OFFSET_BITS;
use crate::term::{Bits, Term};
use backedge_ir::inst::{CallView, Value};
use backedge_ir::types::Type;

/// A memory operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryOperand {
    /// The operand on which the pointer is based; parameter attributes refer to it.
    pub(super) operand: Value,
    /// The pointer.
    pub(super) pointer: Scalar,
    /// The required alignment in bytes.
    pub(super) align: u64,
}

/// A length in bytes and its maximum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length {
    pub(super) bytes: Term,
    pub(super) most: u64,
}

impl Encoder<'_, '_> {
    pub(super) fn memset(&mut self, view: CallView<'_>) -> Encoded<()> {
        let args = view.args();
        if self.is_volatile(view) {
            return Err(self.unsupported("a volatile memory intrinsic"));
        }
        let to = self.place_of(view, 0)?;
        let (value, length) = (self.value(args[1])?, self.scalar(args[2])?);
        let length = self.length(length)?;
        self.fill(to, &value, length)
    }
    pub(super) fn memcpy(&mut self, view: CallView<'_>, may_overlap: bool) -> Encoded<()> {
        let args = view.args();
        if self.is_volatile(view) {
            return Err(self.unsupported("a volatile memory intrinsic"));
        }
        let (to, from) = (self.place_of(view, 0)?, self.place_of(view, 1)?);
        let length = self.scalar(args[2])?;
        let length = self.length(length)?;
        self.copy_bytes(to, from, length, may_overlap)
    }
    /// The memory operand given by an argument.
    fn place_of(&mut self, view: CallView<'_>, arg: usize) -> Encoded<MemoryOperand> {
        let operand = view.args()[arg];
        Ok(MemoryOperand { operand, pointer: self.scalar(operand)?, align: self.alignment_of(view, arg) })
    }
    /// The alignment that the attributes of an argument require.
    pub(super) fn alignment_of(&self, view: CallView<'_>, arg: usize) -> u64 {
        let attrs = self.module.env.attrs(&view.info.arg_attrs[arg]);
        attrs
            .filter_map(|a| match a {
                backedge_ir::attr::Attr::Int(backedge_ir::attr::IntAttr::Align, n) => Some(*n),
                _ => None,
            })
            .max()
            .unwrap_or(1)
    }
    fn is_volatile(&mut self, view: CallView<'_>) -> bool {
        view.args().last().and_then(|v| self.body.as_int(*v)).is_none_or(|i| !i.is_zero())
    }

    /// A length that must be defined: either a constant, or a length whose larger values are cut off.
    pub(super) fn length(&mut self, length: Scalar) -> Encoded<Length> {
        /// The greatest number of bytes of a length that is no constant: each byte is a conditional store. Runs with a
        /// greater one are cut.
        const LONGEST_UNKNOWN: u64 = 16;
        let bytes = self.defined_length(length);
        if let Some(known) = self.w.terms.as_bits(bytes).and_then(Bits::to_u128) {
            if known > MANY_BYTES.into() {
                return Err(self.unsupported("a memory intrinsic of more than 256 bytes"));
            }
            return Ok(Length { bytes, most: known as u64 });
        }
        let longest = self.w.terms.number(OFFSET_BITS, LONGEST_UNKNOWN.into());
        let too_long = self.w.terms.ult(longest, bytes);
        self.cut_where(too_long);
        self.ends.bound = self.ends.bound.min(LONGEST_UNKNOWN as u32);
        Ok(Length { bytes, most: LONGEST_UNKNOWN })
    }
    /// Cuts off the runs on which `cond` holds, like runs past the bound.
    pub(super) fn cut_where(&mut self, cond: Term) {
        let path = self.w.terms.and(self.path, cond);
        self.ends.cut.push(Cut { path, trace: self.memory.trace, entry: None, header: None });
        let kept = self.w.terms.not(cond);
        self.path = self.w.terms.and(self.path, kept);
    }
    /// A length that must be defined, in the width of offsets. No block is as large as the largest offset.
    pub(super) fn defined_length(&mut self, length: Scalar) -> Term {
        let undef = length.has_undef(&mut self.w.terms);
        let bad = self.w.terms.or(length.poison, undef);
        self.ub(bad);
        let terms = &mut self.w.terms;
        let width = terms.width(length.bits);
        let bits = terms.zext_or_truncate(length.bits, OFFSET_BITS);
        if width <= OFFSET_BITS {
            return bits;
        }
        let high = terms.extract(length.bits, width - 1, OFFSET_BITS);
        let beyond = terms.is_nonzero(high);
        let most = terms.constant(Bits::ones(OFFSET_BITS));
        terms.ite(beyond, most, bits)
    }
    /// Checks an access of `length` bytes; a length of 0 is no access. Returns whether the block is alive.
    pub(super) fn check_range(&mut self, place: MemoryOperand, length: Term, write: bool) -> Encoded<Term> {
        let nonempty = self.w.terms.is_nonzero(length);
        let saved = self.path;
        self.path = self.w.terms.and(saved, nonempty);
        let alive = self.check_access(place.pointer, length, place.align, write);
        let seen = self.check_allowed(place.operand, place.pointer.bits, write)?;
        if self.w.terms.as_bool(seen) != Some(true) {
            return Err(self.unsupported("a copy of memory that the function may only write"));
        }
        let empty = self.w.terms.not(nonempty);
        let skipped = self.w.terms.and(saved, empty);
        self.path = self.w.terms.or(self.path, skipped);
        Ok(alive)
    }
    /// Fills `length` bytes starting at `to` with the 8-bit `value`.
    pub(super) fn fill(&mut self, to: MemoryOperand, value: &Sym, length: Length) -> Encoded<()> {
        self.check_range(to, length.bytes, true)?;
        let byte = self.value_bytes(Type::I8, value)?[0];
        for at in 0..length.most {
            let number = self.w.terms.number(OFFSET_BITS, at.into());
            let within = self.w.terms.ult(number, length.bytes);
            self.write_byte(to.pointer.bits, at, byte, Some(within));
        }
        Ok(())
    }
    /// Copies `length` bytes. The contents of a dead object are poison.
    pub(super) fn copy_bytes(
        &mut self,
        to: MemoryOperand,
        from: MemoryOperand,
        length: Length,
        may_overlap: bool,
    ) -> Encoded<()> {
        self.check_range(to, length.bytes, true)?;
        let alive = self.check_range(from, length.bytes, false)?;
        if !may_overlap {
            self.overlap_ub(to.pointer.bits, from.pointer.bits, length.bytes);
        }
        let layout = self.w.layout;
        let poison = self.w.terms.number(layout.byte_bits(), layout.poisoned());
        let mut bytes: Vec<Term> = Vec::new();
        for at in 0..length.most {
            let byte = self.read_byte(from.pointer.bits, at);
            bytes.push(self.w.terms.ite(alive, byte, poison));
        }
        for (at, byte) in (0..).zip(bytes) {
            let number = self.w.terms.number(OFFSET_BITS, u128::from(at));
            let within = self.w.terms.ult(number, length.bytes);
            self.write_byte(to.pointer.bits, at, byte, Some(within));
        }
        Ok(())
    }
    /// UB if the ranges overlap without being equal.
    fn overlap_ub(&mut self, a: Term, b: Term, length: Term) {
        let terms = &mut self.w.terms;
        let (block_a, block_b) = (block_of(terms, a), block_of(terms, b));
        let (at_a, at_b) = (offset_of(terms, a), offset_of(terms, b));
        let same_block = terms.eq(block_a, block_b);
        let differ = terms.ne(at_a, at_b);
        let (up, down) = (terms.sub(at_a, at_b), terms.sub(at_b, at_a));
        let (near_up, near_down) = (terms.ult(up, length), terms.ult(down, length));
        let near = terms.or(near_up, near_down);
        let bad = terms.and_all([same_block, differ, near]);
        self.ub(bad);
    }
}
