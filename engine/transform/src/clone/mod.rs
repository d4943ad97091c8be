//! Copying blocks: shared by peeling, unrolling, unswitching and splitting of loops.
//!
//! A set of blocks is copied: in the copy, edges and operands within the set refer to the copies; those that leave
//! the set are unchanged. Nothing branches to the copies yet; the caller adds the edges into them, and the phi
//! entries of their first block.
//!
//! Needs blocks that [`check::check`] accepts, and LCSSA form for loops whose values are used elsewhere: only phis of
//! outside blocks are updated. Guarantees one phi entry per edge (not per block): an exit block shared by several
//! exits gets one entry for each new edge.

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

/// Maps original blocks and instructions to their copies.
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
    /// The value in the copy that corresponds to `value`: `value` itself if it was not copied.
    pub fn value(&self, value: Value) -> Value {
        value.as_inst().and_then(|i| self.values.get(&i)).copied().unwrap_or(value)
    }
    /// The copy of the instruction `inst`; `None` if it was not copied or its copy was replaced by another kind of
    /// value.
    pub fn inst(&self, inst: Inst) -> Option<Inst> {
        self.values.get(&inst).and_then(|v| v.as_inst())
    }
    /// Makes `value` the counterpart of `inst`, whose copy was removed.
    pub fn set_counterpart(&mut self, inst: Inst, value: Value) {
        self.values.insert(inst, value);
    }
}

/// Copies `blocks`, the first of which is the entry of the copy, and places the copies after `after`; names get a dot
/// and `suffix`. Loop metadata of branches is copied too.
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

/// Adds phi entries in outside successors of `block` for each edge from its copy.
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
