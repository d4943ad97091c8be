//! A copy of the pair over narrower integers, where the search is cheap. A proof of the copy is only a guess about the
//! pair itself, and is checked there.
//!
//! Numbers keep their meaning. Small positive or negative numbers are unchanged. A multiple of a sixteenth of
//! `2^width`, or a number next to one, becomes the same fraction of the narrow range. A power of two that is the limit
//! of another integer type becomes the limit of that type's narrow counterpart. If a number does not survive the round
//! trip, the next wider type is tried.

use crate::proof::lang::number::{mask, signed};
use crate::refinement::FunctionRef;
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::retype::{int_widths, with_int_widths};
use backedge_ir::verify::verify_module;
use std::collections::{BTreeMap, BTreeSet};

/// Widths that are tried for the narrowest of the wide integers.
const NARROWEST: [u32; 4] = [8, 10, 12, 16];
/// Integers up to this width are unchanged.
const SMALL: u32 = 8;
/// Difference in width up to which a type keeps its difference to the next narrower one.
const FEW_BITS: u32 = 4;

/// The mapping between original and narrow widths.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Widths {
    narrow: BTreeMap<u32, u32>,
    wide: BTreeMap<u32, u32>,
}

/// Both functions over narrower integers, each in its own module. All ids are unchanged.
pub(in crate::proof) struct Narrow {
    pub(in crate::proof) source: Module,
    pub(in crate::proof) target: Module,
    pub(in crate::proof) widths: Widths,
}

/// The pair over integers as narrow as its constants allow; `None` if none can be narrowed.
pub(in crate::proof) fn narrow(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Narrow> {
    let (mut own, mut others) = int_widths(source.module, source.func)?;
    let (own_too, others_too) = int_widths(target.module, target.func)?;
    own.extend(own_too);
    others.extend(others_too);
    NARROWEST.iter().find_map(|first| {
        let widths = Widths::new(&own, &others, *first)?;
        let copy = |of: FunctionRef<'_>| {
            let number = |int: Int| widths.narrowed(int);
            let copy = with_int_widths(of.module, of.func, &widths.narrow, &number).ok()?;
            verify_module(&copy).is_empty().then_some(copy)
        };
        let (source, target) = (copy(source)?, copy(target)?);
        Some(Narrow { source, target, widths })
    })
}

impl Widths {
    /// Maps the widths of `own` that are not small to narrower ones, starting with `first`. No result may be in
    /// `others` or be an unchanged width.
    fn new(own: &BTreeSet<u32>, others: &BTreeSet<u32>, first: u32) -> Option<Self> {
        let taken = |width: u32| (width <= SMALL && own.contains(&width)) || others.contains(&width);
        let mut narrow: BTreeMap<u32, u32> = BTreeMap::new();
        for &width in own.iter().filter(|w| **w > SMALL) {
            let new = match narrow.last_key_value() {
                None => first,
                // A type that is a few bits wider, or twice as wide, stays so.
                Some((last, new)) if width - last <= FEW_BITS => new + (width - last),
                Some((_, last)) => {
                    let half = narrow.get(&(width / 2)).filter(|_| width % 2 == 0);
                    half.map_or(last + 4, |half| (2 * half).max(last + 1))
                }
            };
            if taken(new) {
                return None;
            }
            narrow.insert(width, new.min(width));
        }
        let wide: BTreeMap<u32, u32> = narrow.iter().map(|(w, n)| (*n, *w)).collect();
        let shrinks = narrow.iter().any(|(w, n)| n < w);
        (shrinks && wide.len() == narrow.len()).then_some(Self { narrow, wide })
    }
    /// The original of a narrow width. A width a few bits above a type's maps to the original plus the same number of
    /// bits.
    pub(in crate::proof) fn wide(&self, width: u32) -> Option<u32> {
        let (narrow, wide) = self.wide.range(..=width).next_back()?;
        let more = width - narrow;
        (more <= FEW_BITS).then_some(wide + more)
    }
    /// For each width, the ratio of the original size in bytes to the narrow size.
    pub(in crate::proof) fn ratios(&self) -> BTreeSet<u128> {
        self.narrow.iter().map(|(w, n)| u128::from(w.div_ceil(8) / n.div_ceil(8))).collect()
    }
    /// The narrow counterpart of a number of the original functions, if it has one.
    fn narrowed(&self, int: Int) -> Option<Int> {
        let (from, bits) = (int.width(), int.bits());
        let to = *self.narrow.get(&from)?;
        let value = signed(bits, from);
        let small = value.unsigned_abs() < 1 << (to - 2);
        let found = match end_of(&self.narrow, bits, from) {
            Some(found) => found,
            None if small => value as u128,
            None => share(bits, from, to)?,
        };
        let found = found & mask(to);
        (self.widened(found, to)? == bits).then(|| Int::new(to, found))
    }
    /// The original counterpart of a number of the narrow pair, if it is unambiguous.
    pub(in crate::proof) fn widened(&self, number: u128, from: u32) -> Option<u128> {
        let to = self.wide(from)?;
        if to == from {
            return Some(number);
        }
        let size = signed(number, from).unsigned_abs();
        let found = match end_of(&self.wide, number, from) {
            Some(found) => found,
            None if size < 1 << (from - 4) => signed(number, from) as u128,
            None => match share(number, from, to) {
                Some(found) => found,
                None if size < 1 << (from - 2) => signed(number, from) as u128,
                None => return None,
            },
        };
        Some(found & mask(to))
    }
}

