//! Copies of a loop's body in sequence: after the body within the loop (unrolling) or before the loop (peeling).
//!
//! Each copy begins where the previous one would have taken the backedge, with the header phis' next values. All
//! exits of all copies stay.
//!
//! Needs a loop in loop-simplify and LCSSA form whose blocks can be copied.

use super::{Copies, copy_blocks};
use crate::loop_metadata;
use crate::shape::Shape;
use crate::undef::pinned;
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use backedge_ir::metadata::MdKind;

/// The blocks of a loop in loop-simplify form.
#[derive(Clone, Debug)]
pub struct Ring {
    /// The preheader.
    pub preheader: Block,
    /// Its header.
    pub header: Block,
    /// The latch.
    pub latch: Block,
    /// All blocks, in block order.
    pub blocks: Vec<Block>,
}

impl Ring {
    /// The blocks of `l`, if it has a preheader and a single latch.
    pub fn of(body: &Body, shape: &Shape, l: LoopId) -> Option<Self> {
        let Shape { cfg, loops, .. } = shape;
        let preheader = loops.preheader(cfg, l)?;
        let latch = loops.single_latch(cfg, l)?;
        let blocks = body.blocks().filter(|b| loops.contains(l, *b)).collect();
        Some(Self { preheader, header: loops.header(l), latch, blocks })
    }
    /// The copy of the loop described by `copies`, entered from `preheader`.
    pub fn copied(&self, copies: &Copies, preheader: Block) -> Self {
        Self {
            preheader,
            header: copies.block(self.header),
            latch: copies.block(self.latch),
            blocks: self.blocks.iter().map(|b| copies.block(*b)).collect(),
        }
    }
    /// The header phis with their incoming values on the backedge.
    pub fn carried(&self, body: &Body) -> Vec<(Inst, Value)> {
        self.incoming(body, self.latch)
    }
    /// The header phis with their incoming values on entry.
    pub fn started(&self, body: &Body) -> Vec<(Inst, Value)> {
        self.incoming(body, self.preheader)
    }
    fn incoming(&self, body: &Body, from: Block) -> Vec<(Inst, Value)> {
        body.phis(self.header).filter_map(|phi| Some((phi, body.incoming_from(phi, from)?))).collect()
    }
    /// Its last block in block order.
    pub fn last(&self) -> Block {
        self.blocks.last().copied().unwrap_or(self.header)
    }
}

/// Adds `count` copies of the body after the body, within the loop; the last one takes the backedge. Names get
/// a dot, `tag` and the number of the copy, from 1.
pub fn append(editor: &mut Editor<'_>, ring: &Ring, count: usize, tag: &str) -> Vec<Copies> {
    let carried = ring.carried(editor.body());
    let mut copies = copy_all(editor, ring, count, tag, 1);
    let mut from = Copies::default();
    for copy in &mut copies {
        let entered: Vec<(Inst, Value)> = carried.iter().map(|(phi, v)| (*phi, from.value(*v))).collect();
        enter(editor, ring, copy, from.block(ring.latch), from.block(ring.header), &entered);
        from = copy.clone();
    }
    // The last copy takes the backedge.
    let latch = from.block(ring.latch);
    if latch != ring.latch {
        editor.redirect_edges(latch, from.block(ring.header), ring.header);
        for (phi, value) in carried {
            replace_incoming(editor, phi, ring.latch, latch, from.value(value));
        }
        move_loop_metadata(editor, ring.latch, latch);
    }
    copies
}

/// Inserts `count` copies of the body between the preheader and the header. Names get a dot, `tag` and the number of
/// the copy, from 0.
pub fn prepend(editor: &mut Editor<'_>, ring: &Ring, count: usize, tag: &str) -> Vec<Copies> {
    let carried = ring.carried(editor.body());
    let started = ring.started(editor.body());
    let mut copies = copy_all(editor, ring, count, tag, 0);
    let mut from: Option<Copies> = None;
    for copy in &mut copies {
        match &from {
            None => enter(editor, ring, copy, ring.preheader, ring.header, &started),
            Some(last) => {
                let entered: Vec<(Inst, Value)> =
                    carried.iter().map(|(phi, v)| (*phi, last.value(*v))).collect();
                enter(editor, ring, copy, last.block(ring.latch), last.block(ring.header), &entered);
            }
        }
        from = Some(copy.clone());
    }
    if let Some(last) = from {
        let latch = last.block(ring.latch);
        editor.redirect_edges(latch, last.block(ring.header), ring.header);
        for (phi, value) in carried {
            replace_incoming(editor, phi, ring.preheader, latch, last.value(value));
        }
    }
    copies
}

/// Copies in sequence, none of which has the loop metadata of a latch.
fn copy_all(editor: &mut Editor<'_>, ring: &Ring, count: usize, tag: &str, first: usize) -> Vec<Copies> {
    let mut after = ring.last();
    let mut all = Vec::with_capacity(count);
    for number in first..first + count {
        let copies = copy_blocks(editor, &ring.blocks, &format!("{tag}{number}"), after);
        after = copies.block(ring.last());
        loop_metadata::take(editor, &[copies.block(ring.latch)]);
        all.push(copies);
    }
    all
}

/// Redirects the edges of `from` to `old` to the header of `copy`, whose phis are replaced by the values `entered`.
fn enter(
    editor: &mut Editor<'_>,
    ring: &Ring,
    copy: &mut Copies,
    from: Block,
    old: Block,
    entered: &[(Inst, Value)],
) {
    let header = copy.block(ring.header);
    editor.redirect_edges(from, old, header);
    for &(phi, value) in entered {
        let Some(copied) = copy.inst(phi) else { continue };
        let value = pinned(editor, value, Position::AfterPhis(header));
        editor.replace_uses(copied.into(), value);
        copy.set_counterpart(phi, value);
        editor.remove(copied);
    }
}

/// Replaces the entries of `phi` for `old` by as many entries with `value` for `new`.
pub(crate) fn replace_incoming(editor: &mut Editor<'_>, phi: Inst, old: Block, new: Block, value: Value) {
    let at: Vec<usize> = entries_of(editor.body(), phi, old);
    for index in at.iter().rev() {
        editor.remove_incoming(phi, *index);
    }
    for _ in at {
        editor.add_incoming(phi, value, new);
    }
}

fn entries_of(body: &Body, phi: Inst, from: Block) -> Vec<usize> {
    let blocks = &body.inst(phi).blocks;
    (0..blocks.len()).filter(|i| blocks[*i] == from).collect()
}

fn move_loop_metadata(editor: &mut Editor<'_>, from: Block, to: Block) {
    let (Some(old), Some(new)) = (editor.body().terminator(from), editor.body().terminator(to)) else {
        return;
    };
    if let Some(metadata) = editor.body().inst(old).metadata_of(&MdKind::Loop).copied() {
        editor.retain_metadata(old, |kind| *kind != MdKind::Loop);
        editor.set_metadata(new, MdKind::Loop, metadata);
    }
}
