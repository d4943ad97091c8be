//! A pair over narrower integers: where the search is cheap. What is found there is a guess about the pair itself, and is
//! checked there.
//!
//! Numbers keep what they mean: small ones, positive or negative, stay what they are; a multiple of a sixteenth of
//! `2^width`, or a number beside one, is the same part of the narrower width's; a power of two that is the end of another
//! integer type is the end of what that becomes. Where going there and back gives something else, the next wider type is
//! tried.

use crate::proof::lang::number::{mask, signed};
use crate::refinement::FunctionRef;
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::retype::{int_widths, with_int_widths};
use backedge_ir::verify::verify_module;
use std::collections::{BTreeMap, BTreeSet};

/// What the narrowest of the wide integers becomes.
const NARROWEST: [u32; 4] = [8, 10, 12, 16];
/// Integers of up to this many bits stay as they are: the narrowest type that others become has as many.
const SMALL: u32 = 8;
/// A type that is at most this many bits wider than another one stays so, such as an `i33` for sums of `i32`.
const FEW_BITS: u32 = 4;

/// Which widths became which.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Widths {
    narrow: BTreeMap<u32, u32>,
    wide: BTreeMap<u32, u32>,
}

/// Both functions over narrower integers, each in a module of its own. All ids are the same.
pub(in crate::proof) struct Narrow {
    pub(in crate::proof) source: Module,
    pub(in crate::proof) target: Module,
    pub(in crate::proof) widths: Widths,
}

/// The pair over integers as narrow as its constants allow, if any can be narrowed.
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
    /// Narrower widths, from `first` on, for those of `own` that are not small; none that is in `others` or stays.
    fn new(own: &BTreeSet<u32>, others: &BTreeSet<u32>, first: u32) -> Option<Self> {
        let taken = |width: u32| (width <= SMALL && own.contains(&width)) || others.contains(&width);
        let mut narrow: BTreeMap<u32, u32> = BTreeMap::new();
        for &width in own.iter().filter(|w| **w > SMALL) {
            let new = match narrow.last_key_value() {
                None => first,
                // What is a few bits wider, or twice as wide, stays so.
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
    /// What a narrow width was. What facts say of a few bits more than a type has is said of as many more.
    pub(in crate::proof) fn wide(&self, width: u32) -> Option<u32> {
        let (narrow, wide) = self.wide.range(..=width).next_back()?;
        let more = width - narrow;
        (more <= FEW_BITS).then_some(wide + more)
    }
    /// How many times more bytes integers took, of each width.
    pub(in crate::proof) fn ratios(&self) -> BTreeSet<u128> {
        self.narrow.iter().map(|(w, n)| u128::from(w.div_ceil(8) / n.div_ceil(8))).collect()
    }
    /// A number of the functions over narrow integers, if it has a counterpart.
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
    /// What a number of the pair over narrow integers stands for, if that is clear.
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

/// The counterpart of a number that is the end of another, narrower integer type, or beside it.
fn end_of(map: &BTreeMap<u32, u32>, number: u128, width: u32) -> Option<u128> {
    map.iter().filter(|(w, _)| **w < width).find_map(|(from, to)| {
        let by = number.wrapping_sub(1 << from) as i128;
        (-2..=2).contains(&by).then(|| (1u128 << to).wrapping_add(by as u128))
    })
}

/// The counterpart of a multiple of a sixteenth of `2^from`, or of a number beside one.
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
    fn numbers_go_there_and_back_or_not_at_all() {
        let widths = widths(&[32, 64], 8);
        let narrow = |width, bits| widths.narrowed(Int::new(width, bits)).map(Int::bits);
        assert_eq!(narrow(32, 7), Some(7));
        assert_eq!(narrow(32, 0xffff_fff8), Some(0xf8));
        assert_eq!(narrow(32, 0x8000_0000), Some(0x80));
        assert_eq!(narrow(32, 0x7fff_ffff), Some(0x7f));
        assert_eq!(narrow(64, 1 << 60), Some(1 << 12));
        assert_eq!(narrow(64, 0xffff_ffff), Some(0xff));
        // The end of what i32 became, and a sixteenth of it.
        assert_eq!((narrow(64, 256), narrow(32, 16)), (None, None));
        assert_eq!(narrow(32, 1_000_000), None);
        for bits in 0..256 {
            if let Some(wide) = widths.widened(bits, 8) {
                assert!(narrow(32, wide).is_none_or(|back| back == bits), "{bits}");
            }
        }
    }
}
