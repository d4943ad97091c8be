//! Measures the cost-model inputs of a loop from its code.

use super::profile::{cold_part, expected_trips};
use super::{Iteration, Tight};
use crate::counted::Facts;
use crate::shape::Shape;
use crate::size::{size_of, weight_of};
use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_ir::body::Body;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};

/// The measured cost of a loop.
#[derive(Copy, Clone, Debug)]
pub(crate) struct LoopCost {
    /// Its number of instructions that are not free.
    pub(crate) size: usize,
    /// The costs of an iteration with all its exit tests.
    pub(crate) iteration: Iteration,
}

impl LoopCost {
    /// The cost of the loop of `facts`.
    pub(crate) fn measure(at: At<'_>, facts: &Facts) -> Self {
        Self { size: size_of(at.env, at.body, &facts.ring.blocks), iteration: iteration(at, facts) }
    }
}

fn iteration(at: At<'_>, facts: &Facts) -> Iteration {
    let (env, body) = (at.env, at.body);
    let blocks = &facts.ring.blocks;
    let insts = blocks.iter().flat_map(|b| body.insts(*b));
    let size = insts.map(|i| weight_of(env, body, *i)).fold(0, u32::saturating_add);
    let branches = blocks.iter().filter(|b| body.successors(**b).len() > 1).count();
    let (cold, cold_branches) = cold_part(at, &facts.ring);
    Iteration {
        size: size.min(u32::MAX / 1024),
        branches: u32::try_from(branches).unwrap_or(u32::MAX / 1024),
        untested: 0,
        for_tests: 0,
        exits: u32::try_from(facts.exits.len()).unwrap_or(u32::MAX),
        trips: facts.constant.and_then(|c| u64::try_from(c.bits()).ok()?.checked_add(1)),
        expected: expected_trips(env, body, facts),
        cold,
        cold_branches,
        tight: at.func.and_then(|f| Tight::of(env, f)),
    }
}

/// The instructions of `l`, branches included, whose operands in `l` are only `roots` and other such instructions.
/// `roots` themselves are not returned.
pub(crate) fn settled_by(body: &Body, shape: &Shape, l: LoopId, roots: &[Inst]) -> Vec<Inst> {
    let mut settled: EntitySet<Inst> = roots.iter().copied().collect();
    let mut found = Vec::new();
    let mut work = roots.to_vec();
    while let Some(inst) = work.pop() {
        for user in body.code_uses(inst.into()).map(|u| u.user) {
            let data = body.inst(user);
            let inside = body.block_of(user).is_some_and(|b| shape.loops.contains(l, b));
            let computes = data.kind.is_pure() || matches!(data.kind, InstKind::CondBr | InstKind::Switch);
            let known = |v: &Value| {
                v.as_inst().is_some_and(|i| settled.contains(i)) || shape.loops.is_invariant(body, l, *v)
            };
            if inside && computes && data.operands.iter().all(known) && settled.insert(user) {
                found.push(user);
                work.push(user);
            }
        }
    }
    found
}
