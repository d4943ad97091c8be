//! Empty blocks that only branch: their predecessors can branch to the target directly.
//!
//! Blocks whose address is taken are kept. If loops are kept, so are the blocks of loop-simplify form: preheaders,
//! latches, exit blocks. (A non-dedicated exit block, or a block that is not yet a preheader, may be removed.) If a
//! predecessor already has an edge to the target, the target's phis must agree on both edges.
//!
//! If loops are not kept, a block may also have phis, if only phis of the target use them, on that edge. Single-value
//! phis, such as LCSSA phis, do not prevent forwarding.
//!
//! Two such blocks that lead to the same phi with different values and share a predecessor can't both be removed; the
//! order decides. The block with fewer predecessors is removed, not the one that is first in block order:
//! loop-simplify splits off the edges that were forwarded, so otherwise each run would remove the other block.

use crate::debug_records;
use crate::pass::Unit;
use crate::shape::Shape;
use crate::undef::has_undef;
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// Forwards the predecessors of empty blocks in `blocks`; returns the number of removed blocks. Unless `keep_loops`,
/// loops may lose their forms.
pub fn forward_empty_blocks(unit: &mut Unit<'_>, blocks: &[Block], keep_loops: bool) -> usize {
    let order = in_order(unit, blocks, keep_loops);
    if order.is_empty() {
        return 0;
    }
    let mut graph = Graph::new(unit);
    let mut forwarded = 0;
    for block in order {
        let body = unit.body();
        let Some(target) = target_of(body, block, keep_loops)
            .filter(|t| may_go(body, &graph, block, *t) && (!keep_loops || graph.keeps_form(block, *t)))
        else {
            continue;
        };
        forward_records(&mut unit.editor(), block, target, graph.preds(target).len() == 1);
        redirect(&mut unit.editor(), graph.preds(block), block, target);
        graph.forward(unit, block, target);
        forwarded += 1;
    }
    forwarded
}

/// The CFG during forwarding. Removing an empty block does not change reachability, dominance or loops of the other
/// blocks; so the initial shape stays valid, except for changed predecessor lists.
struct Graph {
    shape: Arc<Shape>,
    /// The predecessors, one for each edge, of blocks whose predecessors differ from those in `shape`.
    preds: FxHashMap<Block, Vec<Block>>,
}

impl Graph {
    fn new(unit: &mut Unit<'_>) -> Self {
        Self { shape: unit.shape(), preds: FxHashMap::default() }
    }
    fn preds(&self, block: Block) -> &[Block] {
        self.preds.get(&block).map_or_else(|| self.shape.cfg.preds(block), Vec::as_slice)
    }
    /// Records that the edges to `block` now lead to `target`, and `block` is removed.
    fn forward(&mut self, unit: &mut Unit<'_>, block: Block, target: Block) {
        // The edges may become backedges if they form a cycle that had several entries.
        if self.preds(block).iter().any(|p| self.shape.dominators.dominates(target, *p)) {
            *self = Self::new(unit);
            return;
        }
        let moved = self.preds.remove(&block).unwrap_or_else(|| self.shape.cfg.preds(block).to_vec());
        let of_target = self.preds.entry(target).or_insert_with(|| self.shape.cfg.preds(target).to_vec());
        of_target.retain(|p| *p != block);
        of_target.extend(moved);
    }
    /// Whether loops keep their forms without `block`.
    fn keeps_form(&self, block: Block, target: Block) -> bool {
        let loops = &self.shape.loops;
        // An edge into a header comes from its preheader or a latch.
        let of_header = loops.with_header(target).is_some();
        // An exit block: a predecessor is in a loop that does not contain the block.
        let outside = |p: &Block| loops.innermost(*p).is_some_and(|l| !loops.contains(l, block));
        // If the target is an exit block of a loop that contains this block, forwarding adds exiting edges from the
        // predecessors, which preserves the form.
        !of_header && !self.preds(block).iter().any(outside)
    }
}

/// The blocks that may be forwarded, as far as a local check can tell, fewest predecessors first. Ties are broken by
/// the incoming edges, which does not depend on the position of the blocks: an edge leads to one block only.
fn in_order(unit: &mut Unit<'_>, blocks: &[Block], keep_loops: bool) -> Vec<Block> {
    let is_empty = |b: &Block| target_of(unit.body(), *b, keep_loops).is_some();
    let mut order: Vec<Block> = blocks.iter().copied().filter(is_empty).collect();
    if order.len() < 2 {
        return order;
    }
    let shape = unit.shape();
    let body = unit.body();
    let position: FxHashMap<Block, usize> = body.blocks().zip(0..).collect();
    let edge = |to: Block| {
        let from = |p: &Block| (position[p], body.successors(*p).iter().position(|s| *s == to));
        shape.cfg.preds(to).iter().map(from).min()
    };
    order.sort_by_cached_key(|b| (shape.cfg.preds(*b).len(), edge(*b)));
    order
}

