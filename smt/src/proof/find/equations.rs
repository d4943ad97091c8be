//! Candidate equations: affine relations of columns modulo `2^width`, by Gaussian elimination.

use crate::proof::find::columns::Column;
use crate::proof::lang::fact::{Fact, Linear, Owner, Reading};
use crate::proof::lang::number::{inverse, mask, signed};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Greater coefficients count as coincidences of the samples, unless they are multiples of a power of two near 2^width.
pub(in crate::proof) const LARGE: u128 = 4096;

/// Equations that hold in all samples.
pub(in crate::proof) fn equations(columns: &[Column]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut basis: Vec<usize> = Vec::new();
    for (i, column) in columns.iter().enumerate() {
        if column.part.atom.owner == Owner::Argument {
            basis.push(i);
            continue;
        }
        if !column.leaf {
            if column.part.reading.is_resized() {
                facts.extend(resized(columns, i));
            } else {
                basis.push(i);
            }
            continue;
        }
        let mut earlier: Vec<&Column> = columns[..i]
            .iter()
            .filter(|c| c.width == column.width && c.part.atom != column.part.atom)
            .collect();
        earlier.sort_by_key(|c| (c.name != column.name, !c.leaf, c.part.atom.owner == Owner::Argument));
        if column.part.atom.owner == Owner::Target {
            // That no run showed poison where an argument may be it says little.
            let but_poison = |c: &&&Column| {
                (c.poison.contains(&true) || c.part.atom.owner == Owner::Argument)
                    && (0..c.values.len()).all(|n| c.poison[n] || c.values[n] == column.values[n])
            };
            let weaker = earlier.iter().filter(but_poison).take(2);
            facts.extend(weaker.map(|c| Fact::EqualUnlessPoison(column.part, c.part)));
        }
        let first = column.values[0];
        if column.values.iter().all(|v| *v == first) && column.values.len() > 2 {
            facts.push(Fact::Linear(Linear::fixed(column.width, column.part, first)));
            facts.extend(by_chance(column, &earlier));
            if column.part.reading != Reading::Block {
                continue;
            }
        }
        let equal: Vec<&&Column> = earlier.iter().filter(|c| c.values == column.values).take(3).collect();
        for other in &equal {
            facts.push(Fact::Linear(Linear::equal(column.width, column.part, other.part)));
        }
        let varies = column.values.iter().collect::<FxHashSet<_>>().len() > 2;
        if equal.is_empty() && varies && column.part.reading != Reading::Block {
            let shifted = earlier.iter().filter_map(|c| Some((c, difference(column, c)?))).take(2);
            let shifted: Vec<Fact> = shifted
                .map(|(c, by)| Fact::Linear(Linear::shifted(column.width, column.part, c.part, by)))
                .collect();
            if shifted.is_empty() {
                let others: Vec<&Column> =
                    basis.iter().map(|b| &columns[*b]).filter(|c| c.width == column.width).collect();
                let resized =
                    columns[..i].iter().filter(|c| c.width == column.width && c.part.reading.is_resized());
                let others: Vec<&Column> = others.into_iter().chain(resized).collect();
                let found = relation(column, &others);
                if found.is_none() {
                    basis.push(i);
                }
                facts.extend(found.map(Fact::Linear));
            }
            facts.extend(shifted);
        } else if equal.is_empty() {
            basis.push(i);
        }
    }
    facts
}

/// That a number of the target, extended or truncated, is one of the source's: of several counters that the source has
/// the target keeps one, which may be narrower or wider than the one that addresses are made of. That the wide one's low
/// bits are the narrow one says less than that the narrow one, extended, is the wide one.
fn resized(columns: &[Column], at: usize) -> Option<Fact> {
    let column = &columns[at];
    let leaf = || columns.iter().any(|c| c.leaf && c.part.atom == column.part.atom);
    let varies = || column.values.iter().any(|v| *v != column.values[0]);
    if column.part.atom.owner != Owner::Target || !varies() || !leaf() {
        return None;
    }
    let same = |c: &&Column| {
        c.part.atom.owner == Owner::Source
            && c.leaf
            && (c.width, &c.values) == (column.width, &column.values)
            && !c.part.reading.is_resized()
    };
    let other = columns[..at].iter().find(same)?;
    Some(Fact::Linear(Linear::equal(column.width, column.part, other.part)))
}

/// What a number of the target that runs showed as one constant is equal to, should that be chance, as it is where memory
/// held the same everywhere, and of offsets of pointers to where blocks begin: numbers of the source, of the same name
/// best, or of arguments.
fn by_chance<'c>(column: &'c Column, earlier: &'c [&Column]) -> impl Iterator<Item = Fact> + 'c {
    /// Limit on the scalars that one scalar is equal to: a wrong partner is refuted later, and the others remain.
    const PARTNERS: usize = 3;
    let target = column.part.atom.owner == Owner::Target && column.part.reading != Reading::Block;
    let same = move |c: &&&Column| {
        let owned = match c.part.atom.owner {
            Owner::Argument => c.part.reading == Reading::Offset,
            Owner::Source => c.leaf,
            Owner::Target => false,
        };
        target && owned && c.values == column.values
    };
    let others = earlier.iter().filter(same).take(PARTNERS);
    others.map(|other| Fact::Linear(Linear::equal(column.width, column.part, other.part)))
}

