//! Several dimensions recovered from one subscript: `%n * i1 + i2`, where `i2` is known to be at least 0 and less than
//! `%n`, is the element `i2` of row `i1`.
//!
//! An index `F` is `E * A + B` in ℤ, with `0 <= B < E` where the access executes. This is required exactly:
//!
//! - `F` and `B` equal the sums of their terms in ℤ, as signed: all recurrences and sums of both are `nsw` there, or
//!   the range of the terms, from loop guards and trip counts, fits the type. `A` is built from the terms of `F` that
//!   are multiples of `E` in ℤ. So `A` is `(F - B) / E` in ℤ, which is at most `F`, and no form of it wraps either.
//! - ScalarEvolution knows both comparisons at the block of the access.
//!
//! Alternatively `F` is a sum of products in ℤ according to the code that computes it ([`super::polynomial`]), and
//! `E` is one of its factors or constants. Then `A` is built from the terms that are multiples of `E` in ℤ as
//! written, and `B` equals the sum of its terms in ℤ because their ranges fit the type. `A` is `F / E` rounded down,
//! whatever its parts are. So `(i * n + j) * m + k` is `k` in row `j` of plane `i`, although nothing is known about
//! `n * m`.
//!
//! The idea is from "Optimistic Delinearization of Parametrically Sized Arrays" (T. Grosser and others, 2015),
//! without its optimism: nothing is assumed.

