//! Facts about a loop whose induction variables are simplified.

use super::remarks::IndVarsMissed;
use crate::clone::Ring;
use crate::counted::{Exit, facts};
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_scev::{Expr, Node, ScalarEvolution};
use rustc_hash::FxHashSet;

/// A loop, its exits and counts.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) l: LoopId,
    pub(super) ring: Ring,
    /// Its exits, in the order of its blocks.
    pub(super) exits: Vec<Exit>,
    /// An upper bound of its backedge-taken count.
    pub(super) constant_max: Option<Int>,
    /// The terminator of the preheader; invariant values are computed before it.
    pub(super) entry: Inst,
}

/// Collects the facts about `l`.
pub(super) fn check(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    l: LoopId,
) -> Result<Facts, IndVarsMissed> {
    let body = scev.body();
    let ring = Ring::of(body, shape, l).ok_or(IndVarsMissed::NotSimplified)?;
    let entry = body.terminator(ring.preheader).ok_or(IndVarsMissed::NotSimplified)?;
    let of = facts(scev, shape, l, ring);
    Ok(Facts { l, ring: of.ring, exits: of.exits, constant_max: of.constant_max, entry })
}

/// A header phi that is an affine integer add recurrence of the loop.
#[derive(Copy, Clone, Debug)]
pub(super) struct Counter {
    pub(super) phi: Inst,
    pub(super) start: Expr,
    pub(super) step: Expr,
}

/// The counters of the loop.
pub(super) fn counters(scev: &mut ScalarEvolution<'_>, body: &Body, facts: &Facts) -> Vec<Counter> {
    let phis: Vec<Inst> = body.phis(facts.ring.header).filter(|phi| body.inst(*phi).ty.is_int()).collect();
    let mut found = Vec::new();
    for phi in phis {
        let Some(expr) = scev.expr(phi.into()) else { continue };
        if let Some((l, operands)) = scev.arena().as_add_rec(expr)
            && l == facts.l
            && let &[start, step] = &operands[..]
        {
            found.push(Counter { phi, start, step });
        }
    }
    found
}

/// Whether no leaf of `expr` is poison or undef before `at`.
pub(super) fn is_defined(scev: &ScalarEvolution<'_>, expr: Expr, at: Inst) -> bool {
    leaves(scev, expr).into_iter().all(|value| {
        is_guaranteed_defined(scev.at, value, Some(at), Defined::NotUndef)
            && is_guaranteed_defined(scev.at, value, Some(at), Defined::NotPoison)
    })
}

/// Whether no leaf that may be undef before `at` occurs in two of `exprs`: separate computations could see different
/// values of it.
pub(super) fn go_together(scev: &ScalarEvolution<'_>, exprs: &[Expr], at: Inst) -> bool {
    let mut seen = FxHashSet::default();
    let mut all = exprs.iter().flat_map(|e| leaves(scev, *e));
    all.all(|leaf| seen.insert(leaf) || is_guaranteed_defined(scev.at, leaf, Some(at), Defined::NotUndef))
}

/// The values that are leaves of `expr`.
fn leaves(scev: &ScalarEvolution<'_>, expr: Expr) -> FxHashSet<Value> {
    let mut found = FxHashSet::default();
    scev.arena().all_parts(expr, |_, node| {
        if let Node::Unknown(value) = node {
            found.insert(*value);
        }
        true
    });
    found
}
