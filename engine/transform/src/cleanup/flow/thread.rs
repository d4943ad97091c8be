//! Jump threading: predecessors for which a block's branch has a known outcome branch to that successor directly.
//!
//! Front ends compile `a && b` to a branch on a phi of `false` and `b`. After threading, `a` and `b` are two separate
//! tests, and in a loop two exits.
//!
//! Guarantees: only the block's branch and phis of its successors use the phis of such a block, and the successors'
//! phis get entries for the new edges. Headers and their backedges are left alone, as are blocks whose address is
//! taken, so no loop gets a second latch or entry.

use crate::pass::Unit;
use crate::shape::Shape;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};

/// An edge with a known continuation.
struct Known {
    pred: Block,
    block: Block,
    to: Block,
}

/// Threads the predecessors of blocks in `blocks` that only branch; returns the number of changed edges.
pub fn thread_known_edges(unit: &mut Unit<'_>, blocks: &[Block]) -> usize {
    let mut threaded = 0;
    for &block in blocks {
        if !unit.body().has_block(block) || choice(unit.body(), block).is_none() {
            continue;
        }
        let shape = unit.shape();
        let preds: Vec<Block> = shape.cfg.preds(block).to_vec();
        let mut rest = preds.len();
        for pred in preds {
            // The last edge into the block is left to other simplifications.
            let known = if rest > 1 { known_edge(unit.body(), &shape, block, pred) } else { None };
            if let Some(known) = known {
                thread(&mut unit.editor(), &known);
                threaded += 1;
                rest -= 1;
            }
        }
    }
    threaded
}

/// The phi that `block` branches on, if the block contains nothing else.
fn choice(body: &Body, block: Block) -> Option<Inst> {
    let branch = body.terminator(block)?;
    let InstKind::CondBr = body.inst(branch).kind else { return None };
    let phi = body.inst(branch).operands[0].as_inst()?;
    let passed = |kind: &InstKind| matches!(kind, InstKind::Phi(_) | InstKind::DebugRecord(_));
    let only_phis = body.insts(block).iter().all(|i| *i == branch || passed(&body.inst(*i).kind));
    let own = only_phis && body.inst(phi).kind.is_phi() && body.block_of(phi) == Some(block);
    // Only phis on the outgoing edges of the block may use its phis.
    let stays = |value: Inst| {
        body.code_uses(value.into()).all(|u| {
            let user = body.inst(u.user);
            u.user == branch || user.kind.is_phi() && user.blocks.get(u.index as usize) == Some(&block)
        })
    };
    (own && body.phis(block).all(stays) && !body.is_pinned(block)).then_some(phi)
}

fn known_edge(body: &Body, shape: &Shape, block: Block, pred: Block) -> Option<Known> {
    let phi = choice(body, block)?;
    let branch = body.terminator(block)?;
    let truth = body.as_int(body.incoming_from(phi, pred)?)?;
    let &[if_true, if_false] = body.successors(block) else { return None };
    let to = if truth.is_one() { if_true } else { if_false };
    let ends_in_branch =
        body.terminator(pred).is_some_and(|t| matches!(body.inst(t).kind, InstKind::Br | InstKind::CondBr));
    let one_edge = body.successors(pred).iter().filter(|b| **b == block).count() == 1;
    let free = !body.successors(pred).contains(&to) && to != block && if_true != if_false;
    let of_header = [block, to].iter().any(|b| shape.loops.with_header(*b).is_some());
    // The path through the block leaves the same loops at the same exit block as the direct edge.
    let same_loops = shape.loops.innermost(pred) == shape.loops.innermost(block);
    let plain = body.inst(branch).has_only_debug_location();
    (ends_in_branch && one_edge && free && !of_header && same_loops && plain && shape.cfg.is_reachable(pred))
        .then_some(Known { pred, block, to })
}

fn thread(editor: &mut Editor<'_>, known: &Known) {
    let &Known { pred, block, to } = known;
    let phis: Vec<Inst> = editor.body().phis(to).collect();
    for phi in phis {
        let Some(value) = editor.body().incoming_from(phi, block) else { continue };
        let on_the_way = match value {
            Value::Inst(inst) if editor.body().block_of(inst) == Some(block) => {
                editor.body().incoming_from(inst, pred).unwrap_or(value)
            }
            _ => value,
        };
        editor.add_incoming(phi, on_the_way, pred);
    }
    editor.remove_edge_from_phis(block, pred);
    editor.redirect_edges(pred, block, to);
}
