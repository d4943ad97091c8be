//! Demanded lanes: the instructions of a loop of which all lanes are needed, and those of which the first lane
//! suffices.
//!
//! Addresses of consecutive, reverse and uniform accesses need the first lane of each vector; an interleave group needs
//! the address of one member. The operands of values that are the same in all lanes also need only the first lane.
//! Values used only by tests of counted exits, or to count for them, are not computed at all. Conditions of
//! data-dependent exits need all lanes.

use super::Addresses;
use super::alike::Alike;
use crate::legality::{Access, HeaderPhi, Legality, Op, Pattern, Source};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// The demanded instructions.
#[derive(Clone, Debug, Default)]
pub(super) struct Demand {
    /// Instructions of which all lanes are computed.
    pub(super) all: FxHashSet<Inst>,
    /// Instructions of which the first lane is computed, from the first lanes of their operands.
    pub(super) first: FxHashSet<Inst>,
}

pub(super) fn demand(
    body: &Body,
    of: &Legality,
    addresses: &Addresses,
    alike: &FxHashMap<Inst, Alike>,
) -> Demand {
    let mut wanted = Demand::default();
    let mut work: Vec<(Value, bool)> = begin(body, of, addresses, &mut wanted);
    while let Some((value, all)) = work.pop() {
        let Some(inst) = value.as_inst().filter(|i| of.form.contains(*i)) else { continue };
        let data = body.inst(inst);
        let is_joined = of.ops.get(&inst) == Some(&Op::Joined);
        let is_first = !all && (data.kind.is_pure() || is_joined || is_induction(of, inst));
        let seen = if is_first { &mut wanted.first } else { &mut wanted.all };
        if !seen.insert(inst) {
            continue;
        }
        match (alike.get(&inst), of.ops.get(&inst)) {
            (Some(Alike::Fixed(_)), _) if !is_first => {}
            (Some(Alike::Same), _) => work.extend(data.operands.iter().map(|v| (*v, false))),
            (_, Some(Op::Carried) | None) => {}
            (_, Some(Op::Load)) => {
                // A load executes where its interleave group does.
                work.extend(of.group(inst).map(|group| (group.at.into(), true)));
                work.extend(of.access(inst).and_then(|access| address(of, access, addresses)));
            }
            (_, Some(_)) => work.extend(data.operands.iter().map(|v| (*v, !is_first))),
        }
    }
    wanted
}

/// The roots of the demand, and whether all their lanes are needed.
fn begin(body: &Body, of: &Legality, addresses: &Addresses, wanted: &mut Demand) -> Vec<(Value, bool)> {
    let mut work: Vec<(Value, bool)> = Vec::new();
    for access in of.accesses.iter().filter(|a| a.is_store) {
        wanted.all.insert(access.inst);
        work.push((body.inst(access.inst).operands[0], true));
        work.extend(address(of, access, addresses));
    }
    // Operands of branches: needed for masks, or for the uniform branches of a nest.
    let inner = |b: &&Block| of.exits.all.iter().all(|e| e.from != **b);
    let (by_masks, by_nest) = (!of.masks.blocks.is_empty(), of.nest.is_some());
    for block in of.form.blocks.iter().filter(inner).filter(|_| by_masks || by_nest) {
        let branch = body.terminator(*block).map(|t| body.inst(t));
        work.extend(branch.into_iter().flat_map(|b| &b.operands).map(|v| (*v, by_masks)));
    }
    for (phi, kind) in &of.phis {
        match kind {
            HeaderPhi::Reduction(r) => work.push((r.result.into(), true)),
            HeaderPhi::Selection(s) => work.push((s.result.into(), true)),
            HeaderPhi::FirstOrder(f) => work.push((f.previous.into(), true)),
            HeaderPhi::Induction(_) => continue,
        }
        wanted.all.insert(*phi);
    }
    if !of.needs_scalar() {
        let lanes =
            of.live_outs.iter().filter(|out| out.from == of.form.latch && out.source == Source::LastLane);
        work.extend(lanes.map(|out| (out.value, true)));
    }
    for exit in of.exits.uncounted() {
        work.push((exit.condition, true));
        let outs = of.live_outs.iter().filter(|out| out.from == exit.from);
        let of_lane = outs.filter(|_| of.early.as_ref().is_some_and(|early| early.by_lane));
        work.extend(of_lane.map(|out| (out.value, true)));
    }
    work
}

/// The address of an access, if it is needed, and whether in all lanes.
fn address(of: &Legality, access: &Access, addresses: &Addresses) -> Option<(Value, bool)> {
    if let Some(group) = of.group(access.inst) {
        return (group.at == access.inst).then_some((access.pointer, false));
    }
    let each = matches!(access.pattern, Pattern::Scattered | Pattern::Strided(_));
    (!addresses.is_recomputed(access.inst)).then_some((access.pointer, each || access.masked))
}

fn is_induction(of: &Legality, inst: Inst) -> bool {
    matches!(of.phi(inst), Some(HeaderPhi::Induction(_)))
}
