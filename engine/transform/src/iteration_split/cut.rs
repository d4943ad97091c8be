//! The edit that splits the iterations of a loop: the first loop makes a given number of rounds, the second one all
//! remaining iterations.
//!
//! ```text
//! preheader ── rounds = 0 ──────────────────────┐
//!     │                                         ▼
//!  first.ph → first loop, `rounds` rounds → done → second.ph → second loop → exits
//! ```
//! A round is one iteration, or several copies of the body. The second loop is a copy of the original loop, with its
//! own exit tests; exits known not to be taken in the first loop's rounds are not tested there. If [`Cut::leave`] is
//! set, the loop may be left between the two: the last iteration of the first loop may have been the last one of all.
//!
//! Needs the same as [`crate::clone`], and a number of rounds that is neither poison nor undef.
//! [`crate::form::restore`] must restore the loop forms afterwards.

use crate::clone::chain::{append, replace_incoming};
use crate::clone::{Copies, Ring, copy_blocks};
use crate::counted::count_rounds;
use crate::edges::go_to_all;
use crate::split::new_phi;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::IntPredicate;

/// Parameters of a split.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The loop.
    pub ring: Ring,
    /// The exiting blocks known not to leave in the first loop, and their successors in the loop.
    pub stays: Vec<(Block, Block)>,
    /// Iterations per round of the first loop; at least one.
    pub factor: usize,
    /// The latch's exit block, if the first loop may make the last iteration.
    pub leave: Option<Block>,
    /// Suffix of names in the second loop.
    pub tag: &'static str,
}

/// The values that a split depends on, all available in the preheader.
#[derive(Copy, Clone, Debug)]
pub struct Bounds {
    /// Number of rounds of the first loop.
    pub rounds: Value,
    /// If [`Cut::leave`] is set: whether iterations remain for the second loop.
    pub rest: Option<Value>,
}

/// The two resulting loops.
#[derive(Clone, Debug)]
pub struct Halves {
    /// The first loop: the original blocks and copies of them.
    pub first: Ring,
    /// The second loop.
    pub second: Ring,
    /// The block between the two.
    pub done: Block,
    /// Maps the original loop to its copy in the second loop.
    pub copies: Copies,
    /// Maps the original body to its further copies in the first loop.
    pub bodies: Vec<Copies>,
}

/// Splits the iterations of a loop.
pub fn split(editor: &mut Editor<'_>, cut: &Cut, bounds: Bounds) -> Halves {
    let Cut { ring, factor, leave, tag, .. } = cut;
    let started = ring.started(editor.body());
    let carried = ring.carried(editor.body());
    let leaving = leave.map(|exit| leaving_values(editor, exit, ring.latch));
    let copies = copy_blocks(editor, &ring.blocks, tag, ring.last());
    go_to_all(editor, &cut.stays);
    let bodies = append(editor, ring, factor - 1, "");
    let last = bodies.last().cloned().unwrap_or_default();
    let preheader = named_block(editor, ring.header, "ph", ring.preheader);
    let body_end = last.block(ring.last());
    let done = named_block(editor, ring.header, "done", body_end);
    let second = named_block(editor, ring.header, &format!("{tag}.ph"), done);
    let latch = close_by_rounds(editor, ring, last.block(ring.latch), preheader, done, bounds.rounds);
    // Enters the first loop, or skips it.
    enter_first(editor, ring, preheader, second, bounds.rounds);
    match (leave, bounds.rest) {
        (Some(exit), Some(rest)) => {
            Builder::new(editor, Position::End(done)).cond_br(rest, second, *exit);
            for (phi, value) in leaving.into_iter().flatten() {
                editor.add_incoming(phi, last.value(value), done);
            }
        }
        _ => {
            Builder::new(editor, Position::End(done)).br(second);
        }
    }
    let ring2 = ring.copied(&copies, second);
    let ways = started.iter().zip(&carried);
    let entered: Vec<(Inst, [Value; 2])> =
        ways.map(|((phi, start), (_, carry))| (*phi, [*start, last.value(*carry)])).collect();
    enter_second(editor, ring, second, &copies, [ring.preheader, done], &entered);
    Builder::new(editor, Position::End(second)).br(ring2.header);
    let mut blocks = ring.blocks.clone();
    blocks.extend(bodies.iter().flat_map(|c| ring.blocks.iter().map(|b| c.block(*b))));
    if !blocks.contains(&latch) {
        blocks.push(latch);
    }
    let first = Ring { preheader, header: ring.header, latch, blocks };
    Halves { first, second: ring2, done, copies, bodies }
}

