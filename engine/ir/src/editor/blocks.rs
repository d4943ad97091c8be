//! Creates, places, moves, splits and removes blocks.
//!
//! A block whose address is taken is pinned: it keeps its name and stays in the body.

use crate::body::{BlockNode, Local};
use crate::editor::{Editor, Position};
use crate::entity::{Block, Inst};
use crate::inst::{InstData, InstKind};
use crate::metadata::MdKind;
use crate::types::Type;
use smallvec::SmallVec;

impl Editor<'_> {
    /// Creates a block without placing it in the body.
    pub fn create_block(&mut self, name: Option<&str>) -> Block {
        let block = self.body.blocks.push(BlockNode::default());
        if let Some(name) = name {
            let name = self.claim_name(name, Local::Block(block));
            self.body.blocks[block].name = Some(name);
        }
        block
    }
    /// Appends an unplaced block to the body.
    pub fn append_block(&mut self, block: Block) {
        assert!(!self.body.blocks[block].placed, "{block:?} stands in the body already");
        self.body.blocks[block].placed = true;
        self.body.order.push(block);
        self.touch(block);
        self.bump_cfg();
    }
    /// Creates a block at the end of the body.
    pub fn add_block(&mut self, name: Option<&str>) -> Block {
        let block = self.create_block(name);
        self.append_block(block);
        block
    }
    /// Creates a block before `before`.
    pub fn add_block_before(&mut self, before: Block, name: Option<&str>) -> Block {
        let block = self.create_block(name);
        let at = self.order_position(before);
        self.place_block(block, at);
        block
    }
    /// Creates a block after `after`.
    pub fn add_block_after(&mut self, after: Block, name: Option<&str>) -> Block {
        let block = self.create_block(name);
        let at = self.order_position(after) + 1;
        self.place_block(block, at);
        block
    }
    fn order_position(&self, block: Block) -> usize {
        self.body.order.iter().position(|b| *b == block).expect("the block stands in the body")
    }
    fn place_block(&mut self, block: Block, at: usize) {
        self.body.blocks[block].placed = true;
        self.body.order.insert(at, block);
        self.touch(block);
        self.bump_cfg();
    }
    /// Moves `block` directly after `after` in text order.
    pub fn move_block_after(&mut self, block: Block, after: Block) {
        if block == after {
            return;
        }
        let from = self.order_position(block);
        self.body.order.remove(from);
        let at = self.order_position(after) + 1;
        self.body.order.insert(at, block);
        self.touch(block);
        self.bump_cfg();
    }
    /// Moves `block` directly before `before` in text order.
    pub fn move_block_before(&mut self, block: Block, before: Block) {
        if block == before {
            return;
        }
        let from = self.order_position(block);
        self.body.order.remove(from);
        let at = self.order_position(before);
        self.body.order.insert(at, block);
        self.touch(block);
        self.bump_cfg();
    }
    /// Records that the address of `block` is taken; the block must have a name. From now on it can't be removed or
    /// renamed.
    pub fn pin_block(&mut self, block: Block) {
        self.body.blocks[block].pinned = true;
        self.bump_cfg();
    }
    /// Removes `block` with its instructions. Remaining uses of their results become poison. The caller must first fix
    /// the phis of successors and the edges to the block. The block must not be pinned; callers check
    /// [`crate::body::Body::is_pinned`] when they decide.
    pub fn remove_block(&mut self, block: Block) {
        assert!(!self.body.is_pinned(block), "{block:?} must stay: its address is taken");
        for inst in std::mem::take(&mut self.body.blocks[block].insts) {
            self.body.insts[inst].block = None;
            self.detach(inst);
        }
        let name = self.body.blocks[block].name.take();
        self.release_name(name);
        let at = self.order_position(block);
        self.body.order.remove(at);
        self.body.blocks[block].placed = false;
        self.touch(block);
        self.bump_cfg();
    }
    /// Splits `block` before `at`: the instructions from `at` on move to a new block after it, and `block` ends in a
    /// branch to the new block, with the debug location of `at`. Phis of the successors refer to the new block instead
    /// of the old one.
    pub fn split_block(&mut self, at: Inst, name: Option<&str>) -> Block {
        let block = self.body.block_of(at).expect("the instruction stands in a block");
        let new = self.add_block_after(block, name);
        let index = self.inst_position(block, at);
        let tail = self.body.blocks[block].insts.split_off(index);
        for &inst in &tail {
            self.body.insts[inst].block = Some(new);
        }
        self.body.blocks[new].insts = tail;
        self.touch(block);
        self.touch(new);
        let targets: SmallVec<[Block; 2]> = self.body.successors(new).into();
        for target in targets {
            self.replace_phi_block(target, block, new);
        }
        let mut branch = InstData::new(InstKind::Br, Type::VOID, [], [new]);
        branch
            .metadata
            .extend(self.location_at(Position::Before(at)).map(|location| (MdKind::Dbg, location)));
        self.insert(Position::End(block), branch);
        self.bump_cfg();
        new
    }
}