use super::polynomial::{Extent, Polynomial, Product};
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::inst::{IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_scev::expr::{Cast, NAry, Node};
use backedge_scev::{Expr, ScalarEvolution};

/// Limit on the number of nested recurrences of one subscript that are decomposed: bounds the time for one subscript,
/// which stays one dimension beyond it.
const MOST_LOOPS: usize = 8;
/// Limit on the recovered dimensions of one subscript: each needs proofs by ScalarEvolution. The outermost dimension
/// keeps the rest.
const MOST_DIMENSIONS: usize = 6;

/// An index as the subscripts of several dimensions.
#[derive(Debug)]
pub(super) struct Recovered {
    /// The subscripts, innermost dimension first; at least two.
    pub(super) subscripts: Vec<Expr>,
    /// The extents of all dimensions but the outermost, in elements, innermost first.
    pub(super) extents: Vec<Expr>,
}

/// Splits `index`, an integer that is read in `block`, into several subscripts.
pub(super) fn delinearize(scev: &mut ScalarEvolution<'_>, index: Expr, block: Block) -> Option<Recovered> {
    let mut terms = Terms::of(scev, index)?;
    if terms.steps.len() < 2 || !is_exact(scev, index, block) {
        return None;
    }
    let (mut subscripts, mut extents) = (Vec::new(), Vec::new());
    while subscripts.len() + 1 < MOST_DIMENSIONS
        && let Some((extent, inner, outer)) = terms.split(scev, block)
    {
        subscripts.push(inner);
        extents.push(extent);
        terms = outer;
    }
    if extents.is_empty() {
        return None;
    }
    subscripts.push(terms.sum(scev));
    Some(Recovered { subscripts, extents })
}

/// Splits the sum of `indices`, which neither wrap nor are poison in `block`, into several subscripts of `width`
/// bits, using the code that computes it.
pub(super) fn by_products(
    scev: &mut ScalarEvolution<'_>,
    indices: &[Value],
    block: Block,
    width: u32,
) -> Option<Recovered> {
    let mut left = Polynomial::default();
    for index in indices {
        left = left.plus(&Polynomial::of(scev.body(), *index)?, 1)?;
    }
    let (mut subscripts, mut extents) = (Vec::new(), Vec::new());
    while subscripts.len() + 1 < MOST_DIMENSIONS
        && left.0.len() > 1
        && let Some((extent, inner, outer)) = row(scev, &left, block, width)
    {
        subscripts.push(inner);
        extents.push(extent);
        left = outer;
    }
    if extents.is_empty() {
        return None;
    }
    subscripts.push(sum(scev, &left, width)?);
    Some(Recovered { subscripts, extents })
}

/// The first extent that divides some terms and exceeds the sum of the others; returns it with the sum of the others
/// and the quotients, both of which vary with a loop.
fn row(
    scev: &mut ScalarEvolution<'_>,
    of: &Polynomial,
    block: Block,
    most: u32,
) -> Option<(Expr, Expr, Polynomial)> {
    let mut candidates: Vec<(i128, u32, Extent)> = Vec::new();
    for (product, constant) in &of.0 {
        if *constant > 1 {
            candidates.push((*constant, 0, Extent::Constant(*constant)));
        }
        for factor in product {
            let expr = scev.expr(*factor)?;
            if !scev.arena().has_add_rec(expr) {
                candidates.push((i128::MAX, scev.arena().size(expr), Extent::Value(*factor)));
            }
        }
    }
    candidates.sort_by_key(|(constant, size, _)| (*constant, *size));
    candidates.into_iter().find_map(|(.., extent)| {
        let (outer, inner) = of.divided(extent);
        // A constant offset larger than all columns is not a row.
        if !varies(scev, &outer) || inner.0.is_empty() {
            return None;
        }
        let of_inner = inner.0.keys().flatten().map(|factor| scev.body().ty(*factor).int_bits());
        let widths: Option<Vec<u32>> = of_inner.collect();
        let (extent, of_extent) = match extent {
            Extent::Constant(value) => (Err(value), 1),
            Extent::Value(value) => (Ok(scev.expr(value)?), scev.body().ty(value).int_bits()?),
        };
        let width = widths?.into_iter().chain([of_extent]).max().filter(|width| *width <= most)?;
        let below = sum(scev, &inner, width)?;
        let extent = match extent {
            Ok(expr) => scev.trunc_or_sext(expr, width),
            Err(value) if fits(value, width) => scev.int(width, value),
            Err(_) => return None,
        };
        let is_within = scev.arena().has_add_rec(below)
            && is_in_range(scev, &inner, width)
            && is_column(scev, below, extent, block);
        is_within.then_some((extent, below, outer))
    })
}

/// Whether it varies with a loop.
fn varies(scev: &mut ScalarEvolution<'_>, of: &Polynomial) -> bool {
    let factors: Vec<Value> = of.0.keys().flatten().copied().collect();
    factors.into_iter().any(|factor| scev.expr(factor).is_some_and(|expr| scev.arena().has_add_rec(expr)))
}

/// The sum modulo 2^width.
fn sum(scev: &mut ScalarEvolution<'_>, of: &Polynomial, width: u32) -> Option<Expr> {
    let mut terms = vec![scev.int(width, 0)];
    for (product, constant) in &of.0 {
        let mut factors = vec![scev.int(width, *constant)];
        for factor in product {
            let factor = scev.expr(*factor)?;
            factors.push(scev.trunc_or_sext(factor, width));
        }
        terms.push(scev.mul(&factors));
    }
    Some(scev.add(&terms))
}

/// Whether `0 <= of < extent` in `block`, as signed.
fn is_column(scev: &mut ScalarEvolution<'_>, of: Expr, extent: Expr, block: Block) -> bool {
    let zero = scev.int(scev.width(of), 0);
    scev.is_known_at(IntPredicate::Sge, of, zero, block)
        && scev.is_known_at(IntPredicate::Slt, of, extent, block)
        || is_counted_column(scev, of, extent, block)
}

/// The same for `i + first` in a loop whose iterations `i` counts: it holds in ℤ if it holds for the greatest `i`.
fn is_counted_column(scev: &mut ScalarEvolution<'_>, of: Expr, extent: Expr, block: Block) -> bool {
    let (l, first) = match scev.arena().node(of) {
        Node::AddRec(l, operands) if operands.len() == 2 => {
            let [first, step] = [operands[0], operands[1]].map(|operand| scev.as_constant(operand));
            (*l, first.filter(|first| first.signed() >= 0 && step.is_some_and(Int::is_one)))
        }
        _ => return false,
    };
    let Some(first) = first.filter(|_| scev.loops().contains(l, block)) else { return false };
    let Some(latch) = scev.loops().single_latch(&scev.cfg(), l) else { return false };
    let counts = scev.counts(l);
    let count = counts.exits.iter().find(|(exiting, count)| *exiting == latch && !count.never);
    let Some(last) = count.map(|(_, count)| count.exact).filter(|last| !scev.is_could_not_compute(*last))
    else {
        return false;
    };
    if scev.width(last) != scev.width(of) {
        return false;
    }
    // Dropping the extensions of nonnegative numbers loses nothing.
    let [mut last, mut extent] = [last, extent];
    if let (Node::Cast(Cast::ZExt | Cast::SExt, x), Node::Cast(Cast::ZExt | Cast::SExt, y)) =
        (scev.arena().node(last), scev.arena().node(extent))
        && scev.width(*x) == scev.width(*y)
    {
        (last, extent) = (*x, *y);
    }
    // `last = extent - less` in ℤ if the extent is at least `less`.
    let less = scev.sub(extent, last);
    let is_room = scev.as_constant(less).is_some_and(|less| less.signed() > first.signed());
    is_room && scev.is_known_at(IntPredicate::Sge, extent, less, block)
}

fn fits(value: i128, width: u32) -> bool {
    let half = 1i128 << (width.min(100) - 1);
    (-half..half).contains(&value)
}

/// Whether the sum fits signed integers of `width` bits for all values that its factors can have.
fn is_in_range(scev: &mut ScalarEvolution<'_>, of: &Polynomial, width: u32) -> bool {
    let mut term = |(product, constant): (&Product, &i128)| {
        product.iter().try_fold((*constant, *constant), |(lo, hi), factor| {
            let factor = scev.expr(*factor)?;
            let range = [scev.signed_min(factor), scev.signed_max(factor)].map(Int::signed);
            let mut ends = [0; 4];
            for (at, end) in ends.iter_mut().enumerate() {
                *end = [lo, hi][at / 2].checked_mul(range[at % 2])?;
            }
            Some((ends.into_iter().min()?, ends.into_iter().max()?))
        })
    };
    let sum = of.0.iter().try_fold((0i128, 0i128), |(lo, hi), next| {
        let (of_lo, of_hi) = term(next)?;
        Some((lo.checked_add(of_lo)?, hi.checked_add(of_hi)?))
    });
    sum.is_some_and(|(lo, hi)| fits(lo, width) && fits(hi, width))
}

/// The steps of recurrences, plus terms that are invariant in their loops.
#[derive(Clone, Default)]
struct Terms {
    /// Outermost loop first.
    steps: Vec<(LoopId, Expr)>,
    rest: Vec<Expr>,
    width: u32,
}

impl Terms {
    fn of(scev: &ScalarEvolution<'_>, index: Expr) -> Option<Self> {
        let (mut at, mut steps) = (index, Vec::new());
        while let Node::AddRec(l, operands) = scev.arena().node(at) {
            let [start, step] = operands[..] else { return None };
            if scev.arena().has_add_rec(step) || steps.len() == MOST_LOOPS {
                return None;
            }
            steps.push((*l, step));
            at = start;
        }
        steps.reverse();
        let rest = match scev.arena().node(at) {
            Node::NAry(NAry::Add, operands) => operands.to_vec(),
            Node::Constant(value) if value.is_zero() => Vec::new(),
            _ => vec![at],
        };
        Some(Self { steps, rest, width: scev.width(index) })
    }
    fn sum(&self, scev: &mut ScalarEvolution<'_>) -> Expr {
        let zero = scev.int(self.width, 0);
        let start = if self.rest.is_empty() { zero } else { scev.add(&self.rest) };
        self.steps.iter().fold(start, |start, (l, step)| scev.add_rec(*l, &[start, *step]))
    }
    /// The least extent that divides some of the terms and exceeds the sum of the others; returns it with the sum of
    /// the others and the quotients.
    fn split(&self, scev: &mut ScalarEvolution<'_>, block: Block) -> Option<(Expr, Expr, Self)> {
        let mut extents: Vec<Expr> = self.steps.iter().map(|(_, step)| *step).collect();
        let order =
            |of: &Expr| (scev.as_constant(*of).map_or(i128::MAX, |c| c.signed()), scev.arena().size(*of));
        extents.sort_by_key(order);
        extents.dedup();
        extents.into_iter().find_map(|extent| {
            if scev.as_constant(extent).is_some_and(|e| e.signed() < 2) {
                return None;
            }
            let mut inner = Self { width: self.width, ..Self::default() };
            let mut outer = inner.clone();
            for &(l, step) in &self.steps {
                match quotient(scev, step, extent, block) {
                    Some(times) => outer.steps.push((l, times)),
                    None => inner.steps.push((l, step)),
                }
            }
            for &term in &self.rest {
                match quotient(scev, term, extent, block) {
                    Some(times) => outer.rest.push(times),
                    None => inner.rest.push(term),
                }
            }
            if inner.steps.is_empty() {
                return None;
            }
            let below = inner.sum(scev);
            let is_within = is_exact(scev, below, block) && is_column(scev, below, extent, block);
            is_within.then_some((extent, below, outer))
        })
    }
}

/// The constant factor of `extent` as written, 1 if there is none. `None` for sums: a part of a sum may become a
/// multiple of 2^w as soon as the whole is multiplied.
pub(super) fn constant_factor(scev: &ScalarEvolution<'_>, extent: Expr) -> Option<i128> {
    match scev.arena().node(extent) {
        Node::Constant(value) => Some(value.signed()),
        Node::NAry(NAry::Mul, factors) => Some(scev.as_constant(factors[0]).map_or(1, |c| c.signed())),
        Node::NAry(NAry::Add, _) => None,
        _ => Some(1),
    }
}

/// Whether the signed value equals the sum of its terms in ℤ, each read as signed.
fn is_exact(scev: &mut ScalarEvolution<'_>, of: Expr, block: Block) -> bool {
    let width = scev.width(of);
    is_flagged_exact(scev, of, block)
        || range_of_terms(scev, of, block).is_some_and(|(lo, hi)| fits(lo, width) && fits(hi, width))
}

/// The minimum and maximum of the sum of the terms in ℤ, each read as signed.
fn range_of_terms(scev: &mut ScalarEvolution<'_>, of: Expr, block: Block) -> Option<(i128, i128)> {
    let sum = |a: (i128, i128), b: (i128, i128)| Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?));
    match scev.arena().node(of).clone() {
        Node::AddRec(l, operands) => {
            let [start, step] = operands[..] else { return None };
            let most = most_iterations(scev, l, block)?;
            let (lo, hi) = range_at(scev, step, block)?;
            let way = (lo.min(0).checked_mul(most)?, hi.max(0).checked_mul(most)?);
            sum(range_of_terms(scev, start, block)?, way)
        }
        Node::NAry(NAry::Add, operands) => {
            operands.iter().try_fold((0, 0), |all, operand| sum(all, range_of_terms(scev, *operand, block)?))
        }
        _ => range_at(scev, of, block),
    }
}