/// By how much one column is above another one, if always by the same.
fn difference(column: &Column, other: &Column) -> Option<u128> {
    let by = column.values[0].wrapping_sub(other.values[0]) & mask(column.width);
    let same = |(a, b): (&u128, &u128)| a.wrapping_sub(*b) & mask(column.width) == by;
    column.values.iter().zip(&other.values).all(same).then_some(by)
}

/// How often a number is divisible by two.
fn twos(value: u128, width: u32) -> u32 {
    value.trailing_zeros().min(width)
}

/// A row of numbers, and of which columns it is the sum.
#[derive(Clone)]
pub(in crate::proof) struct Row {
    pub(in crate::proof) values: Vec<u128>,
    pub(in crate::proof) of: FxHashMap<usize, u128>,
}

impl Row {
    /// `self - factor * other`.
    fn minus(&self, other: &Self, factor: u128, width: u32) -> Self {
        let m = mask(width);
        let values =
            self.values.iter().zip(&other.values).map(|(a, b)| a.wrapping_sub(factor.wrapping_mul(*b)) & m);
        let mut of = self.of.clone();
        for (k, v) in &other.of {
            let entry = of.entry(*k).or_insert(0);
            *entry = entry.wrapping_sub(factor.wrapping_mul(*v)) & m;
        }
        Self { values: values.collect(), of }
    }
}

/// `column` as a sum of multiples of others and a constant, modulo `2^width`: Gaussian elimination in which pivots are
/// divided by the power of two that both sides have.
fn relation(column: &Column, others: &[&Column]) -> Option<Linear> {
    /// Limit on the columns from which one column is computed: elimination takes time that grows with the square.
    const MANY: usize = 20;
    let width = column.width;
    let mut rows: Vec<(usize, Row)> = Vec::new();
    let constant = vec![1u128; column.values.len()];
    let mut waiting: Vec<Row> = vec![Row { values: constant, of: FxHashMap::from_iter([(usize::MAX, 1)]) }];
    waiting.extend(
        others
            .iter()
            .take(MANY)
            .enumerate()
            .map(|(i, other)| Row { values: other.values.clone(), of: FxHashMap::from_iter([(i, 1)]) }),
    );
    let own = others.len();
    let steps = 64 * (waiting.len() + 1);
    let last = Row { values: column.values.clone(), of: FxHashMap::from_iter([(own, 1)]) };
    for row in waiting {
        reduce(row, &mut rows, width, true, steps);
    }
    let row = reduce(last, &mut rows, width, false, steps)?;
    let factor = *row.of.get(&own)?;
    if factor != 1 {
        return None;
    }
    let mut linear = Linear { width, summands: Vec::new(), constant: 0 };
    for (k, factor) in row.of {
        let size = signed(factor, width).unsigned_abs();
        if factor == 0 {
            continue;
        }
        if size > LARGE && twos(factor, width) + 3 < width && k != usize::MAX {
            return None;
        }
        if k == usize::MAX {
            linear.constant = factor;
        } else {
            let part = if k == own { column.part } else { others[k].part };
            linear.summands.push((factor, SmallVec::from_slice(&[part])));
        }
    }
    linear.summands.sort_by(|a, b| a.1.cmp(&b.1));
    (linear.summands.len() > 1).then_some(linear)
}
/// Subtracts rows from `row` until nothing is left, which is a relation, or none fits; then it is kept if `keep` says so.
pub(in crate::proof) fn reduce(
    mut row: Row,
    rows: &mut Vec<(usize, Row)>,
    width: u32,
    keep: bool,
    steps: usize,
) -> Option<Row> {
    for _ in 0..steps {
        let Some(pivot) = row.values.iter().position(|v| *v != 0) else { return Some(row) };
        let Some((_, other)) = rows.iter_mut().find(|(p, _)| *p == pivot) else {
            if keep {
                rows.push((pivot, row));
            }
            return None;
        };
        let (own, theirs) = (row.values[pivot], other.values[pivot]);
        if twos(own, width) < twos(theirs, width) {
            if !keep {
                return None;
            }
            std::mem::swap(&mut row, other);
            continue;
        }
        let down = twos(theirs, width);
        let inverse = inverse(theirs >> down, width);
        // Any number will do that is the quotient modulo 2^(width - down): the smallest one.
        let factor = signed((own >> down).wrapping_mul(inverse), width - down) as u128 & mask(width);
        row = row.minus(other, factor, width);
    }
    None
}
