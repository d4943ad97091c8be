//! Several dimensions recovered from one subscript: `%n * i1 + i2`, where `i2` is known to be at least 0 and less than
//! `%n`, is the element `i2` of row `i1`.
//!
//! An index `F` is `E * A + B` in ℤ, with `0 <= B < E` where the access is executed. That is asked for exactly:
//!
//! - `F` and `B` are what their terms make in ℤ, as signed: all recurrences and sums of both are `nsw` there. What is taken
//!   from `F` to `A` is the multiples of `E` among its terms: multiples in ℤ. So `A` is `(F - B) / E` in ℤ, which is no more
//!   than `F`, and no form of it wraps around either.
//! - Both comparisons are known to ScalarEvolution at the block of the access.
//!
//! Source of the idea: "Optimistic Delinearization of Parametrically Sized Arrays" (T. Grosser and others, 2015), whose
//! optimism is left out: nothing is assumed.

use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::inst::IntPredicate;
use backedge_scev::expr::{NAry, Node};
use backedge_scev::{Expr, ScalarEvolution};

/// Recurrences within one another that are taken apart.
const MOST_LOOPS: usize = 8;
/// Dimensions that are recovered.
const MOST_DIMENSIONS: usize = 6;

/// An index as subscripts of several dimensions.
#[derive(Debug)]
pub(super) struct Recovered {
    /// The subscripts, of the innermost dimension first; at least two.
    pub(super) subscripts: Vec<Expr>,
    /// How many elements of each dimension, but the outermost, one of the next has: the innermost first.
    pub(super) extents: Vec<Expr>,
}

/// `index`, an integer that is read in `block`, as several subscripts.
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

/// A sum of recurrences' steps and of what does not vary with their loops.
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
    /// The least extent that divides some of the terms and is more than the others come to; the sum of these, and the
    /// quotients of those.
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
            let zero = scev.int(self.width, 0);
            let is_within = is_exact(scev, below, block)
                && scev.is_known_at(IntPredicate::Sge, below, zero, block)
                && scev.is_known_at(IntPredicate::Slt, below, extent, block);
            is_within.then_some((extent, below, outer))
        })
    }
}

/// The constant that all of `extent` is a multiple of by its form, 1 if there is none; `None` for sums, of which a part may be a
/// multiple of 2^w as soon as the whole is multiplied.
pub(super) fn constant_factor(scev: &ScalarEvolution<'_>, extent: Expr) -> Option<i128> {
    match scev.arena().node(extent) {
        Node::Constant(value) => Some(value.signed()),
        Node::NAry(NAry::Mul, factors) => Some(scev.as_constant(factors[0]).map_or(1, |c| c.signed())),
        Node::NAry(NAry::Add, _) => None,
        _ => Some(1),
    }
}

/// Whether the value is, as signed, what its terms make in ℤ, each taken as signed.
fn is_exact(scev: &ScalarEvolution<'_>, of: Expr, block: Block) -> bool {
    let is_nsw = || scev.flags_at(of, block).nsw();
    match scev.arena().node(of) {
        Node::AddRec(_, operands) => operands.len() == 2 && is_nsw() && is_exact(scev, operands[0], block),
        Node::NAry(NAry::Add, operands) => is_nsw() && operands.iter().all(|o| is_exact(scev, *o, block)),
        _ => true,
    }
}

/// `of / by`, if that is exact in ℤ, both and the quotient taken as signed.
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
    if !scev.flags_at(of, block).nsw() {
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
