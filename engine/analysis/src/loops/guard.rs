//! The loop guard: the branch before a rotated loop that skips the loop.
//!
//! The conditions are those of LLVM's `getLoopGuardBranch`: the loop is in loop simplify form and rotated and has one
//! exit block; the preheader has one predecessor, which ends in a conditional branch; and the exit block leads to the
//! branch's other target through empty blocks alone.

use super::{LoopForest, LoopId};
use crate::Cfg;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::InstKind;

/// The common block of all edges in `edges`.
fn unique(edges: &[Block]) -> Option<Block> {
    let first = *edges.first()?;
    edges.iter().all(|b| *b == first).then_some(first)
}

/// Whether `block` contains only its terminator (and debug records).
fn is_empty(body: &Body, block: Block) -> bool {
    let is_record = |i: &Inst| matches!(body.inst(*i).kind, InstKind::DebugRecord(_));
    body.insts(block).iter().filter(|i| !is_record(i)).count() == 1
}

/// Whether `to` is `from`, or is reached from `from` through empty blocks with one predecessor and one successor.
fn leads_to(body: &Body, cfg: &Cfg, from: Block, to: Block) -> bool {
    let mut seen = EntitySet::new();
    let mut at = from;
    while at != to {
        let passable = at == from || is_empty(body, at) && unique(cfg.preds(at)).is_some();
        match unique(cfg.succs(at)) {
            Some(next) if passable && seen.insert(at) => at = next,
            Some(_) | None => return false,
        }
    }
    true
}

impl LoopForest {
    /// The conditional branch that decides whether `l` is entered; its other target is where the exit of `l` leads.
    pub fn guard_branch(&self, body: &Body, cfg: &Cfg, l: LoopId) -> Option<Inst> {
        if !self.has_loop_simplify_form(cfg, l) || !self.is_rotated(cfg, l) {
            return None;
        }
        let preheader = self.preheader(cfg, l)?;
        let exit = self.unique_exit(cfg, l)?;
        let guard = body.terminator(unique(cfg.preds(preheader))?)?;
        if !matches!(body.inst(guard).kind, InstKind::CondBr) {
            return None;
        }
        let other = match *body.inst(guard).successors() {
            [if_true, if_false] if if_true == preheader => if_false,
            [if_true, _] => if_true,
            _ => return None,
        };
        leads_to(body, cfg, exit, other).then_some(guard)
    }
}
