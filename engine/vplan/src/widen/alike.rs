//! Values that are the same in all lanes of a vector, or known in each lane: the results of the uniform-lane analysis
//! ([`backedge_transform::uniform`]) for vector iterations of a given size that allow one value for all lanes.
//!
//! These results hold for iterations that compute a value; for lanes after the first they hold only if the value is not
//! poison. So they are not used for values that some lanes may not compute: in blocks with masks, with a folded tail,
//! or in loops with data-dependent exits. Nor are they used for reductions, whose lanes have different partial results.
//! For loop nests [`crate::legality::Nest`] is used instead.

use crate::legality::{Legality, Op};
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::ScalarEvolution;
use backedge_transform::uniform::{Lanes, Rounds, lanes};
use rustc_hash::FxHashMap;

/// The relation between the lanes of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Alike {
    /// The same value.
    Same,
    /// Constants, the same in each vector iteration.
    Fixed(Vec<Int>),
}

/// The values of that kind in vectors of `lanes_of` lanes.
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

/// Whether a scalar recipe exists for `inst`.
fn can_be_one(of: &Legality, inst: Inst) -> bool {
    match of.ops.get(&inst) {
        Some(Op::Widen | Op::Divide | Op::Call(..)) => true,
        Some(Op::Load) => of.group(inst).is_none(),
        Some(Op::Carried | Op::Blend | Op::Joined | Op::Replicate | Op::Store | Op::Branch | Op::Dropped)
        | None => false,
    }
}
