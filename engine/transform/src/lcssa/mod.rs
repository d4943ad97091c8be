//! `lcssa`: brings loops into loop-closed SSA form, in which a value defined in a loop is used only in it or by phis
//! of its exit blocks, on the exiting edges.
//!
//! Needs valid IR; dedicated exits make the phis simpler, but are not required. Guarantees the form for every loop,
//! as LLVM's LCSSA verification defines it: uses in unreachable blocks and by debug records do not count. Tokens,
//! which no phi can take, are left with a remark. A phi is created only where a use needs it, and an equivalent
//! existing phi is reused.
//!
//! A value is considered with its innermost loop. Phis belong in the exit blocks that its definition dominates (for
//! an invoke's result, that its normal destination dominates), and in their iterated dominance frontier, where values
//! from several exits meet. An edge from the loop into such an exit block brings the value itself; any other edge
//! brings its reaching definition. A new phi may itself be in a loop and is considered in turn. This terminates,
//! since the block of the value strictly dominates the block of the phi.

mod remarks;

pub use remarks::{LcssaDone, LcssaMissed};

use crate::pass::{FunctionPass, Unit};
use crate::shape::Shape;
use crate::split::new_phi;
use crate::ssa::{Definitions, Reaching};
use backedge_analysis::LoopId;
use backedge_analysis::frontier::IteratedFrontier;
use backedge_analysis::loops::use_block;
use backedge_ir::body::Body;
use backedge_ir::dominators::Dominators;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Use, Value};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::LazyCell;

/// The pass's name.
pub const NAME: &str = "lcssa";

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct Lcssa;

impl FunctionPass for Lcssa {
    fn text(&self) -> String {
        NAME.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        close(unit, None);
    }
}

/// Creates LCSSA phis for the values of all loops; only for those in `only`, if given.
pub(crate) fn close(unit: &mut Unit<'_>, only: Option<&EntitySet<Inst>>) {
    let shape = unit.shape();
    if shape.loops.is_empty() {
        return;
    }
    let frontier = LazyCell::new(|| IteratedFrontier::new(&shape.cfg, &*shape.dominators));
    let mut counts: FxHashMap<LoopId, (usize, usize)> = FxHashMap::default();
    let mut missed = Vec::new();
    let order = loops_of(unit.body(), &shape, only);
    for &l in &order {
        let mut work = Vec::new();
        let mut values = candidates(unit.body(), &shape, l);
        values.retain(|v| only.is_none_or(|only| only.contains(*v)));
        for value in values {
            match check(unit.body(), &shape, value) {
                Ok(Some(open)) => work.push(open),
                Ok(None) => {}
                Err(reason) => missed.push((shape.loops.header(l), reason)),
            }
        }
        while let Some(open) = work.pop() {
            let joins = decide(&shape, &frontier, &open);
            let phis = apply(&mut unit.editor(), &shape, &open, &joins);
            let count = counts.entry(open.l).or_default();
            count.0 += 1;
            count.1 += phis.len();
            // Only phis were made, so none of them is a token.
            work.extend(phis.into_iter().filter_map(|p| check(unit.body(), &shape, p).ok().flatten()));
        }
    }
    for l in shape.loops.in_pass_order() {
        if let Some(&(values, phis)) = counts.get(&l) {
            unit.remark(NAME, shape.loops.header(l), LcssaDone::Closed { values, phis });
        }
    }
    for (header, reason) in missed {
        unit.remark(NAME, header, reason);
    }
}

/// Whether all loops are in LCSSA form, except for tokens.
pub fn is_in_form(body: &Body, shape: &Shape) -> bool {
    shape.loops.top_level().iter().all(|l| shape.loops.is_recursively_lcssa(body, &shape.cfg, *l))
}

/// The loops, in pass order, that are the innermost loop of some value of `only`; all loops if `only` is `None`.
fn loops_of(body: &Body, shape: &Shape, only: Option<&EntitySet<Inst>>) -> Vec<LoopId> {
    let mut order = shape.loops.in_pass_order();
    if let Some(only) = only {
        let blocks = only.iter().filter_map(|i| body.block_of(i));
        let wanted: FxHashSet<LoopId> = blocks.filter_map(|b| shape.loops.innermost(b)).collect();
        order.retain(|l| wanted.contains(l));
    }
    order
}

/// A value that is used outside its innermost loop.
struct Open {
    value: Inst,
    l: LoopId,
    /// The uses outside the loop.
    uses: Vec<Use>,
    /// The exit blocks of the loop where the value is available on the edges from the loop.
    exits: Vec<Block>,
}

/// The instructions whose innermost loop is `l`, in reverse order.
fn candidates(body: &Body, shape: &Shape, l: LoopId) -> Vec<Inst> {
    shape
        .loops
        .own_blocks(l)
        .flat_map(|b| body.insts(b))
        .copied()
        .filter(|i| body.code_uses((*i).into()).next().is_some())
        .rev()
        .collect()
}

