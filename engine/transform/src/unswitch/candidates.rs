//! Conditions on which a loop can be unswitched by copying it: loop-invariant conditions of branches, switches and
//! selects in the loop (but not in a nested loop), and conjunctions or disjunctions with invariant parts.

use super::check::{Facts, maybe_undefined};
use super::condition::{Invariant, of_condition};
use super::effects::is_unseen;
use super::one_way::{self, OneWay};
use super::remarks::UnswitchMissed;
use crate::clone;
use crate::shape::Shape;
use backedge_analysis::cache::At;
use backedge_analysis::must_execute::{MustExecute, called_intrinsic};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::Type;

/// A condition on which a loop can be unswitched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    /// The instruction that uses the condition.
    pub(super) site: Inst,
    /// The block of `site`.
    pub(super) block: Block,
    pub(super) decides: Decides,
}

/// The kind of decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Decides {
    /// A branch.
    Branch(Invariant),
    /// A select on that value.
    Select(Value),
    /// A switch on that value.
    Switch {
        condition: Value,
        /// Its targets, each block once: the default first, then in the order of the cases.
        targets: Vec<Block>,
    },
    /// A call of `llvm.experimental.guard` with that value: control continues after it, or never.
    Guard(Value),
    /// A branch of the header on a condition that stays the same as long as the loop takes one successor.
    OneWay(OneWay),
}

impl Candidate {
    /// The number of resulting loops.
    pub(super) fn sides(&self) -> usize {
        match &self.decides {
            Decides::Branch(_) | Decides::Select(_) | Decides::Guard(_) | Decides::OneWay(_) => 2,
            Decides::Switch { targets, .. } => targets.len(),
        }
    }
    /// The values of the condition.
    pub(super) fn values(&self) -> &[Value] {
        match &self.decides {
            Decides::Branch(Invariant::Whole(value)) | Decides::Select(value) | Decides::Guard(value) => {
                std::slice::from_ref(value)
            }
            Decides::Branch(Invariant::Parts { parts, .. }) => parts,
            Decides::Switch { condition, .. } => std::slice::from_ref(condition),
            Decides::OneWay(_) => &[],
        }
    }
    /// Whether the decision has a single outcome in each resulting loop.
    pub(super) fn is_whole(&self) -> bool {
        !matches!(self.decides, Decides::Branch(Invariant::Parts { .. }) | Decides::OneWay(_))
    }
}

/// All candidates, in the order of the loop's blocks.
pub(super) fn candidates(at: At<'_>, shape: &Shape, facts: &Facts) -> Result<Vec<Candidate>, UnswitchMissed> {
    let own = |b: &&Block| shape.loops.innermost(**b) == Some(facts.l);
    let mut found = Vec::new();
    for &block in facts.blocks.iter().filter(own) {
        for &site in at.body.insts(block) {
            let decides = decides(at, shape, facts, site);
            found.extend(decides.map(|decides| Candidate { site, block, decides }));
        }
    }
    if !found.iter().any(|c| c.block == facts.header)
        && let Some(way) = one_way::of_header(at, shape, facts)
        && let Some(site) = at.body.terminator(facts.header)
    {
        found.push(Candidate { site, block: facts.header, decides: Decides::OneWay(way) });
    }
    if found.is_empty() {
        return Err(UnswitchMissed::NoInvariantCondition);
    }
    clone::check::check(at.env, at.body, &facts.blocks).map_err(UnswitchMissed::Uncopyable)?;
    Ok(found)
}

fn decides(At { env, body, .. }: At<'_>, shape: &Shape, facts: &Facts, site: Inst) -> Option<Decides> {
    let data = body.inst(site);
    let loops = &shape.loops;
    match &data.kind {
        InstKind::CondBr if data.blocks[0] != data.blocks[1] => {
            of_condition(body, loops, facts.l, data.operands[0]).map(Decides::Branch)
        }
        // A select between conditions is a conjunction or disjunction; the branch on it is the candidate.
        InstKind::Select(_) if data.ty != Type::I1 && body.ty(data.operands[0]) == Type::I1 => {
            match of_condition(body, loops, facts.l, data.operands[0])? {
                Invariant::Whole(value) => Some(Decides::Select(value)),
                Invariant::Parts { .. } => None,
            }
        }
        InstKind::Call(_) => {
            let call = data.call()?;
            if called_intrinsic(env, body, call) != Some(Intrinsic::ExperimentalGuard) {
                return None;
            }
            match of_condition(body, loops, facts.l, *call.args().first()?)? {
                Invariant::Whole(value) => Some(Decides::Guard(value)),
                Invariant::Parts { .. } => None,
            }
        }
        InstKind::Switch => {
            let condition = data.operands[0];
            let mut seen = EntitySet::new();
            let targets: Vec<Block> = data.blocks.iter().copied().filter(|b| seen.insert(*b)).collect();
            let invariant = condition.as_const().is_none() && loops.is_invariant(body, facts.l, condition);
            (invariant && targets.len() > 1).then_some(Decides::Switch { condition, targets })
        }
        _ => None,
    }
}

/// The values of `candidate` that must be frozen before the loop: those that may be poison or undef, unless the first
/// iteration branches on them before any visible effect.
pub(super) fn to_freeze(at: At<'_>, shape: &Shape, facts: &Facts, candidate: &Candidate) -> Vec<Value> {
    let values = maybe_undefined(at, facts, candidate.values());
    let is_branch = !matches!(candidate.decides, Decides::Select(_) | Decides::Guard(_));
    if !values.is_empty()
        && is_branch
        && candidate.is_whole()
        && is_unobservable_before(at, shape, facts, candidate.block)
        && MustExecute::of_loop(at, facts.l).contains_block(candidate.block)
    {
        return Vec::new();
    }
    values
}

/// Whether an iteration has no visible effect before the end of `block`.
fn is_unobservable_before(at: At<'_>, shape: &Shape, facts: &Facts, block: Block) -> bool {
    let mut seen = EntitySet::new();
    let mut work = vec![block];
    while let Some(next) = work.pop() {
        if !seen.insert(next) {
            continue;
        }
        let unseen = |i: &Inst| {
            let kind = &at.body.inst(*i).kind;
            matches!(kind, InstKind::Br | InstKind::CondBr | InstKind::Switch)
                || !kind.is_terminator() && is_unseen(at.env, at.body, *i)
        };
        if !at.body.insts(next).iter().all(unseen) {
            return false;
        }
        if next != facts.header {
            work.extend(shape.cfg.preds(next));
        }
    }
    true
}