/// The phis of `exit` with their incoming values from `latch`.
fn leaving_values(editor: &Editor<'_>, exit: Block, latch: Block) -> Vec<(Inst, Value)> {
    let body = editor.body();
    body.phis(exit).filter_map(|phi| Some((phi, body.incoming_from(phi, latch)?))).collect()
}

fn named_block(editor: &mut Editor<'_>, model: Block, suffix: &str, after: Block) -> Block {
    let name = editor.body().block_name(model).map(|n| format!("{n}.{suffix}"));
    editor.add_block_after(after, name.as_deref())
}

/// Makes the loop exit to `done` after `rounds` rounds; returns the new latch.
fn close_by_rounds(
    editor: &mut Editor<'_>,
    ring: &Ring,
    latch: Block,
    preheader: Block,
    done: Block,
    rounds: Value,
) -> Block {
    let only_way =
        editor.body().terminator(latch).filter(|t| matches!(editor.body().inst(*t).kind, InstKind::Br));
    let old = editor.body().terminator(latch);
    let loop_md = old.and_then(|t| editor.body().inst(t).metadata_of(&MdKind::Loop).copied());
    let closing = match only_way {
        Some(branch) => {
            editor.remove(branch);
            latch
        }
        None => {
            let block = named_block(editor, ring.header, "round", latch);
            for (phi, value) in (Ring { latch, ..ring.clone() }).carried(editor.body()) {
                // The new block has one edge, so one entry is needed, whatever the number of edges from the old
                // latch.
                replace_incoming(editor, phi, latch, block, value);
                while editor.body().inst(phi).blocks.iter().filter(|b| **b == block).count() > 1 {
                    if let Some(index) = editor.body().inst(phi).blocks.iter().position(|b| *b == block) {
                        editor.remove_incoming(phi, index);
                    }
                }
            }
            if let Some(branch) = old {
                editor.retain_metadata(branch, |kind| *kind != MdKind::Loop);
            }
            editor.redirect_edges(latch, ring.header, block);
            block
        }
    };
    let ends = Position::End(closing);
    let ty = editor.body().ty(rounds);
    let done_rounds = count_rounds(editor, preheader, ring.header, closing, ends, ty);
    let mut builder = Builder::new(editor, ends);
    let end = builder.icmp(IntPredicate::Eq, done_rounds, rounds, "round.end");
    let branch = builder.cond_br(end, done, ring.header);
    if let Some(metadata) = loop_md {
        editor.set_metadata(branch, MdKind::Loop, metadata);
    }
    closing
}

/// Makes the old preheader branch to `preheader` if there are rounds to make, else to `second`.
fn enter_first(editor: &mut Editor<'_>, ring: &Ring, preheader: Block, second: Block, rounds: Value) {
    for (phi, value) in ring.started(editor.body()) {
        replace_incoming(editor, phi, ring.preheader, preheader, value);
    }
    Builder::new(editor, Position::End(preheader)).br(ring.header);
    if let Some(old) = editor.body().terminator(ring.preheader) {
        editor.remove(old);
    }
    let bits = editor.body().ty(rounds).int_bits().unwrap_or(1);
    let zero = editor.int(Int::zero(bits));
    let mut builder = Builder::new(editor, Position::End(ring.preheader));
    let none = builder.icmp(IntPredicate::Eq, rounds, zero, "rounds.none");
    builder.cond_br(none, second, preheader);
}

/// Adds phis at the entry of the second loop, where two edges meet, and makes them the initial values of its header
/// phis.
fn enter_second(
    editor: &mut Editor<'_>,
    ring: &Ring,
    second: Block,
    copies: &Copies,
    ways: [Block; 2],
    values: &[(Inst, [Value; 2])],
) {
    for &(phi, entered) in values {
        let Some(copy) = copies.inst(phi) else { continue };
        let ty = editor.body().inst(phi).ty;
        let merged = new_phi(editor, second, ty, &entered, &ways);
        if let Some(name) = editor.body().value_name(phi.into()).map(|n| format!("{n}.resume")) {
            editor.set_name(merged, &name);
        }
        replace_incoming(editor, copy, ring.preheader, second, merged.into());
    }
}
