//! Run-time values. A scalar is poison, a bit pattern, a pointer, or a bit pattern with some `undef` bits. Aggregates
//! and vectors are lists of values and are never poison as a whole.
//!
//! Values have no type: every instruction knows the types of its operands. The representation is canonical, so
//! derived equality is equality of values: defined integers and floats of up to 64 bits are [`Val::Bits`], wider or
//! partly undefined ones are [`Val::Wide`], defined pointers are [`Val::Ptr`].

use backedge_ir::int::Int;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Provenance: the memory that a pointer may access.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Prov(pub(crate) u32);

impl Prov {
    /// No memory: null, and pointers made from nothing.
    pub const NONE: Self = Self(0);
    /// Any exposed allocation: the result of `inttoptr`. Each access uses the exposed live allocation that contains
    /// the address; allocations do not overlap, so at most one matches.
    pub const WILDCARD: Self = Self(1);
}

/// A pointer value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The address in bytes.
    pub addr: u64,
    /// Its provenance.
    pub prov: Prov,
}

impl Pointer {
    /// The pointer plus `bytes` bytes.
    pub(crate) fn advanced(self, bytes: u64) -> Self {
        Self { addr: self.addr.wrapping_add(bytes), ..self }
    }
    /// The null pointer.
    pub const NULL: Self = Self { addr: 0, prov: Prov::NONE };
}

/// A bit pattern with some `undef` bits: the set of all patterns that agree with `bits` outside `undef`. Positions
/// set in `undef` are clear in `bits`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Cube {
    /// The defined bits.
    #[serde(with = "hex")]
    pub bits: u128,
    /// The undefined bits.
    #[serde(with = "hex")]
    pub undef: u128,
}

/// Serializes numbers of more than 64 bits as text, because not every JSON reader accepts them.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bits: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{bits:#x}"))
    }
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x").ok_or_else(|| D::Error::custom("0x is missing"))?;
        u128::from_str_radix(digits, 16).map_err(D::Error::custom)
    }
}

impl Cube {
    /// A fully defined pattern.
    pub const fn known(bits: u128) -> Self {
        Self { bits, undef: 0 }
    }
    /// The pattern with the bits of `undef` undefined.
    pub const fn new(bits: u128, undef: u128) -> Self {
        Self { bits: bits & !undef, undef }
    }
    /// Whether no bit is undefined.
    pub const fn is_known(self) -> bool {
        self.undef == 0
    }
    /// The smallest member that is at least `at`, as unsigned integers.
    pub(crate) fn member_from(self, at: u128) -> Option<u128> {
        let unlike = (at ^ self.bits) & !self.undef;
        if unlike == 0 {
            return Some(at);
        }
        // The highest defined bit in which `at` differs from the members.
        let highest = 1 << unlike.ilog2();
        let below = highest | (highest - 1);
        if self.bits & highest != 0 {
            return Some(at & !below | self.bits & below);
        }
        // The bit is 1 in `at` and 0 in every member, so an undefined bit above it must increase.
        let open = self.undef & !at & !below;
        let lowest = open & open.wrapping_neg();
        (open != 0).then(|| at & !(lowest | (lowest - 1)) | lowest | self.bits & (lowest - 1))
    }
    /// The smallest member as an unsigned integer.
    pub(crate) fn min(self, width: u32) -> Int {
        Int::new(width, self.bits)
    }
    /// The largest member as an unsigned integer.
    pub(crate) fn max(self, width: u32) -> Int {
        Int::new(width, self.bits | self.undef)
    }
    /// The smallest member as a signed integer.
    pub(crate) fn smin(self, width: u32) -> Int {
        Int::new(width, self.bits | self.undef & sign_bit(width))
    }
    /// The largest member as a signed integer.
    pub(crate) fn smax(self, width: u32) -> Int {
        Int::new(width, self.bits | self.undef & !sign_bit(width))
    }
    /// Whether `pattern` is a member.
    pub(crate) fn may_be(self, pattern: u128) -> bool {
        (self.bits ^ pattern) & !self.undef == 0
    }
}

