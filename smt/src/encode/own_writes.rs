//! Reads in a function that may only write memory. LangRef ("Function Attributes", `memory(...)`): the function may
//! read a location after it has written the location; an earlier read yields poison.
//!
//! Only the code determines which locations are written before a read: a store that dominates the read has written its
//! location, and a function without writes has written nothing. Other cases are not modelled.

use crate::encode::function::{Encoded, Encoder};
use backedge_ir::attr::MemoryEffects;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};

/// The result of a read in a function that may only write.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ReadsBack {
    /// The function has written the location.
    Held,
    /// The function has not written the location.
    Poison,
}

impl Encoder<'_, '_> {
    /// The result of the current instruction's read through `pointer`, if the function may only write there.
    pub(super) fn reads_back(&self, pointer: Value) -> Encoded<ReadsBack> {
        let read = self.inst.filter(|read| self.is_written_before(*read, pointer));
        if read.is_some() {
            return Ok(ReadsBack::Held);
        }
        if self.body.all_insts().any(|inst| self.can_write(inst)) {
            return Err(self.unsupported("a read in a function that may only read its own writes"));
        }
        Ok(ReadsBack::Poison)
    }
    fn can_write(&self, inst: Inst) -> bool {
        let data = self.body.inst(inst);
        match data.call() {
            Some(call) => {
                let (env, callee) = (&self.module.env, self.callee_of(inst));
                let lists = [Some(&call.info.fn_attrs), callee.map(|func| &env.funcs[func].attrs)];
                let stated = lists.into_iter().flatten().filter_map(|list| env.memory_effects(list));
                stated.reduce(MemoryEffects::intersect).is_none_or(|memory| memory.any().writes)
            }
            None => matches!(
                data.kind,
                InstKind::Store(_)
                    | InstKind::AtomicRmw(..)
                    | InstKind::CmpXchg(_)
                    | InstKind::Fence(..)
                    | InstKind::VaArg
            ),
        }
    }
    /// Whether a store to the address of the load `read`, of at least as many bytes, dominates the load.
    fn is_written_before(&self, read: Inst, pointer: Value) -> bool {
        let (env, body) = (&self.module.env, self.body);
        if !matches!(body.inst(read).kind, InstKind::Load(_)) {
            return false;
        }
        let size = |ty| env.layout.store_bytes(&env.types, ty);
        let (Some(home), Some(bytes)) = (body.block_of(read), size(body.inst(read).ty)) else { return false };
        let writes_all = |inst: &Inst| {
            let data = body.inst(*inst);
            matches!(data.kind, InstKind::Store(_))
                && data.operands[1] == pointer
                && size(body.ty(data.operands[0])).is_some_and(|written| written >= bytes)
        };
        if body.insts(home).iter().take_while(|inst| **inst != read).any(&writes_all) {
            return true;
        }
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let mut before = cfg.rpo().iter().filter(|block| dominators.strictly_dominates(**block, home));
        before.any(|block| body.insts(*block).iter().any(writes_all))
    }
}
