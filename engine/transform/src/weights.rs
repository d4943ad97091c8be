//! Branch weights, and their update when a transform divides a loop's iterations.
//!
//! The weights of an exit imply the loop's average trip count. They are wrong for the loops that a transform derives
//! from it. As in LLVM, new weights are set where the new trip count is known, and weights are dropped elsewhere.

use crate::counted::Exit;
use crate::pass::Unit;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;

/// First operand of LLVM's branch-weight metadata.
const WEIGHTS: &str = "branch_weights";

/// The weights of the successors of `branch`, in order, if it has weights.
pub(crate) fn of(env: &Env, body: &Body, branch: Inst) -> Option<Vec<u64>> {
    let MdRef::Node(id) = body.inst(branch).metadata_of(&MdKind::Prof)? else { return None };
    let operands = env.metadata.tuple(*id)?;
    let (Some(MdOperand::String(name)), rest) = (operands.first(), operands.get(1..)?) else { return None };
    let number = |operand: &MdOperand| match operand {
        MdOperand::Const(c) => u64::try_from(env.consts.as_int(*c)?.bits()).ok(),
        _ => None,
    };
    let weights: Vec<u64> = rest.iter().filter_map(number).collect();
    (&**name == WEIGHTS && weights.len() == body.inst(branch).successors().len()).then_some(weights)
}

/// The weights of staying in and leaving the loop at `exit`.
pub(crate) fn of_exit(env: &Env, body: &Body, exit: &Exit) -> Option<[u64; 2]> {
    let weights = of(env, body, body.terminator(exit.block)?)?;
    let [a, b] = weights[..] else { return None };
    Some(if exit.stay_at == 0 { [a, b] } else { [b, a] })
}

/// The only exit of `exits` with weights, and the average trip count that they imply; `None` unless exactly one exit
/// has weights.
pub(crate) fn telling<'e>(env: &Env, body: &Body, exits: &'e [Exit]) -> Option<(&'e Exit, u64)> {
    let passed = exits.iter().filter(|e| e.passed && e.stay.is_some() && e.leave.is_some());
    let mut telling = passed.filter_map(|e| Some((e, of_exit(env, body, e)?)));
    let (exit, [stay, leave]) = telling.next()?;
    telling.next().is_none().then_some((exit, stay.checked_div(leave)?.saturating_add(1)))
}

/// Drops the profile metadata of the terminators of `blocks`.
pub(crate) fn forget(editor: &mut Editor<'_>, blocks: impl IntoIterator<Item = Block>) {
    for block in blocks {
        if let Some(branch) = editor.body().terminator(block)
            && editor.body().inst(branch).metadata_of(&MdKind::Prof).is_some()
        {
            editor.retain_metadata(branch, |kind| *kind != MdKind::Prof);
        }
    }
}

/// Sets the weights of the two-way branch of `block` so that it leaves in one of `trips` iterations. The successor at
/// index `stay_at` stays in the loop.
pub(crate) fn expect(unit: &mut Unit<'_>, block: Block, stay_at: usize, trips: u64) {
    let stays = trips.saturating_sub(1);
    set(unit, block, &if stay_at == 0 { [stays, 1] } else { [1, stays] });
}

/// Sets the weights of the two-way branch of `block` so that it takes its first successor with `probability`.
pub(crate) fn expect_first(unit: &mut Unit<'_>, block: Block, probability: Probability) {
    set(unit, block, &[probability.0, probability.not().0]);
}

/// Sets the weights of the branch or switch of `block`. Does nothing unless the terminator has more than one
/// successor, one weight is given for each, and a weight is nonzero.
pub(crate) fn set(unit: &mut Unit<'_>, block: Block, weights: &[u64]) {
    let (env, body) = unit.env_and_body();
    let ways = |b: &Inst| body.inst(*b).successors().len();
    let Some(branch) = body.terminator(block).filter(|b| ways(b) > 1 && ways(b) == weights.len()) else {
        return;
    };
    if weights.iter().all(|w| *w == 0) {
        return;
    }
    let weights = fitted(weights).map(|w| MdOperand::Const(env.consts.int(Int::new(32, u128::from(w)))));
    let operands = std::iter::once(MdOperand::String(WEIGHTS.into())).chain(weights).collect();
    let node = env.metadata.add(false, MdBody::Tuple(operands));
    unit.editor().set_metadata(branch, MdKind::Prof, MdRef::Node(node));
}

/// Weights of a branch around a loop that is nearly always entered, as in LLVM: used if the loop has a profile that
/// implies no better estimate.
pub(crate) const SELDOM: [u64; 2] = [1, 127];

