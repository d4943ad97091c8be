//! The instructions that a round need not execute because lanes are equal or decided.

use super::branches::decided_branches;
use super::{Accesses, Lanes, Rounds, lanes};
use crate::cost::Spared;
use crate::counted::Facts;
use crate::size::weight_of;
use backedge_analysis::LoopId;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;

/// The savings of a round of `l`; `one_way` says that rounds test no exit.
pub(crate) fn spared(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    facts: &Facts,
    (rounds, one_way): (Rounds, bool),
) -> Spared {
    let factor = rounds.factor;
    let lanes = lanes(scev, l, &facts.executed, rounds);
    let (env, body) = (scev.at.env, scev.body());
    let values = lanes.iter().map(|(i, kind)| kind.spared(factor) * weight_of(env, body, *i));
    let values = values.fold(0, u32::saturating_add);
    let accesses = repeated_accesses(scev, l, &facts.executed, &lanes, (factor, one_way));
    let decided = decided_branches((env, body), &facts.ring.blocks, &lanes, factor);
    let all = [values, accesses, decided.instructions].into_iter().fold(0, u32::saturating_add);
    Spared { instructions: all, ..decided }
}

/// The number of loads and stores of a round that another lane makes redundant, besides those that are equal by
/// `lanes`. `one_way` says that rounds test no exit.
fn repeated_accesses(
    scev: &ScalarEvolution<'_>,
    l: LoopId,
    insts: &[Inst],
    lanes: &[(Inst, Lanes)],
    (factor, one_way): (usize, bool),
) -> u32 {
    let same: EntitySet<Inst> =
        lanes.iter().filter(|(_, kind)| *kind == Lanes::Same).map(|(i, _)| *i).collect();
    let (body, loops) = (scev.body(), scev.loops());
    let same = |v: Value| v.as_inst().is_some_and(|i| same.contains(i)) || loops.is_invariant(body, l, v);
    Accesses::of(scev, l).repeated(scev, insts, (factor, one_way), same)
}
