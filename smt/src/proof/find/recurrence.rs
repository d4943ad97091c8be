//! Sums that a loop has gathered as polynomials of its other numbers: `2·s = i·i - i` of the sum of `0` to `i - 1`.
//!
//! The sum of a polynomial of degree `d - 1` over a counter is one of degree `d` with integers over `d!`. The power of two
//! in `d!` can't be divided by modulo `2^width`, so that the equation is looked for, and told, modulo as many bits more, of
//! extended numbers.

use crate::proof::find::columns::Column;
use crate::proof::find::equations::{LARGE, Row, reduce};
use crate::proof::lang::fact::{AHEAD, Fact, Linear, Owner, Part, Product, RETURNED, Reading};
use crate::proof::lang::number::{WIDEST, mask, signed};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit on the numbers that a polynomial is built from: subsets of them are tried.
const MANY_VARIABLES: usize = 6;
/// Samples beyond the number of products that an equation must fit: with fewer it holds by chance.
const SPARE_SAMPLES: usize = 3;
/// Limit on the numbers for which a polynomial is looked for.
const MANY_SUMS: usize = 6;
/// Degrees that are tried for so many variables, each with what the sum is multiplied by.
const DEGREES: [&[(usize, u128)]; 3] = [&[(2, 2), (3, 6), (4, 24)], &[(2, 2), (3, 6)], &[(2, 2), (3, 2)]];

/// Equations of columns that are polynomials of others, but no sums of multiples of these. `basis` are those that are not
/// known to be such.
pub(in crate::proof) fn recurrences(columns: &[Column], basis: &[usize]) -> Vec<Fact> {
    let own: Vec<&Column> = basis.iter().map(|b| &columns[*b]).filter(|c| is_number(c)).collect();
    let mut facts = Vec::new();
    let sums = own.iter().filter(|c| c.part.atom.owner != Owner::Argument);
    for sum in sums.take(MANY_SUMS) {
        let mut others: Vec<&Column> = own.iter().copied().filter(|c| c.part.atom != sum.part.atom).collect();
        others.sort_by_key(|c| {
            c.part.atom.owner != sum.part.atom.owner && c.part.atom.owner != Owner::Argument
        });
        others.truncate(MANY_VARIABLES);
        let tries = subsets(others.len());
        let found = [false, true].into_iter().find_map(|signed| {
            tries.iter().find_map(|set| {
                let variables: Vec<&Column> = set.iter().map(|i| others[*i]).collect();
                DEGREES[set.len() - 1].iter().find_map(|shape| polynomial(sum, &variables, *shape, signed))
            })
        });
        facts.extend(found.map(Fact::Linear));
    }
    facts
}

/// Whether a column can be part of a polynomial: an integer of the state that is not always the same.
fn is_number(column: &Column) -> bool {
    let atom = column.part.atom;
    let at_hand = atom.owner == Owner::Argument || atom.value == RETURNED || atom.value & AHEAD == 0;
    column.leaf
        && at_hand
        && column.part.reading == Reading::Whole
        && (4..WIDEST).contains(&column.width)
        && column.values.iter().any(|v| *v != column.values[0])
}

/// One, two, or three of so many.
fn subsets(count: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = (0..count).map(|i| vec![i]).collect();
    for size in 2..=3 {
        let smaller: Vec<Vec<usize>> = found.iter().filter(|s| s.len() == size - 1).cloned().collect();
        for set in smaller {
            found.extend((set[set.len() - 1] + 1..count).map(|i| [&set[..], &[i]].concat()));
        }
    }
    found
}

/// Products of up to `degree` of so many variables, each product as a list of variables; small ones first.
fn products(count: usize, degree: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    let mut last = found.clone();
    for _ in 0..degree {
        let longer = last.iter().flat_map(|product| {
            let from = product.last().copied().unwrap_or(0);
            (from..count).map(move |i| [&product[..], &[i]].concat())
        });
        last = longer.collect();
        found.extend(last.iter().cloned());
    }
    found
}

/// `times·sum` as a polynomial of the variables, if it is one in all samples.
fn polynomial(
    sum: &Column,
    variables: &[&Column],
    (degree, times): (usize, u128),
    with_sign: bool,
) -> Option<Linear> {
    let modulus = sum.width + times.trailing_zeros();
    if modulus > WIDEST {
        return None;
    }
    let products = products(variables.len(), degree);
    let value = |column: &Column, n: usize| {
        if with_sign { signed(column.values[n], column.width) as u128 } else { column.values[n] }
    };
    let samples: FxHashSet<Vec<u128>> =
        (0..sum.values.len()).map(|n| variables.iter().map(|v| v.values[n]).collect()).collect();
    if samples.len() < products.len() + SPARE_SAMPLES {
        return None;
    }
    let steps = 64 * (products.len() + 1);
    let mut rows: Vec<(usize, Row)> = Vec::new();
    for (k, product) in products.iter().enumerate() {
        let values = (0..sum.values.len()).map(|n| {
            product.iter().fold(1u128, |x, v| x.wrapping_mul(value(variables[*v], n))) & mask(modulus)
        });
        let row = Row { values: values.collect(), of: FxHashMap::from_iter([(k, 1)]) };
        reduce(row, &mut rows, modulus, true, steps);
    }
    let values = sum.values.iter().map(|v| v.wrapping_mul(times) & mask(modulus)).collect();
    let row = reduce(Row { values, of: FxHashMap::default() }, &mut rows, modulus, false, steps)?;
    // What is left of the row is nothing: the sum plus these products.
    let small = |factor: u128| signed(factor, modulus).unsigned_abs() <= LARGE;
    let used: Vec<(usize, u128)> = (0..products.len())
        .filter_map(|k| Some((k, *row.of.get(&k)?)).filter(|(_, factor)| *factor != 0))
        .collect();
    let is_new = used.iter().any(|(k, _)| products[*k].len() > 1);
    if !is_new || !used.iter().all(|(k, factor)| products[*k].is_empty() || small(*factor)) {
        return None;
    }
    // What all of it is a multiple of says nothing more.
    let twos = used.iter().map(|u| u.1.trailing_zeros()).min()?.min(times.trailing_zeros());
    let modulus = modulus - twos;
    let width = variables.iter().map(|v| v.width).chain([modulus, sum.width]).max()?;
    // Without the powers of two, with the sign.
    let scale = |factor: i128| ((factor >> twos) as u128) << (width - modulus) & mask(width);
    let part = |column: &Column, with_sign: bool| Part {
        reading: match (column.width == width, with_sign) {
            (true, _) => Reading::Whole,
            (false, true) => Reading::Sext(width),
            (false, false) => Reading::Zext(width),
        },
        ..column.part
    };
    let mut linear = Linear { width, summands: Vec::new(), constant: 0 };
    linear.summands.push((scale(times as i128), Product::from_slice(&[part(sum, false)])));
    for (k, factor) in used {
        let factor = scale(signed(factor, modulus + twos));
        if products[k].is_empty() {
            linear.constant = factor;
            continue;
        }
        let mut product: Product = products[k].iter().map(|v| part(variables[*v], with_sign)).collect();
        product.sort_unstable();
        linear.summands.push((factor, product));
    }
    linear.summands.sort_by(|a, b| a.1.cmp(&b.1));
    Some(linear)
}
