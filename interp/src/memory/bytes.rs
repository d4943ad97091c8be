//! Memory contents: for each bit its value, undef or poison; for each byte the pointer that it is a fragment of.
//!
//! Planes other than the plain bytes exist only where they are needed. LangRef ("store") does not specify the padding
//! bits of a value that is narrower than its bytes: they become undefined. LangRef ("load") leaves the result
//! undefined if the bytes were not stored as that type: such a load yields poison unless all bits beyond the value
//! are zero or undefined. Writing an aggregate leaves its padding unchanged; callers that store one make the padding
//! undefined first. An integer read from the bytes of a pointer is its address; a pointer read from bytes that do not
//! all belong to one pointer has the provenance of `inttoptr`.

use crate::layout::Shape;
use crate::value::{Cube, Pointer, Prov, Val, mask};

/// A byte that is a fragment of a pointer.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fragment {
    /// The pointer's provenance; [`Prov::NONE`] if the byte belongs to no pointer.
    pub prov: Prov,
    /// Which byte of the pointer, in memory order.
    pub index: u8,
}

impl Fragment {
    /// A byte that belongs to no pointer.
    pub(crate) const NONE: Self = Self { prov: Prov::NONE, index: 0 };
}

/// Up to 128 bits with their state.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct RawBits {
    /// Values of the defined bits.
    pub(crate) bits: u128,
    /// Undefined bits.
    pub(crate) undef: u128,
    /// Poison bits.
    pub(crate) poison: u128,
}

impl RawBits {
    pub(crate) fn of(value: &Val, width: u32) -> Self {
        match value.cube() {
            Some(c) => Self { bits: c.bits & mask(width), undef: c.undef & mask(width), poison: 0 },
            None => Self { bits: 0, undef: 0, poison: mask(width) },
        }
    }
    /// Extends the bits to `len` bytes: padding bits are undefined, but poison after a poison value, so that a poison
    /// value can be stored back.
    fn in_bytes(self, width: u32, len: usize) -> Self {
        let beyond = mask((len as u32 * 8).min(128)) & !mask(width);
        match self.poison & mask(width) == mask(width) {
            true => Self { poison: self.poison | beyond, ..self },
            false => Self { undef: self.undef | beyond, ..self },
        }
    }
    pub(crate) fn shl(self, by: u32) -> Self {
        Self { bits: self.bits << by, undef: self.undef << by, poison: self.poison << by }
    }
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            bits: self.bits | other.bits,
            undef: self.undef | other.undef,
            poison: self.poison | other.poison,
        }
    }
    /// The `width` bits from bit `from` on.
    pub(crate) fn slice(self, from: u32, width: u32) -> Self {
        let cut = |x: u128| x.checked_shr(from).unwrap_or(0) & mask(width);
        Self { bits: cut(self.bits), undef: cut(self.undef), poison: cut(self.poison) }
    }
    /// Whether all bits from bit `width` on are zero or undefined.
    fn fits(self, width: u32) -> bool {
        (self.bits | self.poison) & !mask(width) == 0
    }
    /// The scalar of `width` bits; poison if any bit is poison.
    pub(crate) fn to_val(self, width: u32) -> Val {
        if self.poison & mask(width) != 0 {
            Val::Poison
        } else {
            Val::from_cube(width, Cube::new(self.bits, self.undef))
        }
    }
}

/// The contents of one allocation.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// Values of the defined bits; undefined and poison bits are clear.
    pub bytes: Vec<u8>,
    /// Undefined bits; empty if there are none.
    pub undef: Vec<u8>,
    /// Poison bits; empty if there are none.
    pub poison: Vec<u8>,
    /// Pointer fragments; empty if there are none.
    pub fragments: Vec<Fragment>,
}

impl Clone for Contents {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }
    /// Reuses the existing storage.
    fn clone_from(&mut self, source: &Self) {
        self.bytes.clone_from(&source.bytes);
        self.undef.clone_from(&source.undef);
        self.poison.clone_from(&source.poison);
        self.fragments.clone_from(&source.fragments);
    }
}