/// Scales weights down to 32 bits, keeping their ratio.
fn fitted(weights: &[u64]) -> impl Iterator<Item = u32> {
    let bits = u64::BITS - weights.iter().max().map_or(u64::BITS, |w| w.leading_zeros());
    let excess = bits.saturating_sub(u32::BITS);
    // A nonzero weight must not become zero.
    weights.iter().map(move |w| u32::try_from((w >> excess).max(*w.min(&1))).unwrap_or(u32::MAX))
}

/// Weights of a header test after rotation, when the test is executed once before the loop and then at its end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rotated {
    /// How often the loop is entered, and how often it is skipped.
    pub(crate) guard: [u64; 2],
    /// How often the backedge is taken, and how often the loop is left.
    pub(crate) latch: [u64; 2],
}

impl Rotated {
    /// `stay` and `leave` are the weights of the header test. If the loop has no other exit, it is entered as often
    /// as it is left. If it averages at least one iteration, the weights do not show how often it makes none: assume
    /// [`SELDOM`], unless at least one iteration is known. If it averages fewer, assume that no entry makes two
    /// iterations. LLVM does the same. With other exits, assume that the test has the same probability at both
    /// places.
    pub(crate) fn of([stay, leave]: [u64; 2], guarded: bool, is_only_exit: bool) -> Self {
        if !is_only_exit || leave == 0 {
            return Self { guard: [stay, leave], latch: [stay, leave] };
        }
        let [seldom, mostly] = if guarded { SELDOM } else { [0, 1] };
        let (all, more) = (seldom + mostly, stay.saturating_sub(leave));
        if stay < leave {
            let rest = if guarded { leave - stay } else { 0 };
            return Self { guard: [stay, rest], latch: [0, stay] };
        }
        // Scaled to `all` times `leave` entries.
        let goes_round = more.saturating_mul(all).saturating_add(leave.saturating_mul(seldom));
        Self { guard: [mostly, seldom], latch: [goes_round, leave.saturating_mul(mostly)] }
    }
}

/// A probability, in units of 2^-31.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Probability(u64);

impl Probability {
    /// The probability of a certain event.
    const ONE: u64 = 1 << 31;
    /// The probability 1/`n`, with `n` nonzero.
    pub(crate) fn one_in(n: u64) -> Self {
        Self(Self::ONE / n.max(1))
    }
    /// The probability of the complement.
    pub(crate) fn not(self) -> Self {
        Self(Self::ONE - self.0.min(Self::ONE))
    }
    /// The probability that `n` independent such events happen.
    pub(crate) fn times(self, n: usize) -> Self {
        (0..n).fold(Self(Self::ONE), |all, _| all.and(self))
    }
    /// The probability that both independent events happen.
    pub(crate) fn and(self, other: Self) -> Self {
        Self((self.0 * other.0) >> 31)
    }
    /// The conditional probability of `self`, given an event with probability `of` that includes it.
    pub(crate) fn given(self, of: Self) -> Self {
        Self((self.0 << 31).checked_div(of.0).unwrap_or(0).min(Self::ONE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotated_test_leaves_as_often_as_before() {
        let of = |weights| Rotated::of(weights, true, true);
        assert_eq!(of([1000, 1]), Rotated { guard: [127, 1], latch: [127_873, 127] });
        // Fewer iterations than entries: no entry makes two iterations.
        assert_eq!(of([10, 1000]), Rotated { guard: [10, 990], latch: [0, 10] });
        assert_eq!(of([0, 7]), Rotated { guard: [0, 7], latch: [0, 0] });
        assert_eq!(of([7, 0]), Rotated { guard: [7, 0], latch: [7, 0] });
        let known = Rotated::of([1000, 1], false, true);
        assert_eq!(known.latch, [999, 1]);
        let with_others = Rotated::of([30, 2], true, false);
        assert_eq!(with_others, Rotated { guard: [30, 2], latch: [30, 2] });
        // Rotation keeps the average number of tests that stay per entry.
        for [stay, leave] in [[5, 5], [17, 4], [90, 1], [123_456, 789]] {
            let Rotated { guard, latch } = of([stay, leave]);
            // entered * (round + left) / left == stay / leave
            let made = u128::from(guard[0]) * u128::from(latch[0] + latch[1]) * u128::from(leave);
            let asked = u128::from(guard[0] + guard[1]) * u128::from(latch[1]) * u128::from(stay);
            assert_eq!(made, asked, "{stay}:{leave}");
        }
    }

    #[test]
    fn what_is_too_large_keeps_its_ratio_and_never_becomes_never() {
        let fitted = |weights: [u64; 2]| fitted(&weights).collect::<Vec<_>>();
        assert_eq!(fitted([5, 3]), [5, 3]);
        assert_eq!(fitted([1 << 40, 1 << 39]), [1 << 31, 1 << 30]);
        assert_eq!(fitted([u64::MAX, 1]), [u32::MAX, 1]);
        assert_eq!(fitted([u64::MAX, 0]), [u32::MAX, 0]);
    }
}