/// The counterpart of a number that is at or next to the limit of another, narrower integer type.
fn end_of(map: &BTreeMap<u32, u32>, number: u128, width: u32) -> Option<u128> {
    map.iter().filter(|(w, _)| **w < width).find_map(|(from, to)| {
        let by = number.wrapping_sub(1 << from) as i128;
        (-2..=2).contains(&by).then(|| (1u128 << to).wrapping_add(by as u128))
    })
}

/// The counterpart of a multiple of a sixteenth of `2^from`, or of a number next to one.
fn share(number: u128, from: u32, to: u32) -> Option<u128> {
    [0i128, -1, 1, -2, 2].into_iter().find_map(|by| {
        let even = number.wrapping_sub(by as u128) & mask(from);
        let part = even >> (from - 4);
        let whole = part != 0 && even & mask(from - 4) == 0;
        whole.then(|| (part << (to - 4)).wrapping_add(by as u128) & mask(to))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(list: &[u32], first: u32) -> Widths {
        let own = list.iter().copied().collect();
        Widths::new(&own, &BTreeSet::new(), first).expect("narrower widths")
    }

    #[test]
    fn widths_stay_in_order_and_apart() {
        let of = |list: &[u32], first| widths(list, first).narrow.into_values().collect::<Vec<_>>();
        assert_eq!(of(&[1, 32], 8), [8]);
        assert_eq!(of(&[32, 64], 8), [8, 16]);
        assert_eq!(of(&[32, 33, 64], 8), [8, 9, 16]);
        assert_eq!(of(&[16, 32, 64, 128], 8), [8, 16, 32, 64]);
        let own = BTreeSet::from([8, 32]);
        assert!(Widths::new(&own, &BTreeSet::new(), 8).is_none());
        assert!(Widths::new(&BTreeSet::from([8]), &BTreeSet::new(), 10).is_none());
    }

    #[test]
    fn narrowed_numbers_round_trip_or_are_refused() {
        let widths = widths(&[32, 64], 8);
        let narrow = |width, bits| widths.narrowed(Int::new(width, bits)).map(Int::bits);
        assert_eq!(narrow(32, 7), Some(7));
        assert_eq!(narrow(32, 0xffff_fff8), Some(0xf8));
        assert_eq!(narrow(32, 0x8000_0000), Some(0x80));
        assert_eq!(narrow(32, 0x7fff_ffff), Some(0x7f));
        assert_eq!(narrow(64, 1 << 60), Some(1 << 12));
        assert_eq!(narrow(64, 0xffff_ffff), Some(0xff));
        // The limit of the narrow counterpart of i32, and a sixteenth of its range.
        assert_eq!((narrow(64, 256), narrow(32, 16)), (None, None));
        assert_eq!(narrow(32, 1_000_000), None);
        for bits in 0..256 {
            if let Some(wide) = widths.widened(bits, 8) {
                assert!(narrow(32, wide).is_none_or(|back| back == bits), "{bits}");
            }
        }
    }
}
