//! Unreachable blocks, and edges to blocks that are only UB.

use super::{drop_cases, end_unreachable};
use crate::cleanup::dead::remove_unneeded;
use crate::edges::go_to;
use crate::pass::Unit;
use backedge_analysis::Cfg;
use backedge_analysis::must_execute::guaranteed_to_transfer;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::module::Env;
use smallvec::SmallVec;

/// Removes unreachable blocks; returns their number. A block whose address is taken stays, as an `unreachable`.
pub fn remove_unreachable(unit: &mut Unit<'_>) -> usize {
    let shape = unit.shape();
    let body = unit.body();
    let is_idle = |b: &Block| {
        let [only] = body.insts(*b) else { return false };
        body.is_pinned(*b) && matches!(body.inst(*only).kind, InstKind::Unreachable)
    };
    let dead: Vec<Block> =
        body.blocks().filter(|b| !shape.cfg.is_reachable(*b)).filter(|b| !is_idle(b)).collect();
    let mut editor = unit.editor();
    for &block in &dead {
        end_unreachable(&mut editor, block);
    }
    for &block in &dead {
        if !editor.body().is_pinned(block) {
            editor.remove_block(block);
            continue;
        }
        let insts: Vec<Inst> = editor.body().insts(block).to_vec();
        for inst in insts.into_iter().rev().skip(1) {
            editor.remove(inst);
        }
    }
    dead.len()
}

/// Removes the edges into blocks of `blocks` that only end in `unreachable`, since taking them is UB. First removes
/// unobservable instructions before the `unreachable`. Returns the number of changed blocks.
pub fn cut_before_unreachable(env: &Env, editor: &mut Editor<'_>, blocks: &[Block]) -> usize {
    let mut changed = 0;
    let ended = |body: &Body, b: Block| {
        body.has_block(b)
            && body.terminator(b).is_some_and(|t| matches!(body.inst(t).kind, InstKind::Unreachable))
    };
    let mut work: Vec<Block> = blocks.iter().copied().filter(|b| ended(editor.body(), *b)).collect();
    if work.is_empty() {
        return 0;
    }
    let cfg = Cfg::new(editor.body());
    let region: EntitySet<Block> = blocks.iter().copied().collect();
    while let Some(block) = work.pop() {
        changed += usize::from(drop_unobservable(env, editor, block));
        let [_] = editor.body().insts(block) else { continue };
        for &pred in cfg.preds(block).iter().filter(|p| region.contains(**p)) {
            if !editor.body().successors(pred).contains(&block) {
                continue;
            }
            let body = editor.body();
            let decides = body.terminator(pred).and_then(|t| body.inst(t).operands.first()?.as_inst());
            if cut_edges(editor, pred, block) {
                changed += 1;
                remove_unneeded(env, editor, decides.into_iter().collect());
            }
            if ended(editor.body(), pred) {
                work.push(pred);
            }
        }
    }
    changed
}

/// Removes the instructions at the end of `block`, before its `unreachable`, that are unobservable and always
/// transfer control; also the phis if nothing is left.
fn drop_unobservable(env: &Env, editor: &mut Editor<'_>, block: Block) -> bool {
    let body = editor.body();
    let unseen = |i: &Inst| {
        let data = body.inst(*i);
        let plain = match &data.kind {
            InstKind::Store(access) | InstKind::Load(access) => !access.volatile && access.ordering.is_none(),
            InstKind::Call(_) => super::super::dead::is_removable(env, body, *i),
            InstKind::LandingPad { .. } => false,
            InstKind::Fence(..) | InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::VaArg => false,
            _ => true,
        };
        plain && guaranteed_to_transfer(env, body, *i)
    };
    let insts = body.insts(block);
    let before = &insts[..insts.len() - 1];
    let unseen: Vec<Inst> = before.iter().rev().copied().take_while(unseen).collect();
    for &inst in &unseen {
        editor.remove(inst);
    }
    !unseen.is_empty()
}

/// Removes the edges from `pred` to `block` if the terminator allows it; returns whether it does.
fn cut_edges(editor: &mut Editor<'_>, pred: Block, block: Block) -> bool {
    let Some(terminator) = editor.body().terminator(pred) else { return false };
    let data = editor.body().inst(terminator);
    let goes = |i: &usize| data.blocks[*i] == block;
    match &data.kind {
        InstKind::Br => end_unreachable(editor, pred),
        InstKind::CondBr => match data.blocks.iter().copied().find(|b| *b != block) {
            Some(other) => go_to(editor, pred, other),
            None => end_unreachable(editor, pred),
        },
        InstKind::Switch => {
            let cases: SmallVec<[usize; 4]> = (1..data.blocks.len()).filter(goes).collect();
            let default = goes(&0);
            match (default, cases.is_empty()) {
                (true, _) if cases.len() + 1 == data.blocks.len() => end_unreachable(editor, pred),
                (_, true) => return false,
                // If the default leads there too, dropped cases would still lead there.
                (true, _) => return false,
                _ => drop_cases(editor, pred, &cases),
            }
        }
        _ => return false,
    }
    true
}