impl Contents {
    /// `size` zero bytes.
    pub fn zeroed(size: usize) -> Self {
        Self { bytes: vec![0; size], ..Self::default() }
    }
    /// Resets this to `size` zero bytes and reuses the storage.
    pub(crate) fn renew(&mut self, size: usize) {
        self.bytes.clear();
        self.bytes.resize(size, 0);
        self.undef.clear();
        self.poison.clear();
        self.fragments.clear();
    }
    /// Contents of defined bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }
    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }
    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
    /// Whether every bit is defined and no byte belongs to a pointer.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.undef.is_empty() && self.poison.is_empty() && self.fragments.is_empty()
    }
    /// Whether the `len` bytes from `at` on are defined; ignores fragments.
    #[inline]
    pub(crate) fn is_defined(&self, at: usize, len: usize) -> bool {
        (self.undef.is_empty() || self.undef[at..at + len].iter().all(|b| *b == 0))
            && (self.poison.is_empty() || self.poison[at..at + len].iter().all(|b| *b == 0))
    }
    /// Whether none of the `len` bytes from `at` on belongs to a pointer.
    #[inline]
    pub(crate) fn has_no_pointer(&self, at: usize, len: usize) -> bool {
        self.fragments.is_empty() || self.fragments[at..at + len].iter().all(|f| f.prov == Prov::NONE)
    }
    /// Marks a range, whose values are already written, as defined and not part of a pointer.
    #[inline]
    pub(crate) fn make_plain(&mut self, at: usize, len: usize) {
        for plane in [&mut self.undef, &mut self.poison] {
            if !plane.is_empty() {
                plane[at..at + len].fill(0);
            }
        }
        if !self.fragments.is_empty() {
            self.fragments[at..at + len].fill(Fragment::NONE);
        }
    }
    /// Marks a range as the bytes of a pointer with provenance `prov`.
    pub(crate) fn mark_pointer(&mut self, at: usize, len: usize, prov: Prov) {
        if prov == Prov::NONE {
            return;
        }
        if self.fragments.is_empty() {
            self.fragments.resize(self.bytes.len(), Fragment::NONE);
        }
        for (i, fragment) in self.fragments[at..at + len].iter_mut().enumerate() {
            *fragment = Fragment { prov, index: u8::try_from(i).unwrap_or(u8::MAX) };
        }
    }
    /// Whether any bit is undefined.
    pub fn has_undef(&self) -> bool {
        self.undef.iter().any(|bits| *bits != 0)
    }
    /// Whether any bit is poison.
    pub fn has_poison(&self) -> bool {
        self.poison.iter().any(|bits| *bits != 0)
    }
    /// Makes all bits of a range undefined.
    pub fn set_undef(&mut self, at: usize, len: usize) {
        self.fill_range(at, len, (0, 0xff, 0));
    }
    /// Makes all bits of a range poison.
    pub fn set_poison(&mut self, at: usize, len: usize) {
        self.fill_range(at, len, (0, 0, 0xff));
    }
    /// Sets one byte: its value, its undefined bits, its poison bits.
    pub fn set_bits(&mut self, at: usize, (value, undef, poison): (u8, u8, u8)) {
        self.fill_range(at, 1, (value & !undef & !poison, undef & !poison, poison));
    }
    /// Sets every byte of a range to the same (value, undefined bits, poison bits).
    pub(crate) fn fill_range(&mut self, at: usize, len: usize, (value, undef, poison): (u8, u8, u8)) {
        self.bytes[at..at + len].fill(value);
        fill_plane(&mut self.undef, self.bytes.len(), at, len, undef);
        fill_plane(&mut self.poison, self.bytes.len(), at, len, poison);
        if !self.fragments.is_empty() {
            self.fragments[at..at + len].fill(Fragment::NONE);
        }
    }
    /// Copies a range with all planes from `source`.
    pub fn copy_from(&mut self, at: usize, source: &Self, from: usize, len: usize) {
        let size = self.bytes.len();
        self.bytes[at..at + len].copy_from_slice(&source.bytes[from..from + len]);
        copy_plane(&mut self.undef, size, at, &source.undef, from, len);
        copy_plane(&mut self.poison, size, at, &source.poison, from, len);
        if !source.fragments.is_empty() && self.fragments.is_empty() {
            self.fragments = vec![Fragment::NONE; size];
        }
        if !self.fragments.is_empty() {
            if source.fragments.is_empty() {
                self.fragments[at..at + len].fill(Fragment::NONE);
            } else {
                self.fragments[at..at + len].copy_from_slice(&source.fragments[from..from + len]);
            }
        }
    }
    /// The `len` bytes from `at` on.
    pub fn slice(&self, at: usize, len: usize) -> Self {
        let mut part = Self::zeroed(len);
        part.copy_from(0, self, at, len);
        part
    }
    /// Reads up to 16 bytes as one number in the given byte order.
    pub(crate) fn read_raw(&self, at: usize, len: usize, big_endian: bool) -> RawBits {
        let plane = |bytes: &[u8]| -> u128 {
            let Some(part) = bytes.get(at..at + len) else { return 0 };
            let step = |number: u128, b: &u8| number << 8 | u128::from(*b);
            if big_endian { part.iter().fold(0, step) } else { part.iter().rev().fold(0, step) }
        };
        RawBits { bits: plane(&self.bytes), undef: plane(&self.undef), poison: plane(&self.poison) }
    }
    /// Writes up to 16 bytes of one number in the given byte order.
    pub(crate) fn write_raw(&mut self, at: usize, len: usize, raw: RawBits, big_endian: bool) {
        let size = self.bytes.len();
        let put = |plane: &mut [u8], number: u128| {
            for (i, byte) in plane[at..at + len].iter_mut().enumerate() {
                let index = if big_endian { len - 1 - i } else { i };
                *byte = (number >> (8 * index)) as u8;
            }
        };
        put(&mut self.bytes, raw.bits & !raw.undef & !raw.poison);
        for (plane, number) in [(&mut self.undef, raw.undef & !raw.poison), (&mut self.poison, raw.poison)] {
            if plane.is_empty() && number != 0 {
                plane.resize(size, 0);
            }
            if !plane.is_empty() {
                put(plane, number);
            }
        }
        if !self.fragments.is_empty() {
            self.fragments[at..at + len].fill(Fragment::NONE);
        }
    }
    /// Provenances of the pointers that bytes of the range belong to.
    pub(crate) fn provenances(&self, at: usize, len: usize) -> impl Iterator<Item = Prov> + '_ {
        let part = self.fragments.get(at..at + len).unwrap_or_default();
        part.iter().map(|f| f.prov).filter(|p| *p != Prov::NONE)
    }
    /// Reads a pointer. If the bytes are the fragments of one pointer in order, the result is that pointer; if they
    /// belong to no pointer, it is the pointer with the address they encode. Fragments of several pointers, or mixed
    /// with other bytes, yield poison.
    fn read_ptr(&self, at: usize, width: u32, big_endian: bool) -> Val {
        let len = width.div_ceil(8) as usize;
        let raw = self.read_raw(at, len, big_endian);
        let Val::Bits(addr) = raw.to_val(width) else { return raw.to_val(width) };
        let part = self.fragments.get(at..at + len).unwrap_or_default();
        let is_of_object = |f: &Fragment| f.prov != Prov::NONE && f.prov != Prov::WILDCARD;
        match part.iter().find(|f| is_of_object(f)) {
            Some(&Fragment { prov, .. }) => {
                let mut parts = part.iter().enumerate();
                match parts.all(|(i, f)| f.prov == prov && usize::from(f.index) == i) {
                    true => Val::Ptr(Pointer { addr, prov }),
                    false => Val::Poison,
                }
            }
            None if addr == 0 => Val::Ptr(Pointer::NULL),
            None => Val::Ptr(Pointer { addr, prov: Prov::WILDCARD }),
        }
    }
    fn write_ptr(&mut self, at: usize, width: u32, value: &Val, big_endian: bool) {
        let len = width.div_ceil(8) as usize;
        self.write_raw(at, len, RawBits::of(value, width), big_endian);
        let Val::Ptr(Pointer { prov, .. }) = value else { return };
        self.mark_pointer(at, len, *prov);
    }
    /// Writes byte `part` (in memory order) of a pointer.
    pub(crate) fn write_ptr_byte(&mut self, at: usize, ptr: Pointer, part: u8, width: u32, big_endian: bool) {
        let from_low = if big_endian { width.div_ceil(8) - 1 - u32::from(part) } else { part.into() };
        let value = ptr.addr.checked_shr(8 * from_low).unwrap_or(0) as u8;
        self.fill_range(at, 1, (value, 0, 0));
        if ptr.prov != Prov::NONE {
            if self.fragments.is_empty() {
                self.fragments.resize(self.bytes.len(), Fragment::NONE);
            }
            self.fragments[at] = Fragment { prov: ptr.prov, index: part };
        }
    }
    /// Reads a value of `shape`. The range must be in bounds.
    pub fn read(&self, at: usize, shape: &Shape, big_endian: bool) -> Val {
        match shape {
            Shape::Ptr(width) => self.read_ptr(at, *width, big_endian),
            Shape::Int(_) | Shape::Float(_) => {
                let width = shape.scalar_bits().unwrap_or(128);
                let raw = self.read_raw(at, width.div_ceil(8) as usize, big_endian);
                if raw.fits(width) { raw.to_val(width) } else { Val::Poison }
            }
            Shape::Vector { len, elem } => match element_step(elem) {
                Some(step) => {
                    let read = |i: u64| self.read(at + i as usize * step, elem, big_endian);
                    Val::agg((0..*len).map(read).collect())
                }
                None => {
                    let raw = self.read_raw(at, shape.store_bytes() as usize, big_endian);
                    let bits = *len as u32 * elem.scalar_bits().unwrap_or(1);
                    if raw.fits(bits) { unpack(raw, *len, elem, big_endian) } else { shape.poison() }
                }
            },
            Shape::Array { len, stride, elem } => {
                let read = |i: u64| self.read(at + (i * stride) as usize, elem, big_endian);
                Val::agg((0..*len).map(read).collect())
            }
            Shape::Struct { fields, .. } => {
                let read =
                    |(offset, field): &(u64, Shape)| self.read(at + *offset as usize, field, big_endian);
                Val::agg(fields.iter().map(read).collect())
            }
        }
    }
    /// Writes a value of `shape`. The range must be in bounds.
    pub fn write(&mut self, at: usize, shape: &Shape, value: &Val, big_endian: bool) {
        match shape {
            Shape::Ptr(width) => self.write_ptr(at, *width, value, big_endian),
            Shape::Int(_) | Shape::Float(_) => {
                let width = shape.scalar_bits().unwrap_or(128);
                let len = width.div_ceil(8) as usize;
                self.write_raw(at, len, RawBits::of(value, width).in_bytes(width, len), big_endian);
            }
            Shape::Vector { elem, .. } => match element_step(elem) {
                Some(step) => {
                    for (i, member) in value.members().iter().enumerate() {
                        self.write(at + i * step, elem, member, big_endian);
                    }
                }
                None => {
                    let (bits, len) = (shape.bits() as u32, shape.store_bytes() as usize);
                    let raw = pack(value, elem, big_endian).in_bytes(bits, len);
                    self.write_raw(at, len, raw, big_endian);
                }
            },
            Shape::Array { stride, elem, .. } => {
                for (i, member) in value.members().iter().enumerate() {
                    self.write(at + i * *stride as usize, elem, member, big_endian);
                }
            }
            Shape::Struct { fields, .. } => {
                for ((offset, field), member) in fields.iter().zip(value.members()) {
                    self.write(at + *offset as usize, field, member, big_endian);
                }
            }
        }
    }
}