/// The sign bit at `width`.
pub(crate) const fn sign_bit(width: u32) -> u128 {
    1 << (width - 1)
}

/// The low `width` bits set, for widths from 0 to 128.
pub(crate) const fn mask(width: u32) -> u128 {
    if width == 0 { 0 } else { u128::MAX >> (128 - width) }
}

/// A value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Val {
    /// `poison`, of a scalar type.
    Poison,
    /// An integer or float of up to 64 bits; the bits above its width are clear.
    Bits(u64),
    /// A pointer without undefined bits.
    Ptr(Pointer),
    /// A scalar that is wider than 64 bits or has undefined bits. Each use chooses undefined bits again.
    Wide(Box<Cube>),
    /// The members of an array, struct or vector.
    Agg(Arc<Vec<Val>>),
}

/// Arguments of a call; small lists need no allocation.
pub(crate) type Args = smallvec::SmallVec<[Val; 6]>;

impl Val {
    /// An integer.
    pub fn int(value: Int) -> Self {
        Self::from_cube(value.width(), Cube::known(value.bits()))
    }
    /// `true` or `false`.
    #[inline]
    pub const fn bool(value: bool) -> Self {
        Self::Bits(value as u64)
    }
    /// The integer or float of `width` bits with that pattern.
    pub fn from_cube(width: u32, cube: Cube) -> Self {
        let cube = Cube::new(cube.bits & mask(width), cube.undef & mask(width));
        match u64::try_from(cube.bits) {
            Ok(bits) if width <= 64 && cube.is_known() => Self::Bits(bits),
            _ => Self::Wide(Box::new(cube)),
        }
    }
    /// `undef` of a scalar of `width` bits.
    pub fn undef(width: u32) -> Self {
        Self::Wide(Box::new(Cube::new(0, mask(width))))
    }
    /// A pointer.
    pub const fn ptr(addr: u64, prov: Prov) -> Self {
        Self::Ptr(Pointer { addr, prov })
    }
    /// A list of members.
    pub fn agg(members: Vec<Self>) -> Self {
        Self::Agg(Arc::new(members))
    }
    /// The bits of a scalar; `None` for poison and for aggregates.
    pub fn cube(&self) -> Option<Cube> {
        match self {
            Self::Poison | Self::Agg(_) => None,
            Self::Bits(bits) => Some(Cube::known((*bits).into())),
            Self::Ptr(p) => Some(Cube::known(p.addr.into())),
            Self::Wide(cube) => Some(**cube),
        }
    }
    /// The integer, if it is fully defined.
    pub fn as_int(&self, width: u32) -> Option<Int> {
        self.cube().filter(|c| c.is_known()).map(|c| Int::new(width, c.bits))
    }
    /// The members of an aggregate; a scalar has none.
    pub fn members(&self) -> &[Self] {
        if let Self::Agg(members) = self { members } else { &[] }
    }
    /// Whether a bit of the scalar, or of any member, is poison.
    pub fn has_poison(&self) -> bool {
        self.any_leaf(|v| *v == Self::Poison)
    }
    /// Whether a bit of the scalar, or of any member, is undefined or poison.
    pub fn has_undef_or_poison(&self) -> bool {
        self.any_leaf(|v| v.cube().is_none_or(|c| !c.is_known()))
    }
    /// Whether `test` holds for a scalar in this value.
    pub(crate) fn any_leaf(&self, test: impl Fn(&Self) -> bool) -> bool {
        let mut pending = vec![self];
        while let Some(value) = pending.pop() {
            match value {
                Self::Agg(members) => pending.extend(members.iter()),
                Self::Poison | Self::Bits(_) | Self::Ptr(_) | Self::Wide(_) if test(value) => return true,
                Self::Poison | Self::Bits(_) | Self::Ptr(_) | Self::Wide(_) => {}
            }
        }
        false
    }
}
