//! Changes CFG edges, and the entries of phis for them.

use crate::editor::Editor;
use crate::entity::{Block, Inst};
use crate::inst::{Use, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl Editor<'_> {
    /// Sets the successor at `index` of a terminator. The caller must fix the phis of the old and the new successor.
    pub fn set_successor(&mut self, terminator: Inst, index: usize, target: Block) {
        debug_assert!(self.body.inst(terminator).kind.is_terminator());
        self.body.insts[terminator].data.blocks[index] = target;
        self.touch_block_of(terminator);
        self.bump_cfg();
    }
    /// Redirects every edge from `from` to `old` to `new`. The caller must fix the phis of `old` and `new`.
    pub fn redirect_edges(&mut self, from: Block, old: Block, new: Block) {
        let Some(terminator) = self.body.terminator(from) else { return };
        for target in &mut self.body.insts[terminator].data.blocks {
            if *target == old {
                *target = new;
            }
        }
        self.touch(from);
        self.bump_cfg();
    }
    /// Replaces the incoming block `old` with `new` in the phis of `block`.
    pub fn replace_phi_block(&mut self, block: Block, old: Block, new: Block) {
        let phis: SmallVec<[Inst; 8]> = self.body.phis(block).collect();
        for phi in phis {
            for from in &mut self.body.insts[phi].data.blocks {
                if *from == old {
                    *from = new;
                }
            }
        }
        self.touch(block);
        self.bump();
    }
    /// Adds an incoming edge to a phi.
    pub fn add_incoming(&mut self, phi: Inst, value: Value, from: Block) {
        let node = &mut self.body.insts[phi];
        debug_assert!(node.data.kind.is_phi());
        node.data.operands.push(value);
        node.data.blocks.push(from);
        node.use_slots.push(0);
        let index = (node.data.operands.len() - 1) as u32;
        self.add_use(Use { user: phi, index });
        self.bump();
    }
    /// Removes the incoming edge at `index` of a phi; the others keep their order.
    pub fn remove_incoming(&mut self, phi: Inst, index: usize) {
        debug_assert!(self.body.inst(phi).kind.is_phi());
        let count = self.body.inst(phi).operands.len();
        for i in index..count {
            self.drop_use(Use { user: phi, index: i as u32 });
        }
        let node = &mut self.body.insts[phi];
        node.data.operands.remove(index);
        node.data.blocks.remove(index);
        node.use_slots.pop();
        self.touch_block_of(phi);
        for i in index..count - 1 {
            self.add_use(Use { user: phi, index: i as u32 });
        }
        self.bump();
    }
    /// Removes entries of a phi for deleted edges, one entry per element of `from` (a block is listed once per edge).
    /// Linear in the number of entries, where removing them one by one would be quadratic.
    pub fn remove_all_incoming(&mut self, phi: Inst, from: &[Block]) {
        debug_assert!(self.body.inst(phi).kind.is_phi());
        let mut gone: FxHashMap<Block, usize> = FxHashMap::default();
        from.iter().for_each(|b| *gone.entry(*b).or_default() += 1);
        let count = self.body.inst(phi).operands.len();
        for index in 0..count {
            self.drop_use(Use { user: phi, index: index as u32 });
        }
        let data = &mut self.body.insts[phi].data;
        let (operands, blocks) = (std::mem::take(&mut data.operands), std::mem::take(&mut data.blocks));
        for (value, block) in operands.into_iter().zip(blocks) {
            match gone.get_mut(&block) {
                Some(left) if *left > 0 => *left -= 1,
                Some(_) | None => {
                    data.operands.push(value);
                    data.blocks.push(block);
                }
            }
        }
        self.attach(phi);
        self.touch_block_of(phi);
        self.bump();
    }
    /// Removes one entry for `from` from each phi of `block`: for one deleted edge.
    pub fn remove_edge_from_phis(&mut self, block: Block, from: Block) {
        let phis: SmallVec<[Inst; 8]> = self.body.phis(block).collect();
        for phi in phis {
            if let Some(index) = self.body.inst(phi).blocks.iter().position(|b| *b == from) {
                self.remove_incoming(phi, index);
            }
        }
    }
}
