//! Header phis that rotate their values: `a, b = b, a`, or longer cycles.

use super::{Lanes, Rounds};
use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::ScalarEvolution;

/// Maximum number of phis in a cycle: values repeat within a round only if it has more iterations, and no usual round
/// does.
const MOST_PHIS: usize = 8;

/// The lanes of `inst` in these rounds, if it is a phi in such a cycle.
pub(super) fn in_turn(
    scev: &ScalarEvolution<'_>,
    l: LoopId,
    inst: Inst,
    Rounds { factor, first }: Rounds,
) -> Option<Lanes> {
    let cycle = cycle(scev, l, inst)?;
    let turns = cycle.len();
    let in_turn = || (0..factor).map(|j| j % turns).collect();
    if !factor.is_multiple_of(turns) {
        return (factor > turns).then(|| Lanes::Like(in_turn()));
    }
    let body = scev.body();
    let preheader = scev.loops().preheader(&scev.cfg(), l)?;
    let starts: Option<Vec<Int>> =
        cycle.iter().map(|phi| body.as_int(body.incoming_from(*phi, preheader)?)).collect();
    Some(match starts {
        Some(starts) => Lanes::Fixed((0..factor).map(|j| starts[(first + j) % turns]).collect()),
        None => Lanes::Steady(in_turn()),
    })
}

/// The cycle of phis that starts with `inst`: `inst` takes their initial values in this order, repeatedly.
fn cycle(scev: &ScalarEvolution<'_>, l: LoopId, inst: Inst) -> Option<Vec<Inst>> {
    let (body, header) = (scev.body(), scev.header(l));
    let latch = scev.loops().single_latch(&scev.cfg(), l)?;
    let is_phi = |i: &Inst| body.inst(*i).kind.is_phi() && body.block_of(*i) == Some(header);
    let mut cycle = vec![inst];
    let mut at = inst;
    while is_phi(&at) && cycle.len() <= MOST_PHIS {
        at = body.incoming_from(at, latch)?.as_inst()?;
        if at == inst {
            return (cycle.len() > 1).then_some(cycle);
        }
        cycle.push(at);
    }
    None
}
