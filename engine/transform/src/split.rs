//! Splitting a block's predecessors off: a new block takes over some of the edges into a block and branches to it.
//! Preheaders, unique backedge blocks, dedicated exits and the headers of separated loops are created this way.
//!
//! Needs predecessors whose terminators can be redirected (all modelled terminators can). Guarantees that each phi
//! has exactly one entry per edge before and after, edge multiplicities included, and that use lists stay correct. If
//! the block begins with a `landingpad`, all edges into it are unwind edges, and an unwind edge must lead to a
//! `landingpad`. Then the remaining predecessors get a new block too, each new block gets a copy of the `landingpad`,
//! and the block itself gets a phi of the copies.

use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::FastMath;
use backedge_ir::types::Type;

/// When the new block gets phis.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NewPhis {
    /// Only where the values on the edges differ.
    WhereNeeded,
    /// Always: the block is an exit block of a loop in LCSSA form.
    Always,
}

/// Position of the new block in the block order.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BlockPosition {
    /// Before that block.
    Before(Block),
    /// After that block.
    After(Block),
}

/// Parameters of a split.
#[derive(Copy, Clone, Debug)]
pub struct Split<'p> {
    /// The predecessors whose edges the new block takes over; all edges of each.
    pub preds: &'p [Block],
    /// Suffix of the new block's name: the block's name, a dot, and this, unless the name already ends so.
    pub suffix: &'static str,
    /// Suffix of the names of new phis: the phi's name, a dot, and this.
    pub phi_suffix: &'static str,
    /// When phis are created.
    pub phis: NewPhis,
    /// Position of the new block.
    pub place: BlockPosition,
}

/// The `landingpad` of `block`, if it begins with one.
pub fn landing_pad(body: &Body, block: Block) -> Option<Inst> {
    body.first_non_phi(block).filter(|i| matches!(body.inst(*i).kind, InstKind::LandingPad { .. }))
}

/// Inserts a new block between `split.preds` and `block`, and returns it. `all_preds` are all predecessors of
/// `block`.
pub fn split_predecessors(
    editor: &mut Editor<'_>,
    block: Block,
    all_preds: &[Block],
    split: Split<'_>,
) -> Block {
    let pad = landing_pad(editor.body(), block);
    let new = divert(editor, block, split);
    let Some(pad) = pad else { return new };
    let copy = copy_pad(editor, pad, new);
    let rest: Vec<Block> = all_preds.iter().copied().filter(|p| !split.preds.contains(p)).collect();
    if rest.is_empty() {
        editor.replace_uses(pad.into(), copy.into());
    } else {
        let place = BlockPosition::Before(block);
        let other = divert(editor, block, Split { preds: &rest, suffix: "split-lp", place, ..split });
        let other_copy = copy_pad(editor, pad, other);
        let incoming = [copy.into(), other_copy.into()];
        let phi = new_phi(editor, block, editor.body().inst(pad).ty, &incoming, &[new, other]);
        editor.replace_uses(pad.into(), phi.into());
        inherit_name(editor, phi, pad, "lpad");
    }
    editor.remove(pad);
    new
}

fn divert(editor: &mut Editor<'_>, block: Block, split: Split<'_>) -> Block {
    let name = extended(editor.body().block_name(block).unwrap_or_default(), split.suffix);
    let new = match split.place {
        BlockPosition::Before(at) => editor.add_block_before(at, Some(&name)),
        BlockPosition::After(at) => editor.add_block_after(at, Some(&name)),
    };
    let phis: Vec<Inst> = editor.body().phis(block).collect();
    let moved: EntitySet<Block> = split.preds.iter().copied().collect();
    for phi in phis {
        divert_phi(editor, phi, new, &moved, split);
    }
    for &pred in split.preds {
        editor.redirect_edges(pred, block, new);
    }
    let mut branch = InstData::new(InstKind::Br, Type::VOID, [], [block]);
    branch.metadata.extend(editor.location_at(Position::AfterPhis(block)).map(|at| (MdKind::Dbg, at)));
    editor.insert(Position::End(new), branch);
    new
}

/// Moves the entries for the predecessors `preds` from `phi` to `new`, and adds one for `new` in their place.
fn divert_phi(editor: &mut Editor<'_>, phi: Inst, new: Block, preds: &EntitySet<Block>, split: Split<'_>) {
    let moved = |b: &Block| preds.contains(*b);
    let data = editor.body().inst(phi);
    let ty = data.ty;
    let (values, blocks): (Vec<Value>, Vec<Block>) = data.incoming().filter(|(_, b)| moved(b)).unzip();
    for index in (0..data.blocks.len()).rev() {
        if moved(&editor.body().inst(phi).blocks[index]) {
            editor.remove_incoming(phi, index);
        }
    }
    let Some(&first) = values.first() else { return };
    let same = values.iter().all(|v| *v == first);
    let value = if same && split.phis == NewPhis::WhereNeeded {
        first
    } else {
        let merged = new_phi(editor, new, ty, &values, &blocks);
        inherit_name(editor, merged, phi, split.phi_suffix);
        merged.into()
    };
    editor.add_incoming(phi, value, new);
}

/// Creates a phi after the existing phis of `block`.
pub(crate) fn new_phi(
    editor: &mut Editor<'_>,
    block: Block,
    ty: Type,
    values: &[Value],
    blocks: &[Block],
) -> Inst {
    let kind = InstKind::Phi(FastMath::NONE);
    let data = InstData::new(kind, ty, values.iter().copied(), blocks.iter().copied());
    editor.insert(Position::AfterPhis(block), data)
}

/// Names `inst` after `model`, if `model` has a name.
pub(crate) fn inherit_name(editor: &mut Editor<'_>, inst: Inst, model: Inst, suffix: &str) {
    if let Some(name) = editor.body().value_name(model.into()) {
        let name = extended(name, suffix);
        editor.set_name(inst, &name);
    }
}

/// `name`, a dot and `suffix`. A name that already ends in the suffix and a number stays as it is: otherwise repeated
/// splits would create names longer than the code.
fn extended(name: &str, suffix: &str) -> String {
    let made = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = made.strip_suffix(suffix).and_then(|stem| stem.strip_suffix('.'));
    format!("{}.{suffix}", stem.unwrap_or(name))
}

fn copy_pad(editor: &mut Editor<'_>, pad: Inst, to: Block) -> Inst {
    let data = editor.body().inst(pad).clone();
    let copy = editor.insert(Position::AfterPhis(to), data);
    inherit_name(editor, copy, pad, "lpad");
    copy
}
