//! Terminators that branch to block addresses: `indirectbr`, and the `callbr` of inline asm.

use super::builder::Builder;
use crate::compile::op::Op;
use crate::outcome::Feature;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{CallInfo, InstData};
use backedge_ir::module::BlockAddress;

impl Builder<'_> {
    pub(super) fn emit_call_br(
        &mut self,
        block: Block,
        inst: Inst,
        data: &InstData,
        info: &CallInfo,
    ) -> Result<(), Feature> {
        self.emit_call(inst, data, info, None)?;
        let edges = data.blocks.iter().map(|to| self.edge(block, *to)).collect();
        self.push(inst, Op::AsmJump(edges));
        Ok(())
    }
    pub(super) fn emit_indirect_br(
        &mut self,
        block: Block,
        inst: Inst,
        data: &InstData,
    ) -> Result<(), Feature> {
        let address = self.reg(data.operands[0])?;
        let env = &self.program.module.env;
        let mut ways = Vec::with_capacity(data.blocks.len());
        for &to in &data.blocks {
            // A block whose address is never taken cannot be the target.
            let Some(label) = self.body.block_name(to) else { continue };
            let is_it = |taken: &BlockAddress| taken.func == self.func && *taken.label == *label;
            let taken = env.block_addresses.iter().find(|(_, taken)| is_it(taken));
            if let Some(pointer) = taken.and_then(|(id, _)| self.program.addresses.blocks[id]) {
                ways.push((pointer.addr, self.edge(block, to)));
            }
        }
        self.push(inst, Op::IndirectBr(address, ways.into()));
        Ok(())
    }
}
