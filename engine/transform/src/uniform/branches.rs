//! Branches of a loop that are decided in each lane, and the instructions that they make unreachable.

use super::Lanes;
use crate::cost::Spared;
use crate::size::weight_of;
use backedge_analysis::cache::At;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use rustc_hash::FxHashMap;

/// The savings of a round of `factor` iterations, in the loop of `blocks`, through decided branches: the branches
/// themselves, and the blocks reachable only through such a branch, in the lanes where it takes another successor.
pub(crate) fn decided_branches(
    At { env, body, .. }: At<'_>,
    blocks: &[Block],
    lanes: &[(Inst, Lanes)],
    factor: usize,
) -> Spared {
    let mut spared = Spared::default();
    let kinds: FxHashMap<Inst, &Lanes> = lanes.iter().map(|(inst, kind)| (*inst, kind)).collect();
    for &block in blocks {
        let Some(branch) = body.terminator(block).map(|t| body.inst(t)) else { continue };
        if !matches!(branch.kind, InstKind::CondBr | InstKind::Switch) {
            continue;
        }
        let condition = branch.operands.first().copied().and_then(Value::as_inst);
        let Some(Lanes::Fixed(values)) = condition.and_then(|inst| kinds.get(&inst)) else { continue };
        spared.branches += factor as u32;
        spared.instructions += factor as u32;
        // The successor of a decided switch is not examined.
        let InstKind::CondBr = branch.kind else { continue };
        let ways = body.successors(block);
        for (at, way) in ways.iter().enumerate().filter(|(_, way)| blocks.contains(way)) {
            let alone = ways.iter().filter(|w| *w == way).count() == 1
                && blocks.iter().all(|b| *b == block || !body.successors(*b).contains(way));
            let elsewhere = values.iter().filter(|taken| taken.is_zero() == (at == 0)).count() as u32;
            if alone {
                let weights = body.insts(*way).iter().map(|i| weight_of(env, body, *i));
                spared.instructions += elsewhere * weights.fold(0, u32::saturating_add);
            }
        }
    }
    spared
}
