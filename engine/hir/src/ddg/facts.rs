//! Facts about the code that a region was built from, for subscript tests.
//!
//! All facts hold while the region runs, however its tree was transformed. They cover variables that the region does
//! not write, pointers wherever they are used, and types. Bounds on trip counts are in [`crate::node::HlLoop::most`]
//! instead, which transforms keep valid.

use super::solve::Interval;
use crate::blob::{Blob, Blobs, Cast, NAry, Node as Tree, Temp};
use crate::ddref::Site;
use crate::node::Node;
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// No ranges for wider integers: sums of products of two values must fit an `i128`.
const WIDEST: u32 = 64;

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// The range of an integer that the region does not write, as unsigned or as signed.
    pub(crate) ranges: FxHashMap<(Node, Temp), Interval>,
    /// The same for blobs of loop bounds: extensions, quotients, sums.
    pub(crate) lengths: FxHashMap<(Node, Blob), Interval>,
    /// Pairs of pointers, the lower first, whose accesses reach disjoint memory, or common bytes that are never
    /// written.
    pub(crate) apart: FxHashSet<(Temp, Temp)>,
    /// Pairs of accesses, the lower first, whose executions never reach a common byte.
    pub(crate) sites_apart: FxHashSet<(Site, Site)>,
    /// Pointers through which nothing can be accessed: null where it is not an address, undef, poison.
    pub(crate) nowhere: FxHashSet<Temp>,
    /// The number of bytes that a load or store of a type reaches.
    pub(crate) bytes: FxHashMap<Type, u64>,
}

impl Facts {
    pub(super) fn are_apart(&self, a: Temp, b: Temp) -> bool {
        self.apart.contains(&(a.min(b), a.max(b)))
    }
    pub(super) fn are_sites_apart(&self, a: Site, b: Site) -> bool {
        self.sites_apart.contains(&(a.min(b), a.max(b)))
    }
    pub(super) fn bytes(&self, ty: Type) -> Option<i128> {
        let of_int = || ty.int_bits().map(|bits| u64::from(bits.div_ceil(8)));
        self.bytes.get(&ty).copied().or_else(of_int).map(i128::from)
    }
    /// An interval that contains an integer congruent to the value of `blob` modulo 2^width: the value in ℤ, read as
    /// unsigned or signed, or the result of the operations without wrapping.
    pub(super) fn range(&self, region: Node, blobs: &Blobs, blob: Blob) -> Interval {
        let mut parts = Vec::new();
        blobs.all_parts([blob], |part, _| parts.push(part));
        parts.sort_unstable();
        let mut known: FxHashMap<Blob, Interval> = FxHashMap::default();
        for part in parts {
            let width = blobs.width(part);
            let range = match width {
                1..=WIDEST if blobs.ty(part).is_int() => self.range_of_part(region, blobs, part, &known),
                _ => Interval::ALL,
            };
            known.insert(part, range);
        }
        known.get(&blob).copied().unwrap_or(Interval::ALL)
    }
    fn range_of_part(
        &self,
        region: Node,
        blobs: &Blobs,
        part: Blob,
        known: &FxHashMap<Blob, Interval>,
    ) -> Interval {
        let width = blobs.width(part);
        let of = |operand: &Blob| known.get(operand).copied().unwrap_or(Interval::ALL);
        // An integer within the unsigned or signed range equals the value read that way.
        let within = |range: Interval, all: Interval| if range.is_in(all) { range } else { all };
        let nary = |operands: &[Blob], all: Interval, join: fn(Interval, Interval) -> Interval| {
            let ranges = operands.iter().map(|o| within(of(o), all));
            ranges.reduce(join).unwrap_or(all)
        };
        match blobs.node(part) {
            Tree::Constant(value) => Interval::new(value.signed(), value.signed()),
            Tree::Temp(temp) => self.ranges.get(&(region, *temp)).copied().unwrap_or(unsigned(width)),
            _ if let Some(range) = self.lengths.get(&(region, part)) => *range,
            Tree::Cast(Cast::ZExt, operand) => within(of(operand), unsigned(blobs.width(*operand))),
            Tree::Cast(Cast::SExt, operand) => within(of(operand), signed(blobs.width(*operand))),
            // Congruence modulo a larger power of two implies congruence modulo a smaller one.
            Tree::Cast(Cast::Trunc, operand) if of(operand).is_in(unsigned(width)) => of(operand),
            Tree::Cast(Cast::Trunc, operand) if of(operand).is_in(signed(width)) => of(operand),
            Tree::Cast(Cast::Trunc | Cast::PtrToInt, _) => unsigned(width),
            Tree::NAry(NAry::Add, operands) => {
                let sum = operands.iter().fold(Interval::ZERO, |sum, o| sum.plus(of(o)));
                if sum.is_in(signed(width)) || sum.is_in(unsigned(width)) { sum } else { unsigned(width) }
            }
            Tree::NAry(NAry::Mul, operands) => {
                let one = Interval::new(1, 1);
                let product = operands.iter().fold(one, |product, o| product_of(product, of(o)));
                let fits = product.is_in(signed(width)) || product.is_in(unsigned(width));
                if fits { product } else { unsigned(width) }
            }
            Tree::NAry(NAry::UMax, operands) => nary(operands, unsigned(width), max),
            Tree::NAry(NAry::SMax, operands) => nary(operands, signed(width), max),
            Tree::NAry(NAry::UMin | NAry::UMinSeq, operands) => nary(operands, unsigned(width), min),
            Tree::NAry(NAry::SMin, operands) => nary(operands, signed(width), min),
            Tree::UDiv([left, right]) => {
                let left = within(of(left), unsigned(width));
                let by =
                    blobs.as_constant(*right).filter(|by| !by.is_zero()).map_or(1, |by| by.bits() as i128);
                // An unknown divisor is at least one, so the quotient is at most the dividend.
                let lo =
                    if blobs.as_constant(*right).is_some() { left.lo.map(|lo| lo / by) } else { Some(0) };
                Interval { lo, hi: left.hi.map(|hi| hi / by) }
            }
        }
    }
}

pub(super) fn unsigned(width: u32) -> Interval {
    Interval::new(0, (1 << width) - 1)
}

pub(super) fn signed(width: u32) -> Interval {
    Interval::new(-(1 << (width - 1)), (1 << (width - 1)) - 1)
}

fn max(a: Interval, b: Interval) -> Interval {
    // An open lower bound is less than any other.
    Interval { lo: a.lo.max(b.lo), hi: a.hi.zip(b.hi).map(|(a, b)| a.max(b)) }
}

fn min(a: Interval, b: Interval) -> Interval {
    max(a.negated(), b.negated()).negated()
}

pub(super) fn product_of(a: Interval, b: Interval) -> Interval {
    let ends = [a.lo, a.hi].into_iter().flat_map(|x| [b.lo, b.hi].map(|y| x?.checked_mul(y?)));
    let Some(ends) = ends.collect::<Option<Vec<i128>>>() else { return Interval::ALL };
    Interval { lo: ends.iter().copied().min(), hi: ends.iter().copied().max() }
}
