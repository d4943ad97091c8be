//! The position of each instruction in its block, so that "comes before" takes constant time; and availability of
//! definitions, in terms of positions.

use crate::cache::{Analysis, At, Depends, Then};
use backedge_ir::body::Body;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, Inst, SecondaryMap};

/// Positions of all instructions of a body.
#[derive(Clone, Debug)]
pub struct Order {
    position: SecondaryMap<Inst, u32>,
    /// The positions of the blocks.
    blocks: SecondaryMap<Block, u32>,
}

impl Order {
    /// The positions in `body`. Linear.
    pub fn new(body: &Body) -> Self {
        let mut this = Self { position: SecondaryMap::new(), blocks: SecondaryMap::new() };
        this.number_blocks(body);
        body.blocks().for_each(|block| this.number_insts(body, block));
        this
    }
    fn number_blocks(&mut self, body: &Body) {
        (0..).zip(body.blocks()).for_each(|(number, block)| self.blocks[block] = number);
    }
    fn number_insts(&mut self, body: &Body, block: Block) {
        (0..).zip(body.insts(block)).for_each(|(number, inst)| self.position[*inst] = number);
    }
    /// The position of `inst` in the text: its block's position among the blocks, and its own in the block. `None` if
    /// it is in no block.
    pub fn in_text(&self, body: &Body, inst: Inst) -> Option<(u32, u32)> {
        body.block_of(inst).map(|block| (self.blocks[block], self.position(inst)))
    }
    /// The index of `inst` in its block.
    pub fn position(&self, inst: Inst) -> u32 {
        self.position[inst]
    }
    /// Whether `a` precedes `b` in the same block.
    pub fn comes_before(&self, body: &Body, a: Inst, b: Inst) -> bool {
        body.block_of(a).is_some()
            && body.block_of(a) == body.block_of(b)
            && self.position(a) < self.position(b)
    }
    /// Whether `a` dominates `b`: every path to `b` executes `a` first, also within the block of `b`.
    pub fn dominates(&self, body: &Body, dominators: &Dominators, a: Inst, b: Inst) -> bool {
        match (body.block_of(a), body.block_of(b)) {
            (Some(x), Some(y)) if x == y => self.position(a) < self.position(b),
            (Some(x), Some(y)) => dominators.dominates(x, y),
            _ => false,
        }
    }
    /// Whether every path to the end of `block` goes through `a`.
    pub fn dominates_end(&self, body: &Body, dominators: &Dominators, a: Inst, block: Block) -> bool {
        body.block_of(a).is_some_and(|x| dominators.dominates(x, block))
    }
}

impl Analysis for Order {
    const NAME: &'static str = "instruction order";
    const DEPENDS: Depends = Depends::Body;
    fn compute(at: At<'_>) -> Self {
        Self::new(at.body)
    }
    fn update(&mut self, then: Then, at: At<'_>) -> bool {
        if !then.has_same_graph(at.body) {
            self.number_blocks(at.body);
        }
        then.changed(at.body).for_each(|block| self.number_insts(at.body, block));
        true
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        at.body.all_insts().all(|i| self.in_text(at.body, i) == other.in_text(at.body, i))
    }
}