/// Bytes from one vector element to the next; `None` if elements are not whole bytes.
pub(crate) fn element_step(elem: &Shape) -> Option<usize> {
    let bits = elem.bits();
    bits.is_multiple_of(8).then_some((bits / 8) as usize)
}

/// Packs a vector of up to 128 bits into one number: element 0 is lowest in little-endian layouts and highest in
/// big-endian ones.
pub(crate) fn pack(value: &Val, elem: &Shape, big_endian: bool) -> RawBits {
    let width = elem.scalar_bits().unwrap_or(1);
    let count = value.members().len() as u32;
    let mut all = RawBits::default();
    for (i, member) in value.members().iter().enumerate() {
        let lane = if big_endian { count - 1 - i as u32 } else { i as u32 };
        all = all.or(RawBits::of(member, width).shl(lane * width));
    }
    all
}

/// The inverse of [`pack`].
pub(crate) fn unpack(raw: RawBits, len: u64, elem: &Shape, big_endian: bool) -> Val {
    let width = elem.scalar_bits().unwrap_or(1);
    let member = |i: u64| {
        let lane = if big_endian { len - 1 - i } else { i } as u32;
        let val = raw.slice(lane * width, width).to_val(width);
        match (elem, &val) {
            (Shape::Ptr(_), Val::Bits(addr)) => Val::ptr(*addr, Prov::WILDCARD),
            _ => val,
        }
    };
    Val::agg((0..len).map(member).collect())
}

fn fill_plane(plane: &mut Vec<u8>, size: usize, at: usize, len: usize, value: u8) {
    if plane.is_empty() && value != 0 {
        plane.resize(size, 0);
    }
    if !plane.is_empty() {
        plane[at..at + len].fill(value);
    }
}

fn copy_plane(plane: &mut Vec<u8>, size: usize, at: usize, source: &[u8], from: usize, len: usize) {
    if source.is_empty() {
        fill_plane(plane, size, at, len, 0);
        return;
    }
    if plane.is_empty() {
        plane.resize(size, 0);
    }
    plane[at..at + len].copy_from_slice(&source[from..from + len]);
}
