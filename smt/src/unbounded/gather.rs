//! What loops gather in parts: a vectorized reduction has in each lane of each interleaved part what some of the rounds
//! gave, and the source has the same gathered in one number. Sums are linear; here are the other operations.
//!
//! They are associative and commutative, so two numbers are equal if they are gathered from the same ones, in whatever
//! order. That is seen of terms without the solver, which has a hard time with it. What products and extremes are of
//! numbers that are not the same is for the solver.

use crate::term::{Op, Term, Terms};
use crate::unbounded::candidates::Column;
use crate::unbounded::product::Pair;
use crate::unbounded::relation::{Fact, Linear, Owner, Part, Reading, mask, signed};
use backedge_ir::intrinsic::Intrinsic;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// An associative and commutative operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Gather {
    And,
    Or,
    Xor,
    Mul,
    UMin,
    UMax,
    SMin,
    SMax,
}

/// All of them.
const ALL: [Gather; 8] = [
    Gather::And,
    Gather::Or,
    Gather::Xor,
    Gather::Mul,
    Gather::UMin,
    Gather::UMax,
    Gather::SMin,
    Gather::SMax,
];
/// Numbers that one is gathered from, at most.
const MANY_LEAVES: usize = 512;
/// Interleaved parts of a reduction, at most.
const MANY_PARTS: usize = 8;

impl Gather {
    /// What two numbers give.
    pub(super) fn join(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let signed = matches!(self, Self::SMin | Self::SMax);
        match self {
            Self::And => terms.bv_and(a, b),
            Self::Or => terms.bv_or(a, b),
            Self::Xor => terms.bv_xor(a, b),
            Self::Mul => terms.mul(a, b),
            Self::UMin | Self::SMin | Self::UMax | Self::SMax => {
                let less = if signed { terms.slt(a, b) } else { terms.ult(a, b) };
                let (x, y) = if matches!(self, Self::UMin | Self::SMin) { (a, b) } else { (b, a) };
                terms.ite(less, x, y)
            }
        }
    }
    /// The same on numbers.
    pub(super) fn number(self, a: u128, b: u128, width: u32) -> u128 {
        let less = |a: u128, b: u128| signed(a, width) < signed(b, width);
        match self {
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
            Self::Mul => a.wrapping_mul(b) & mask(width),
            Self::UMin => a.min(b),
            Self::UMax => a.max(b),
            Self::SMin if less(a, b) => a,
            Self::SMax if less(b, a) => a,
            Self::SMin | Self::SMax => b,
        }
    }
    /// How it is written.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Mul => "mul",
            Self::UMin => "umin",
            Self::UMax => "umax",
            Self::SMin => "smin",
            Self::SMax => "smax",
        }
    }
    /// Whether a number that is gathered twice counts once.
    fn is_idempotent(self) -> bool {
        !matches!(self, Self::Xor | Self::Mul)
    }
    /// The two that a term joins.
    fn split(self, terms: &Terms, term: Term) -> Option<(Term, Term)> {
        let two = |op: Op| (terms.op(term) == op).then(|| (terms.args(term)[0], terms.args(term)[1]));
        let (order, least) = match self {
            Self::And => return two(Op::BvAnd),
            Self::Or => return two(Op::BvOr),
            Self::Xor => return two(Op::BvXor),
            Self::Mul => return two(Op::Mul),
            Self::UMin => (Op::Ult, true),
            Self::UMax => (Op::Ult, false),
            Self::SMin => (Op::Slt, true),
            Self::SMax => (Op::Slt, false),
        };
        if terms.op(term) != Op::Ite {
            return None;
        }
        let [test, yes, no] = *terms.args(term) else { return None };
        if terms.op(test) != order {
            return None;
        }
        let [a, b] = *terms.args(test) else { return None };
        let expected = if least { (a, b) } else { (b, a) };
        ((yes, no) == expected).then_some((a, b))
    }
    /// What the numbers are gathered from, sorted, if that is not too much.
    fn leaves(self, terms: &Terms, roots: &[Term]) -> Option<Vec<Term>> {
        let (mut found, mut work) = (Vec::new(), roots.to_vec());
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        while let Some(term) = work.pop() {
            if self.is_idempotent() && !seen.insert(term) {
                continue;
            }
            match self.split(terms, term) {
                Some((a, b)) => work.extend([a, b]),
                None => found.push(term),
            }
            if found.len() + work.len() > MANY_LEAVES {
                return None;
            }
        }
        found.sort_unstable();
        Some(found)
    }
    /// That `whole` is what `parts` give.
    pub(super) fn equation(self, terms: &mut Terms, whole: Term, parts: &[Term]) -> Option<Term> {
        let own = self.leaves(terms, &[whole]);
        if own.is_some() && own == self.leaves(terms, parts) {
            return Some(terms.bool(true));
        }
        let joined = self.joined(terms, parts)?;
        Some(terms.eq(whole, joined))
    }
    /// What `parts` give, one after the other.
    fn joined(self, terms: &mut Terms, parts: &[Term]) -> Option<Term> {
        let (first, rest) = parts.split_first()?;
        Some(rest.iter().fold(*first, |sum, part| self.join(terms, sum, *part)))
    }
    /// The operation of a reduction over the lanes of a vector.
    fn of(intrinsic: Intrinsic) -> Option<Self> {
        const REDUCTIONS: [(Intrinsic, Gather); 8] = [
            (Intrinsic::VectorReduceAnd, Gather::And),
            (Intrinsic::VectorReduceOr, Gather::Or),
            (Intrinsic::VectorReduceXor, Gather::Xor),
            (Intrinsic::VectorReduceMul, Gather::Mul),
            (Intrinsic::VectorReduceUMin, Gather::UMin),
            (Intrinsic::VectorReduceUMax, Gather::UMax),
            (Intrinsic::VectorReduceSMin, Gather::SMin),
            (Intrinsic::VectorReduceSMax, Gather::SMax),
        ];
        REDUCTIONS.iter().find(|(which, _)| *which == intrinsic).map(|(_, gather)| *gather)
    }
}

