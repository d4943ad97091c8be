//! Copying blocks: what peeling, unrolling, unswitching and splitting of loops have in common.
//!
//! A copy of a set of blocks is made next to it: edges and operands that stay in the set go to the copies, those that
//! leave it stay as they are. Nothing leads to the copies yet; edges into them, and what the phis of their first block
//! get on these, are the caller's to make.
//!
//! Needs blocks that [`check::check`] allows to copy, and loops in LCSSA form if what they compute is used elsewhere: the
//! phis of blocks outside are the only uses that learn of the copies. Guarantees one phi entry per edge, per edge and
//! not per block: an exit block that is shared by several exits gets as many entries as it gets edges.

pub mod chain;
pub mod check;
mod scopes;

pub use chain::Ring;
pub use check::Uncopyable;
pub use scopes::drop_scopes_declared_in;

use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, Value};
use rustc_hash::FxHashMap;

/// What stands for what in a copy.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    blocks: FxHashMap<Block, Block>,
    values: FxHashMap<Inst, Value>,
}

impl Copies {
    /// The copy of `block`, or `block` itself if it was not copied.
    pub fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }
    /// What stands for `value` in the copy: `value` itself if it was not copied.
    pub fn value(&self, value: Value) -> Value {
        value.as_inst().and_then(|i| self.values.get(&i)).copied().unwrap_or(value)
    }
    /// The copy of the instruction `inst`; `None` if it was not copied or another value stands for it.
    pub fn inst(&self, inst: Inst) -> Option<Inst> {
        self.values.get(&inst).and_then(|v| v.as_inst())
    }
    /// Lets `value` stand for `inst`, whose copy is gone.
    pub fn stand_for(&mut self, inst: Inst, value: Value) {
        self.values.insert(inst, value);
    }
}

/// Copies `blocks`, whose first is where the copy begins, behind `after`; names get `suffix` behind a dot. What a branch
/// says of a loop that it closes is said of the copy too.
pub fn copy_blocks(editor: &mut Editor<'_>, blocks: &[Block], suffix: &str, after: Block) -> Copies {
    let mut copies = Copies::default();
    let mut at = after;
    for &block in blocks {
        let name = editor.body().block_name(block).map(|n| format!("{n}.{suffix}"));
        at = editor.add_block_after(at, name.as_deref());
        copies.blocks.insert(block, at);
    }
    let insts = |editor: &Editor<'_>, block| editor.body().insts(block).to_vec();
    for &block in blocks {
        for inst in insts(editor, block) {
            let ty = editor.body().inst(inst).ty;
            let copy = editor.reserve(ty);
            copies.values.insert(inst, copy.into());
        }
    }
    for &block in blocks {
        for inst in insts(editor, block) {
            copy_inst(editor, inst, block, suffix, &copies);
        }
    }
    for &block in blocks {
        add_leaving_edges(editor, block, &copies);
    }
    copies
}

fn copy_inst(editor: &mut Editor<'_>, inst: Inst, block: Block, suffix: &str, copies: &Copies) {
    let data = mapped(editor.body().inst(inst), copies);
    let Some(copy) = copies.inst(inst) else { return };
    editor.define(copy, Position::End(copies.block(block)), data);
    if let Some(name) = editor.body().value_name(inst.into()).map(|n| format!("{n}.{suffix}")) {
        editor.set_name(copy, &name);
    }
}

fn mapped(data: &InstData, copies: &Copies) -> InstData {
    let mut data = data.clone();
    for operand in &mut data.operands {
        *operand = copies.value(*operand);
    }
    for block in &mut data.blocks {
        *block = copies.block(*block);
    }
    data
}

/// Gives the phis of blocks outside that `block` leads to an entry for each edge that its copy has to them.
fn add_leaving_edges(editor: &mut Editor<'_>, block: Block, copies: &Copies) {
    let copy = copies.block(block);
    let outside: Vec<Block> =
        editor.body().successors(block).iter().copied().filter(|b| copies.block(*b) == *b).collect();
    for exit in outside {
        let phis: Vec<Inst> = editor.body().phis(exit).collect();
        for phi in phis {
            if let Some(value) = editor.body().incoming_from(phi, block) {
                editor.add_incoming(phi, copies.value(value), copy);
            }
        }
    }
}
