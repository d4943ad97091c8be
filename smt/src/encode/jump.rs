//! Terminators with block addresses: `indirectbr`, and `callbr` of inline asm.
//!
//! A block address is a place without memory. An `indirectbr` compares its operand with the addresses of the blocks
//! that it lists; any other address is UB. The successor of a `callbr` of inline asm is a function of the history,
//! whose last event is the call with its text and arguments.

use crate::encode::function::{Encoded, Encoder, merge_edges};
use crate::encode::value::{Scalar, Sym};
use crate::term::Term;
use backedge_ir::entity::{Block, BlockAddressId, Inst};
use backedge_ir::module::{BlockAddress, Env};

/// The callee name of the event that determines the successor after inline asm.
const JUMP: &str = "asm jump";
/// Width of the successor number in bits; numbers that are too large select the first block.
const JUMP_BITS: u32 = 8;

/// The name of a block address among the known blocks.
pub(crate) fn name_of(env: &Env, block: &BlockAddress) -> String {
    format!("{}, block %{}", env.funcs[block.func].name, block.label)
}

impl Encoder<'_, '_> {
    /// The address of a block.
    pub(super) fn block_address(&mut self, id: BlockAddressId) -> Encoded<Sym> {
        let env = &self.module.env;
        let name = name_of(env, &env.block_addresses[id]);
        let number =
            self.w.global(&name).ok_or_else(|| self.unsupported("the address of an unknown block"))?;
        Ok(self.address(number))
    }

    /// Encodes an `indirectbr`; returns the condition of each edge.
    pub(super) fn indirect_br(&mut self, inst: Inst) -> Encoded<Vec<(Block, Term)>> {
        let data = self.body.inst(inst);
        let address = self.branch_operand(data.operands[0])?;
        let (mut edges, mut other): (Vec<(Block, Term)>, Term) = (Vec::new(), self.w.terms.bool(true));
        for &to in &data.blocks {
            let label = self.body.block_name(to).unwrap_or_default();
            let is_it = |taken: &BlockAddress| taken.func == self.func && &*taken.label == label;
            let taken = self.module.env.block_addresses.iter().find(|(_, taken)| is_it(taken));
            // A block whose address is never taken is not reached from here.
            let Some((id, _)) = taken.filter(|_| !edges.iter().any(|(block, _)| *block == to)) else {
                continue;
            };
            let Sym::Scalar(place) = self.block_address(id)? else {
                return Err(self.unsupported("the address of a block that is no scalar"));
            };
            let taken = self.w.terms.eq(address, place.bits);
            let not_taken = self.w.terms.not(taken);
            edges.push((to, taken));
            other = self.w.terms.and(other, not_taken);
        }
        self.ub(other);
        Ok(edges)
    }

    /// Encodes a `callbr` of inline asm; returns the condition of each edge.
    pub(super) fn call_br(&mut self, inst: Inst) -> Encoded<Vec<(Block, Term)>> {
        if let Some(value) = self.call(inst)? {
            self.values.insert(inst, value);
        }
        self.executed(inst);
        let bits = self.w.fresh(JUMP, JUMP_BITS);
        let (no, none) = (self.w.terms.bool(false), self.w.terms.number(JUMP_BITS, 0));
        self.by_history(inst, JUMP, &Sym::from(Scalar { bits, poison: no, undef: none }));
        let blocks = self.body.inst(inst).blocks.clone();
        let mut edges: Vec<(Block, Term)> = Vec::new();
        let mut other = self.w.terms.bool(true);
        for (number, &to) in blocks.iter().enumerate().skip(1) {
            let number = self.w.terms.number(JUMP_BITS, number as u128);
            let taken = self.w.terms.eq(bits, number);
            let not_taken = self.w.terms.not(taken);
            other = self.w.terms.and(other, not_taken);
            edges.push((to, taken));
        }
        edges.push((blocks[0], other));
        Ok(merge_edges(&mut self.w.terms, edges))
    }
}
