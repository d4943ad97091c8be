//! The instructions that a round need not execute because lanes are equal or decided.

use super::branches::decided_branches;
use super::{Accesses, Lanes, Rounds, lanes};
use crate::cost::Spared;
use crate::counted::{Exit, Facts};
use crate::size::weight_of;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;

/// The savings of a round of a loop.
pub(crate) fn spared(scev: &mut ScalarEvolution<'_>, facts: &Facts, rounds: Rounds) -> Spared {
    let factor = rounds.factor;
    let lanes = lanes(scev, facts.l, &facts.executed, rounds);
    let at = scev.at;
    let values = lanes.iter().map(|(i, kind)| kind.spared(factor) * weight_of(at.env, at.body, *i));
    let values = values.fold(0, u32::saturating_add);
    let accesses = repeated_accesses(scev, facts, &lanes, factor);
    let decided = decided_branches(at, &facts.ring.blocks, &lanes, factor);
    let all = [values, accesses, decided.instructions].into_iter().fold(0, u32::saturating_add);
    Spared { instructions: all, ..decided }
}

/// The number of loads and stores of a round that another lane makes redundant, besides those that are equal by
/// `lanes`.
fn repeated_accesses(
    scev: &ScalarEvolution<'_>,
    facts: &Facts,
    lanes: &[(Inst, Lanes)],
    factor: usize,
) -> u32 {
    let same: EntitySet<Inst> =
        lanes.iter().filter(|(_, kind)| *kind == Lanes::Same).map(|(i, _)| *i).collect();
    let (body, loops) = (scev.body(), scev.loops());
    let same =
        |v: Value| v.as_inst().is_some_and(|i| same.contains(i)) || loops.is_invariant(body, facts.l, v);
    // Rounds of a loop whose exits are all analyzable test no exit.
    let one_way = facts.exits.iter().all(Exit::is_analyzable);
    Accesses::of(scev, facts.l).repeated(scev, &facts.executed, factor, one_way, same)
}
