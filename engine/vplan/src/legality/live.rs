//! Live-outs of a loop per exiting edge: which of them vector code can provide, and which only the scalar loop can.
//!
//! An exit that leaves in the middle of an iteration is taken in the scalar loop, which has all values. If the last
//! iteration is vectorized, because the latch is the only exiting block, its values are those of the last lane, or of
//! all lanes combined. The value of a reduction or recurrence *before* the last iteration is then in no lane; such a
//! use makes the scalar loop required.

use super::Form;
use super::chain::{Reduction, Selection};
use super::exits::Exits;
use super::phis::HeaderPhi;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;

/// The source of a live-out after the last iteration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The value is loop-invariant.
    Invariant,
    /// The last lane of the last vector.
    LastLane,
    /// The value of that induction phi in the last iteration.
    Induction(Inst),
    /// The next value of that induction phi, as computed in the last iteration.
    InductionEnd(Inst),
    /// The final value of that reduction or selection phi.
    Collected(Inst),
    /// Only the scalar loop has the value.
    Scalar,
}

/// A value that is used after the loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LiveOut {
    /// The phi of the exit block that uses it.
    pub phi: Inst,
    /// The exiting block.
    pub from: Block,
    /// The value.
    pub value: Value,
    /// The source of the value.
    pub source: Source,
}

pub(super) fn find(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    exits: &Exits,
    phis: &[(Inst, HeaderPhi)],
) -> Vec<LiveOut> {
    let body = scev.body();
    let mut all = Vec::new();
    for exit in &exits.all {
        for phi in body.phis(exit.to) {
            if let Some(value) = body.incoming_from(phi, exit.from) {
                all.push(LiveOut { phi, from: exit.from, value, source: source(form, phis, value) });
            }
        }
    }
    all
}

fn source(form: &Form, phis: &[(Inst, HeaderPhi)], value: Value) -> Source {
    let Some(inst) = value.as_inst().filter(|i| form.contains(*i)) else { return Source::Invariant };
    for (phi, kind) in phis {
        let (result, chain) = match kind {
            HeaderPhi::Reduction(Reduction { result, chain, .. })
            | HeaderPhi::Selection(Selection { result, chain, .. }) => (*result, chain),
            HeaderPhi::FirstOrder(_) if inst == *phi => return Source::Scalar,
            HeaderPhi::Induction(_) if inst == *phi => return Source::Induction(*phi),
            HeaderPhi::Induction(of) if value == of.next => return Source::InductionEnd(*phi),
            HeaderPhi::FirstOrder(_) | HeaderPhi::Induction(_) => continue,
        };
        if inst == result {
            return Source::Collected(*phi);
        }
        if inst == *phi || chain.contains(&inst) {
            return Source::Scalar;
        }
    }
    Source::LastLane
}
