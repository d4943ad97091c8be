//! Of which instructions of a loop all lanes are computed, and of which the first lane.
//!
//! Addresses of consecutive, reverse and uniform accesses are computed for the first lane of each vector. What is used by
//! nobody but tests of counted exits, or counts for these, is not computed at all.

use crate::legality::{HeaderPhi, Legality, Op, Pattern, Source};
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;
use rustc_hash::FxHashSet;

/// What is computed.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// Of these all lanes.
    pub(super) all: FxHashSet<Inst>,
    /// Of these the first, from the first lanes of their operands.
    pub(super) first: FxHashSet<Inst>,
}

pub(super) fn mark(scev: &ScalarEvolution<'_>, of: &Legality) -> Marks {
    let body = scev.body();
    let mut marks = Marks::default();
    let mut work: Vec<(Value, bool)> = Vec::new();
    for access in of.accesses.iter().filter(|a| a.is_store) {
        marks.all.insert(access.inst);
        work.push((body.inst(access.inst).operands[0], true));
        work.push((access.pointer, needs_all(access.pattern)));
    }
    for (phi, kind) in &of.phis {
        match kind {
            HeaderPhi::Reduction(r) => work.push((r.result.into(), true)),
            HeaderPhi::Selection(s) => work.push((s.result.into(), true)),
            HeaderPhi::FirstOrder(f) => work.push((f.previous.into(), true)),
            HeaderPhi::Induction(_) => continue,
        }
        marks.all.insert(*phi);
    }
    if !of.needs_scalar() {
        let lanes = of.live_outs.iter().filter(|out| out.source == Source::LastLane);
        work.extend(lanes.map(|out| (out.value, true)));
    }
    while let Some((value, all)) = work.pop() {
        let Some(inst) = value.as_inst().filter(|i| of.form.contains(*i)) else { continue };
        let data = body.inst(inst);
        let is_first = !all && (data.kind.is_pure() || is_induction(of, inst));
        let seen = if is_first { &mut marks.first } else { &mut marks.all };
        if !seen.insert(inst) {
            continue;
        }
        match of.ops.get(&inst) {
            Some(Op::Carried) | None => {}
            Some(Op::Load) => {
                let pattern = of.access(inst).map_or(Pattern::Scattered, |a| a.pattern);
                work.push((data.operands[0], needs_all(pattern)));
            }
            Some(_) => work.extend(data.operands.iter().map(|v| (*v, !is_first))),
        }
    }
    marks
}

fn needs_all(pattern: Pattern) -> bool {
    matches!(pattern, Pattern::Scattered | Pattern::Strided(_))
}

fn is_induction(of: &Legality, inst: Inst) -> bool {
    matches!(of.phi(inst), Some(HeaderPhi::Induction(_)))
}