/// Replaces the phis of `blocks` that have a single value; returns their number.
pub fn open_phis(unit: &mut Unit<'_>, blocks: &[Block]) -> usize {
    let mut editor = unit.editor();
    let phis: Vec<Inst> = blocks.iter().flat_map(|b| editor.body().phis(*b)).collect();
    let mut opened = 0;
    for phi in phis {
        if let Some(value) = only_value(editor.body(), phi) {
            if !editor.body().uses(phi.into()).is_empty() {
                editor.replace_uses(phi.into(), value);
            }
            editor.remove(phi);
            opened += 1;
        }
    }
    opened
}

/// The value that `phi` takes on all edges, if it dominates the phi and all its uses see the same value.
fn only_value(body: &Body, phi: Inst) -> Option<Value> {
    let operands = &body.inst(phi).operands;
    let (&value, rest) = operands.split_first()?;
    // The result of an invoke is available on one edge only.
    let everywhere = |i: Inst| rest.is_empty() || !body.inst(i).kind.is_terminator();
    let same = value != phi.into() && rest.iter().all(|v| *v == value);
    (same && value.as_inst().is_none_or(everywhere) && !has_undef(body, value)).then_some(value)
}

/// The target of `block`, if the block only branches. It may have phis unless loops are kept.
fn target_of(body: &Body, block: Block, keep_loops: bool) -> Option<Block> {
    let (last, before) = body.insts(block).split_last()?;
    let data = body.inst(*last);
    let target =
        (matches!(data.kind, InstKind::Br) && data.has_only_debug_location()).then(|| data.blocks[0])?;
    let passes_on = |phi: &Inst| {
        let data = body.inst(*phi);
        let uses = || body.code_uses((*phi).into());
        // Each phi makes one choice for an `undef`.
        let one_value = || uses().count() == 1 || !data.operands.iter().any(|v| has_undef(body, *v));
        data.kind.is_phi()
            && uses().all(|u| {
                let user = body.inst(u.user);
                let at_target = body.block_of(u.user) == Some(target) && target != block;
                at_target && user.kind.is_phi() && user.blocks.get(u.index as usize) == Some(&block)
            })
            && one_value()
    };
    let is_record = |inst: &Inst| matches!(body.inst(*inst).kind, InstKind::DebugRecord(_));
    let nothing_else = before.iter().all(|inst| is_record(inst) || !keep_loops && passes_on(inst));
    nothing_else.then_some(target)
}

fn may_go(body: &Body, graph: &Graph, block: Block, target: Block) -> bool {
    let preds = graph.preds(block);
    let keeps = body.is_pinned(block)
        || body.entry() == Some(block)
        || target == block
        || preds.is_empty()
        || preds.iter().any(|p| !graph.shape.cfg.is_reachable(*p));
    if keeps {
        return false;
    }
    let mut phis = body.phis(target).peekable();
    // There may be many blocks and phis.
    let preds: FxHashSet<Block> =
        if phis.peek().is_some() { preds.iter().copied().collect() } else { FxHashSet::default() };
    phis.all(|phi| agrees(body, phi, block, &preds))
}

/// Whether the entries of `phi` for existing predecessors equal those for `block`.
fn agrees(body: &Body, phi: Inst, block: Block, preds: &FxHashSet<Block>) -> bool {
    let Some(value) = body.incoming_from(phi, block) else { return false };
    let known = body.inst(phi).incoming().filter(|(_, from)| preds.contains(from));
    known.into_iter().all(|(v, from)| Some(v) == through(body, value, block, from))
}

/// The value of `value` at the end of `block` if control came from `pred`.
fn through(body: &Body, value: Value, block: Block, pred: Block) -> Option<Value> {
    match value {
        Value::Inst(inst) if body.block_of(inst) == Some(block) => body.incoming_from(inst, pred),
        _ => Some(value),
    }
}

/// Moves the debug records of `block` to `target` if `block` is its only predecessor; otherwise makes the values of
/// their variables unknown there.
fn forward_records(editor: &mut Editor<'_>, block: Block, target: Block, alone: bool) {
    let is_record = |i: &Inst| matches!(editor.body().inst(*i).kind, InstKind::DebugRecord(_));
    if !alone {
        debug_records::forget(editor, &[block], target, false);
        return;
    }
    let records: Vec<Inst> = editor.body().insts(block).iter().copied().filter(is_record).collect();
    for record in records.into_iter().rev() {
        editor.move_to(record, Position::AfterPhis(target));
    }
}

/// Redirects every edge to `block` to `target`; `edges` has the predecessor of each edge.
fn redirect(editor: &mut Editor<'_>, edges: &[Block], block: Block, target: Block) {
    let phis: Vec<Inst> = editor.body().phis(target).collect();
    for phi in phis {
        let Some(value) = editor.body().incoming_from(phi, block) else { continue };
        for &pred in edges {
            if let Some(value) = through(editor.body(), value, block, pred) {
                editor.add_incoming(phi, value, pred);
            }
        }
    }
    editor.remove_edge_from_phis(target, block);
    let mut preds: SmallVec<[Block; 4]> = edges.into();
    preds.sort_unstable();
    preds.dedup();
    for pred in preds {
        editor.redirect_edges(pred, block, target);
    }
    editor.remove_block(block);
}
