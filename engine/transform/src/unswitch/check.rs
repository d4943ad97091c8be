//! Legality of unswitching.
//!
//! *Trivial* unswitching: starting at the header, follow blocks without visible effects to a branch or switch on an
//! invariant condition with a side that leaves the loop. The first iteration decides this exit before any effect, so
//! it can be decided before the loop. The incoming values of the exit's phis must be known there too: they are
//! invariant, or header phis, which have their first value. Other candidates are in [`super::candidates`].

use super::FormPart;
use super::condition::{Invariant, of_condition};
use super::effects::is_unseen;
use super::remarks::UnswitchMissed;
use crate::clone::Uncopyable;
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::types::Type;

/// Facts about a loop that may be unswitched.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) l: LoopId,
    pub(super) header: Block,
    pub(super) preheader: Block,
    /// The loop's blocks, the header first.
    pub(super) blocks: Vec<Block>,
}

/// Checks that `l` is in the required form.
pub(super) fn check(body: &Body, shape: &Shape, l: LoopId) -> Result<Facts, UnswitchMissed> {
    let Shape { cfg, loops, .. } = shape;
    let header = loops.header(l);
    let preheader = loops.preheader(cfg, l).ok_or(UnswitchMissed::NotSimplified(FormPart::Preheader))?;
    loops.single_latch(cfg, l).ok_or(UnswitchMissed::NotSimplified(FormPart::SingleBackedge))?;
    if !loops.has_dedicated_exits(cfg, l) {
        return Err(UnswitchMissed::NotSimplified(FormPart::DedicatedExits));
    }
    let blocks = loops.blocks(l).to_vec();
    if blocks.iter().flat_map(|b| body.insts(*b)).any(|i| body.inst(*i).ty == Type::TOKEN) {
        return Err(UnswitchMissed::Uncopyable(Uncopyable::Token));
    }
    Ok(Facts { l, header, preheader, blocks })
}

/// An exit that can be decided before the loop.
#[derive(Clone, Debug)]
pub(super) struct Trivial {
    /// The exiting block.
    pub(super) block: Block,
    pub(super) exits: Exits,
}

/// The kind of exit.
#[derive(Clone, Debug)]
pub(super) enum Exits {
    /// A branch.
    Branch(BranchExit),
    /// A switch: for each successor, whether it leaves the loop.
    Switch(Vec<bool>),
}

/// A branch that leaves the loop by one of its edges.
#[derive(Clone, Debug)]
pub(super) struct BranchExit {
    /// The invariant part of its condition.
    pub(super) invariant: Invariant,
    /// The value of the condition for which it leaves.
    pub(super) on: bool,
    /// The exit block.
    pub(super) to: Block,
}

/// The first exit of the loop that can be decided before it.
pub(super) fn trivial(at: At<'_>, shape: &Shape, facts: &Facts) -> Option<Trivial> {
    let body = at.body;
    let mut block = facts.header;
    let mut seen = EntitySet::new();
    while seen.insert(block) && shape.loops.contains(facts.l, block) {
        let terminator = body.terminator(block)?;
        let mut rest = body.insts(block).iter().filter(|i| **i != terminator);
        if !rest.all(|i| is_unseen(at.env, body, *i)) {
            return None;
        }
        let data = body.inst(terminator);
        let exits = match &data.kind {
            InstKind::Br => {
                block = data.blocks[0];
                continue;
            }
            InstKind::CondBr => branch_out(body, shape, facts, block),
            InstKind::Switch => switch_out(body, shape, facts, block),
            _ => None,
        };
        return exits.map(|exits| Trivial { block, exits });
    }
    None
}

fn branch_out(body: &Body, shape: &Shape, facts: &Facts, block: Block) -> Option<Exits> {
    let loops = &shape.loops;
    let branch = body.inst(body.terminator(block)?);
    let on = match branch.blocks.iter().map(|b| loops.contains(facts.l, *b)).collect::<Vec<_>>()[..] {
        [false, true] => true,
        [true, false] => false,
        _ => return None,
    };
    let to = branch.blocks[usize::from(!on)];
    let invariant = of_condition(body, loops, facts.l, branch.operands[0])?;
    let settled = match &invariant {
        Invariant::Whole(_) => true,
        Invariant::Parts { decides, .. } => *decides == on,
    };
    let settled = settled && takes_entry_values(body, shape, facts, block, to);
    settled.then_some(Exits::Branch(BranchExit { invariant, on, to }))
}

fn switch_out(body: &Body, shape: &Shape, facts: &Facts, block: Block) -> Option<Exits> {
    let loops = &shape.loops;
    let switch = body.inst(body.terminator(block)?);
    let condition = switch.operands[0];
    if condition.as_const().is_some() || !loops.is_invariant(body, facts.l, condition) {
        return None;
    }
    let leaves =
        |to: &Block| !loops.contains(facts.l, *to) && takes_entry_values(body, shape, facts, block, *to);
    let exits: Vec<bool> = switch.blocks.iter().map(leaves).collect();
    exits.contains(&true).then_some(Exits::Switch(exits))
}

/// Whether the incoming values from `block` in the phis of `exit`, in the first iteration, are known before the loop.
fn takes_entry_values(body: &Body, shape: &Shape, facts: &Facts, block: Block, exit: Block) -> bool {
    body.phis(exit).all(|phi| {
        let value = body.incoming_from(phi, block);
        value.and_then(|v| entry_value(body, shape, facts, v)).is_some()
    })
}

/// The value of `value` at loop entry, if known before the loop.
pub(super) fn entry_value(body: &Body, shape: &Shape, facts: &Facts, value: Value) -> Option<Value> {
    if shape.loops.is_invariant(body, facts.l, value) {
        return Some(value);
    }
    let inst = value.as_inst()?;
    let is_header_phi = body.inst(inst).kind.is_phi() && body.block_of(inst) == Some(facts.header);
    if is_header_phi { body.incoming_from(inst, facts.preheader) } else { None }
}

/// The values of `values` that may be poison or undef before the loop: a branch on them there needs a `freeze`.
pub(super) fn maybe_undefined(at: At<'_>, facts: &Facts, values: &[Value]) -> Vec<Value> {
    let end = at.body.terminator(facts.preheader);
    let defined = |v: &Value| is_guaranteed_defined(at, *v, end, Defined::NotUndef);
    values.iter().copied().filter(|v| !defined(v)).collect()
}
