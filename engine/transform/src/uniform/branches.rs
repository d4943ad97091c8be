//! Branches of a loop that are decided in each lane, and what is not executed then.

use super::Lanes;
use crate::size::weight_of;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Env;

/// What a round need not execute since branches are decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Decided {
    /// Branches.
    pub(crate) branches: u32,
    /// Instructions of blocks that are entered through such a branch alone, in the lanes in which it goes another way.
    pub(crate) instructions: u32,
}

/// Counts for a round of `factor` iterations of the loop that `blocks` are.
pub(crate) fn decided_branches(
    (env, body): (&Env, &Body),
    blocks: &[Block],
    lanes: &[(Inst, Lanes)],
    factor: usize,
) -> Decided {
    let mut decided = Decided::default();
    for &block in blocks {
        let Some(branch) = body.terminator(block).map(|t| body.inst(t)) else { continue };
        if !matches!(branch.kind, InstKind::CondBr | InstKind::Switch) {
            continue;
        }
        let condition = branch.operands.first().copied().and_then(Value::as_inst);
        let kind = lanes.iter().find(|(inst, _)| Some(*inst) == condition).map(|(_, kind)| kind);
        let Some(Lanes::Fixed(values)) = kind else { continue };
        decided.branches += factor as u32;
        // Which way a switch goes is not looked at.
        let InstKind::CondBr = branch.kind else { continue };
        let ways = body.successors(block);
        for (at, way) in ways.iter().enumerate().filter(|(_, way)| blocks.contains(way)) {
            let alone = ways.iter().filter(|w| *w == way).count() == 1
                && blocks.iter().all(|b| *b == block || !body.successors(*b).contains(way));
            let elsewhere = values.iter().filter(|taken| taken.is_zero() == (at == 0)).count() as u32;
            if alone {
                let weights = body.insts(*way).iter().map(|i| weight_of(env, body, *i));
                decided.instructions += elsewhere * weights.fold(0, u32::saturating_add);
            }
        }
    }
    decided
}