/// `root` where numbers that are gathered from the same ones are known to be equal: it holds in the same cases.
pub(super) fn settle(terms: &mut Terms, root: Term) -> Term {
    let same = |terms: &Terms, a: Term, b: Term| {
        let both = |by: &Gather| by.split(terms, a).is_some() && by.split(terms, b).is_some();
        ALL.into_iter().filter(both).any(|by| {
            let own = by.leaves(terms, &[a]);
            own.is_some() && own == by.leaves(terms, &[b])
        })
    };
    let equations = terms.cone(&[root]).into_iter().filter(|t| terms.op(*t) == Op::Eq);
    let known: Vec<Term> = equations.filter(|t| same(terms, terms.args(*t)[0], terms.args(*t)[1])).collect();
    if known.is_empty() {
        return root;
    }
    let yes = terms.bool(true);
    let known: FxHashMap<Term, Term> = known.into_iter().map(|equation| (equation, yes)).collect();
    terms.substitute(root, &known)
}

/// The reductions over lanes that the target makes.
fn reductions(pair: &Pair<'_>) -> FxHashSet<Intrinsic> {
    let program = &pair.target;
    let calls = program.body.all_insts().filter_map(|inst| program.body.inst(inst).call());
    let callees = calls.filter_map(|call| program.body.called_function(call.callee()));
    callees.filter_map(|func| program.function.module.env.funcs[func].intrinsic).collect()
}

/// What vectors of the target, one beside the other, may be the parts of: a number that the source holds, and the
/// columns that it may be gathered from, many before few.
fn wholes<'c>(columns: &'c [Column]) -> Vec<(&'c Column, Vec<Vec<&'c Column>>)> {
    let usable = |c: &&Column| c.leaf && c.part.reading == Reading::Whole;
    let varies = |c: &&Column| c.values.iter().any(|v| *v != c.values[0]);
    let mut vectors: BTreeMap<u32, Vec<&Column>> = BTreeMap::new();
    for column in columns.iter().filter(usable).filter(|c| c.part.atom.owner == Owner::Target) {
        vectors.entry(column.part.atom.value).or_default().push(column);
    }
    let vectors: Vec<Vec<&Column>> = vectors.into_values().filter(|lanes| lanes.len() > 1).collect();
    let of_source = columns.iter().filter(usable).filter(|c| c.part.atom.owner == Owner::Source);
    let windows = |whole: &Column| -> Vec<Vec<&'c Column>> {
        let lengths = (1..=vectors.len().min(MANY_PARTS)).rev();
        let windows = lengths.flat_map(|length| vectors.windows(length));
        let fits = windows.filter(|w| w.iter().all(|lanes| lanes[0].width == whole.width));
        fits.map(|window| window.concat()).collect()
    };
    of_source.filter(varies).map(|whole| (whole, windows(whole))).collect()
}

