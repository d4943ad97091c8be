//! Which values are the same in all lanes of a vector, or known in each: what the uniform-lane analysis
//! ([`backedge_transform::uniform`]) says of rounds of so many iterations, where one value may stand for all lanes.
//!
//! What it says holds of iterations that compute a value, and of lanes behind the first if that is no poison. So nothing is
//! taken from it of values that not every lane computes: in blocks with masks, in tails that are folded, beside data-dependent
//! exits; nor of what collects, since lanes have partial results of their own. In nests all is said by
//! [`crate::legality::Nest`].

use crate::legality::{Legality, Op};
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::ScalarEvolution;
use backedge_transform::uniform::{Lanes, Rounds, lanes};
use rustc_hash::FxHashMap;

/// What the lanes of a value are to each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Alike {
    /// The same value.
    Same,
    /// Constants, which do not change over the rounds.
    Fixed(Vec<Int>),
}

/// The values that are so in vectors of `lanes_of` lanes.
pub(super) fn alike(scev: &mut ScalarEvolution<'_>, of: &Legality, lanes_of: u32) -> FxHashMap<Inst, Alike> {
    if of.nest.is_some() || of.fold_tail || of.exits.uncounted().next().is_some() {
        return FxHashMap::default();
    }
    let known = lanes(scev, of.form.l, of.form.insts(), Rounds::of(lanes_of as usize));
    let chains = of.chains();
    let may = |inst: Inst| {
        let is_masked = scev.body().block_of(inst).is_none_or(|block| of.masks.has_mask(block));
        !is_masked && !chains.contains_key(&inst) && can_be_one(of, inst)
    };
    let one = |(inst, kind): (Inst, Lanes)| {
        let kind = match kind {
            Lanes::Same => Alike::Same,
            Lanes::Fixed(values) => Alike::Fixed(values),
            Lanes::Like(_) | Lanes::Offset(_) | Lanes::Residue(_) | Lanes::Steady(_) => return None,
        };
        may(inst).then_some((inst, kind))
    };
    known.into_iter().filter_map(one).collect()
}

/// Whether there is a recipe of one value for that.
fn can_be_one(of: &Legality, inst: Inst) -> bool {
    match of.ops.get(&inst) {
        Some(Op::Widen | Op::Divide | Op::Call(..)) => true,
        Some(Op::Load) => of.group(inst).is_none(),
        Some(Op::Carried | Op::Blend | Op::Joined | Op::Replicate | Op::Store | Op::Branch | Op::Dropped)
        | None => false,
    }
}