/// Upper bound on the backedge-taken count of a loop around the block, from its constant bound or the range of its
/// count.
fn most_iterations(scev: &mut ScalarEvolution<'_>, l: LoopId, block: Block) -> Option<i128> {
    if !scev.loops().contains(l, block) {
        return None;
    }
    let constant = scev.constant_max(l);
    let constant = scev.as_constant(constant).map(|most| most.bits() as i128);
    let latch = scev.loops().single_latch(&scev.cfg(), l);
    let counts = scev.counts(l);
    let count = counts.exits.iter().find(|(exiting, count)| Some(*exiting) == latch && !count.never);
    let count = count.map(|(_, count)| count.exact).filter(|exact| !scev.is_could_not_compute(*exact));
    let by_count = count.and_then(|count| {
        let guarded = scev.apply_guards(count, l);
        (scev.signed_min(guarded).signed() >= 0).then(|| scev.signed_max(guarded).signed())
    });
    constant.into_iter().chain(by_count).filter(|most| *most >= 0).min()
}

/// The signed minimum and maximum of a value that is invariant in all loops around the block.
fn range_at(scev: &mut ScalarEvolution<'_>, of: Expr, block: Block) -> Option<(i128, i128)> {
    let innermost = scev.loops().innermost(block)?;
    let outermost = scev.loops().ancestors(innermost).last()?;
    if scev.arena().has_add_rec(of) || !scev.is_invariant(of, outermost) {
        return None;
    }
    let guarded = scev.apply_guards(of, innermost);
    Some((scev.signed_min(guarded).signed(), scev.signed_max(guarded).signed()))
}

