//! What is used behind the loop, per exiting edge: which of it vectors can give, and which only the scalar loop can.
//!
//! Exits that leave in the midst of an iteration are left by the scalar loop, with its own values. If the last iteration
//! is one of vectors, because the latch is the only exit, its values are those of the last lane, or of all lanes combined.
//! What a reduction or recurrence was *before* the last iteration is in no lane then: such a use makes the scalar loop
//! required.

use super::Form;
use super::chain::{Reduction, Selection};
use super::exits::Exits;
use super::phis::HeaderPhi;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;

/// How a value that is used behind the loop is had after the last iteration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// It is the same all the time.
    Invariant,
    /// It is in the last lane of the last vector.
    LastLane,
    /// It is the induction of that phi in the last iteration.
    Induction(Inst),
    /// It is what the last iteration hands on to the induction of that phi.
    InductionEnd(Inst),
    /// It is what the reduction or selection of that phi comes to.
    Collected(Inst),
    /// Only the scalar loop has it.
    Scalar,
}

/// A value that is used behind the loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LiveOut {
    /// The phi of the exit block that takes it.
    pub phi: Inst,
    /// The exiting block that it comes from.
    pub from: Block,
    /// The value.
    pub value: Value,
    /// How it is had.
    pub source: Source,
}

pub(super) fn find(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    (exits, phis): (&Exits, &[(Inst, HeaderPhi)]),
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
