//! Loop-closed SSA: whether values defined in a loop are used only inside the loop.
//!
//! As in LLVM, a phi uses a value at the end of the incoming block. Uses in unreachable blocks, uses of tokens (which
//! no phi can merge), and debug records (which are no uses) do not count.

use super::{LoopForest, LoopId};
use crate::Cfg;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Use;
use backedge_ir::types::Type;

/// The block of `use_`: for a phi, the incoming block. `None` for a user that is in no block.
pub fn use_block(body: &Body, use_: Use) -> Option<Block> {
    let user = body.inst(use_.user);
    if user.kind.is_phi() {
        return user.blocks.get(use_.index as usize).copied();
    }
    body.block_of(use_.user)
}

impl LoopForest {
    /// The uses of the result of `inst` that violate the LCSSA form of `l`.
    pub fn escaping_uses<'a>(
        &'a self,
        body: &'a Body,
        cfg: &'a Cfg,
        l: LoopId,
        inst: Inst,
    ) -> impl Iterator<Item = Use> + 'a {
        let counts = body.inst(inst).ty != Type::TOKEN;
        body.code_uses(inst.into()).filter(move |use_| {
            counts && use_block(body, *use_).is_some_and(|b| cfg.is_reachable(b) && !self.contains(l, b))
        })
    }
    fn block_is_lcssa(&self, body: &Body, cfg: &Cfg, l: LoopId, block: Block) -> bool {
        body.insts(block).iter().all(|i| self.escaping_uses(body, cfg, l, *i).next().is_none())
    }
    /// Whether every value defined in `l` is used only in `l`. Ignores nested loops.
    pub fn is_lcssa(&self, body: &Body, cfg: &Cfg, l: LoopId) -> bool {
        self.blocks_unordered(l).iter().all(|b| self.block_is_lcssa(body, cfg, l, *b))
    }
    /// Whether `l` and all nested loops are in LCSSA form: every value is used only in the innermost loop that defines
    /// it.
    pub fn is_recursively_lcssa(&self, body: &Body, cfg: &Cfg, l: LoopId) -> bool {
        self.blocks_unordered(l)
            .iter()
            .all(|b| self.innermost(*b).is_none_or(|inner| self.block_is_lcssa(body, cfg, inner, *b)))
    }
}