fn is_flagged_exact(scev: &ScalarEvolution<'_>, of: Expr, block: Block) -> bool {
    let is_nsw = || scev.flags_at(of, block).nsw();
    match scev.arena().node(of) {
        Node::AddRec(_, operands) => {
            operands.len() == 2 && is_nsw() && is_flagged_exact(scev, operands[0], block)
        }
        Node::NAry(NAry::Add, operands) => {
            is_nsw() && operands.iter().all(|o| is_flagged_exact(scev, *o, block))
        }
        _ => true,
    }
}

/// `of / by`, if it is exact in ℤ, with both and the quotient read as signed.
fn quotient(scev: &mut ScalarEvolution<'_>, of: Expr, by: Expr, block: Block) -> Option<Expr> {
    if of == by {
        return Some(scev.int(scev.width(of), 1));
    }
    if let (Some(of), Some(by)) = (scev.as_constant(of), scev.as_constant(by)) {
        let (of, by, width) = (of.signed(), by.signed(), of.width());
        return (by > 1 && of % by == 0).then(|| scev.int(width, of / by));
    }
    let Node::NAry(NAry::Mul, factors) = scev.node(of) else { return None };
    let [x, y] = factors[..] else { return None };
    let is_product = scev.flags_at(of, block).nsw() || {
        let ranges = [range_at(scev, x, block)?, range_at(scev, y, block)?];
        let ends = [0, 1, 2, 3].map(|at| {
            let [a, b] = ranges;
            [a.0, a.1][at / 2].checked_mul([b.0, b.1][at % 2]).is_some_and(|end| fits(end, scev.width(of)))
        });
        ends.into_iter().all(|fits| fits)
    };
    if !is_product {
        return None;
    }
    if x == by {
        Some(y)
    } else if y == by {
        Some(x)
    } else {
        None
    }
}