/// Numbers of the source that the target has in parts, and that these are poison with the whole only.
pub(super) fn gathers(pair: &Pair<'_>, columns: &[Column]) -> Vec<Fact> {
    let by: FxHashSet<Gather> = reductions(pair).into_iter().filter_map(Gather::of).collect();
    let mut facts = Vec::new();
    if by.is_empty() {
        return facts;
    }
    for (whole, windows) in wholes(columns) {
        for by in ALL.into_iter().filter(|g| by.contains(g)) {
            let of = |parts: &[&Column], n: usize| {
                let rest = parts[1..].iter().map(|part| part.values[n]);
                rest.fold(parts[0].values[n], |a, b| by.number(a, b, whole.width))
            };
            let same = |w: &&Vec<&Column>| (0..whole.values.len()).all(|n| of(w, n) == whole.values[n]);
            let Some(parts) = windows.iter().find(same) else { continue };
            let parts: Vec<Part> = parts.iter().map(|c| c.part).collect();
            facts.extend(parts.iter().map(|part| Fact::PoisonOnlyWith(part.atom, whole.part.atom)));
            facts.push(Fact::Gathers { width: whole.width, by, whole: whole.part, parts });
        }
    }
    facts
}

/// The same for sums.
pub(super) fn sums(pair: &Pair<'_>, columns: &[Column]) -> Vec<Fact> {
    if !reductions(pair).contains(&Intrinsic::VectorReduceAdd) {
        return Vec::new();
    }
    let sum = |(whole, windows): (&Column, Vec<Vec<&Column>>)| {
        let of = |parts: &[&Column], n: usize| {
            parts.iter().fold(0u128, |sum, part| sum.wrapping_add(part.values[n])) & mask(whole.width)
        };
        let same = |w: &&Vec<&Column>| (0..whole.values.len()).all(|n| of(w, n) == whole.values[n]);
        let parts = windows.iter().find(same)?;
        let minus = parts.iter().map(|c| (mask(whole.width), SmallVec::from_slice(&[c.part])));
        let mut summands = vec![(1, SmallVec::from_slice(&[whole.part]))];
        summands.extend(minus);
        summands.sort_by(|a, b| a.1.cmp(&b.1));
        Some(Fact::Linear(Linear { width: whole.width, summands, constant: 0 }))
    };
    wholes(columns).into_iter().filter_map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::{ALL, settle};
    use crate::term::{Assignment, Bits, Evaluator, Sort, Terms, Value};

    #[test]
    fn what_is_joined_is_what_the_numbers_give_in_whatever_order() {
        for by in ALL {
            let mut terms = Terms::default();
            let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, Sort::BitVec(3)));
            let (ab, bc) = (by.join(&mut terms, a, b), by.join(&mut terms, b, c));
            let (left, right) = (by.join(&mut terms, ab, c), by.join(&mut terms, a, bc));
            let same = terms.eq(left, right);
            assert_eq!(settle(&mut terms, same), terms.bool(true), "{by:?}");
            let other = terms.eq(ab, right);
            assert_ne!(settle(&mut terms, other), terms.bool(true), "{by:?}");
            assert_eq!(by.equation(&mut terms, right, &[c, b, a]), Some(terms.bool(true)), "{by:?}");
            for x in 0..512u128 {
                let numbers = [x & 7, x >> 3 & 7, x >> 6];
                let mut model = Assignment::default();
                for (variable, number) in [a, b, c].into_iter().zip(numbers) {
                    model.set(variable, Value::Bits(Bits::new(3, number)));
                }
                let mut evaluator = Evaluator::new(&terms, &model);
                let expected = by.number(by.number(numbers[0], numbers[1], 3), numbers[2], 3);
                assert_eq!(
                    evaluator.value(left).as_bits().and_then(Bits::to_u128),
                    Some(expected),
                    "{by:?} of {numbers:?}"
                );
                assert!(evaluator.truth(same), "{by:?} of {numbers:?}");
            }
        }
    }
}