/// The uses of `value` outside its innermost loop, if there are any.
fn check(body: &Body, shape: &Shape, value: Inst) -> Result<Option<Open>, LcssaMissed> {
    let Shape { cfg, dominators, loops } = shape;
    let Some(block) = body.block_of(value) else { return Ok(None) };
    let Some(l) = loops.innermost(block) else { return Ok(None) };
    if body.inst(value).ty == Type::TOKEN {
        let outside = |u: &Use| use_block(body, *u).is_some_and(|b| !loops.contains(l, b));
        let escapes = body.uses(value.into()).iter().any(outside);
        let name = body.value_name(value.into()).map(str::to_owned);
        return if escapes { Err(LcssaMissed::Token { name }) } else { Ok(None) };
    }
    let mut uses: Vec<Use> = loops.escaping_uses(body, cfg, l, value).collect();
    if uses.is_empty() {
        return Ok(None);
    }
    uses.sort_unstable();
    let from = defining_block(body, value, block);
    let mut exits = loops.distinct_exit_blocks(cfg, l);
    exits.retain(|exit| is_available_on_exit(dominators, from, *exit));
    Ok(Some(Open { value, l, uses, exits }))
}

/// The block from which on `value` is available: the block of its definition, or the normal destination if `value` is
/// an invoke.
fn defining_block(body: &Body, value: Inst, block: Block) -> Block {
    match body.inst(value).kind {
        InstKind::Invoke(_) => body.successors(block).first().copied().unwrap_or(block),
        _ => block,
    }
}

fn is_available_on_exit(dominators: &Dominators, from: Block, exit: Block) -> bool {
    dominators.dominates(from, exit)
}

/// The blocks where definitions of the closed value meet: the exits and their iterated dominance frontier.
fn decide(shape: &Shape, frontier: &IteratedFrontier<'_, Dominators>, open: &Open) -> EntitySet<Block> {
    let outside = |b: &Block| !shape.loops.contains(open.l, *b);
    let after = frontier.of(&open.exits).into_iter().filter(outside);
    open.exits.iter().copied().chain(after).collect()
}

/// Rewrites the outside uses; returns the new phis.
fn apply(editor: &mut Editor<'_>, shape: &Shape, open: &Open, joins: &EntitySet<Block>) -> Vec<Inst> {
    let value: Value = open.value.into();
    let in_loop = |b: Block| shape.loops.contains(open.l, b).then_some(value);
    let definitions = Definitions { cfg: &shape.cfg, dominators: &shape.dominators, at_end: &in_loop, joins };
    let name = editor.body().value_name(value).map(|n| format!("{n}.lcssa"));
    let mut reaching = Reaching::new(definitions, editor.body().ty(value), name.as_deref());
    for &exit in &open.exits {
        if let Some(phi) = existing_phi(editor.body(), exit, value) {
            reaching.seed(exit, phi);
        }
    }
    for &use_ in &open.uses {
        let Some(block) = use_block(editor.body(), use_) else { continue };
        let new = if editor.body().inst(use_.user).kind.is_phi() {
            reaching.at_end(editor, block)
        } else {
            reaching.at_start(editor, block)
        };
        editor.set_operand(use_, new);
    }
    update_debug_records(editor, shape, open, &reaching);
    reaching.into_phis()
}

/// `value` for use at the start of `exit`, reached by `edges` and in the same loops as `place`. If `value` is defined
/// in a loop that the edges leave, the result is a phi.
pub(crate) fn closed_at(
    editor: &mut Editor<'_>,
    shape: &Shape,
    value: Value,
    exit: Block,
    place: Block,
    edges: &[Block],
) -> Value {
    let body = editor.body();
    let of = value.as_inst().and_then(|i| shape.loops.innermost(body.block_of(i)?));
    if of.is_none_or(|of| shape.loops.contains(of, place)) {
        return value;
    }
    if let Some(phi) = existing_phi(body, exit, value) {
        return phi.into();
    }
    let ty = body.ty(value);
    let name = body.value_name(value).map(|n| format!("{n}.lcssa"));
    let phi = new_phi(editor, exit, ty, &vec![value; edges.len()], edges);
    if let Some(name) = name {
        editor.set_name(phi, &name);
    }
    phi.into()
}

/// An existing phi of `exit` that closes `value`.
fn existing_phi(body: &Body, exit: Block, value: Value) -> Option<Inst> {
    body.phis(exit).find(|phi| {
        let mut incoming = body.inst(*phi).incoming();
        incoming.len() > 0 && incoming.all(|(v, _)| v == value)
    })
}

/// Debug records outside the loop use the new phi where one was created. Elsewhere the value itself still dominates
/// them.
fn update_debug_records(editor: &mut Editor<'_>, shape: &Shape, open: &Open, reaching: &Reaching<'_>) {
    let value: Value = open.value.into();
    let is_record = |u: &Use| matches!(editor.body().inst(u.user).kind, InstKind::DebugRecord(_));
    let mut records: Vec<Use> = editor.body().uses(value).iter().copied().filter(is_record).collect();
    records.sort_unstable();
    for use_ in records {
        let block = editor.body().block_of(use_.user);
        let Some(block) = block.filter(|b| !shape.loops.contains(open.l, *b)) else { continue };
        if let Some(new) = reaching.existing_at_start(block) {
            editor.set_operand(use_, new);
        }
    }
}
