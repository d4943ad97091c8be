//! The checkable parts of the claims about one function, and the goal of each.

use crate::claims::counts::Count;
use crate::claims::evaluate::{Modelled, NotModelled};
use crate::claims::goals::{Goal, Goals};
use crate::encode::world::World;
use backedge_claim::claim::{ClaimKind, Claims, Disposition, Range, Scope};
use backedge_claim::derive::Subject;
use backedge_claim::expr::{ExprId, Flag, Node};
use backedge_ir::body::Body;
use backedge_ir::entity::Block;
use backedge_ir::inst::Value;

/// The goal of a subject; `None` if the subject is trivially true.
pub(super) fn goal(
    goals: &mut Goals<'_, '_>,
    w: &mut World,
    claims: &Claims,
    subject: Subject,
) -> Modelled<Option<Goal>> {
    match subject {
        Subject::Flag(flag) => scoped_flag(goals, w, flag.expr, flag.flag, flag.scope),
        Subject::Claim(index) => {
            if says_nothing(claims, &claims.claims[index].kind) {
                return Ok(None);
            }
            of_kind(goals, w, &claims.claims[index].kind)
        }
    }
}

/// Whether a claim is trivially true.
fn says_nothing(claims: &Claims, kind: &ClaimKind) -> bool {
    let unknown = |expr: ExprId| claims.exprs.has_could_not_compute(expr);
    match kind {
        ClaimKind::Value { value, expr } | ClaimKind::ValueAtScope { value, expr } => {
            unknown(*expr) || matches!(claims.exprs.node(*expr), Node::Unknown(v) if v == value)
        }
        ClaimKind::Flag { .. } | ClaimKind::Recurrence { .. } => false,
        ClaimKind::Range { expr, range, .. } => *range == Range::Full || unknown(*expr),
        ClaimKind::ExitCount { count, .. } | ClaimKind::TakenCount { count, .. } => unknown(*count),
        ClaimKind::TripMultiple { multiple, .. } => *multiple == 1,
        ClaimKind::Disposition { expr, disposition, .. } => {
            // The claim about the value already states that a recurrence has its closed form in each iteration.
            *disposition != Disposition::Invariant || unknown(*expr)
        }
        ClaimKind::ExitValue { expr, .. } => unknown(*expr),
    }
}

fn of_kind(goals: &mut Goals<'_, '_>, w: &mut World, kind: &ClaimKind) -> Modelled<Option<Goal>> {
    match kind {
        ClaimKind::Value { value, expr } | ClaimKind::ValueAtScope { value, expr } => {
            goals.equal(w, *value, *expr).map(Some)
        }
        ClaimKind::Flag { expr, flag, scope } => scoped_flag(goals, w, *expr, *flag, *scope),
        ClaimKind::Range { expr, range, scope, .. } => {
            let defined = goals.graph.defined(&goals.e, *expr)?;
            let Some(point) = goals.graph.within(defined, *scope) else { return Ok(None) };
            let mut goal = goals.range(w, *expr, *range, point)?;
            if *scope == Scope::Defining {
                goal.shown =
                    goals.shown(w, *expr, &mut |g, w, place| g.is_outside(w, place, *expr, *range))?;
            }
            Ok(Some(goal))
        }
        ClaimKind::ExitCount { header, block, edge, kind, count, predicates } => {
            let target = target(goals.graph.body, *block, *edge)?;
            let predicates = predicates.as_deref().unwrap_or_default();
            let count = Count { header: *header, kind: *kind, count: *count, max_or_zero: false, predicates };
            goals.exit_count(w, *block, target, &count).map(Some)
        }
        ClaimKind::TakenCount { header, kind, count, max_or_zero, predicates } => {
            let predicates = predicates.as_deref().unwrap_or_default();
            let count =
                Count { header: *header, kind: *kind, count: *count, max_or_zero: *max_or_zero, predicates };
            goals.taken_count(w, &count).map(Some)
        }
        ClaimKind::TripMultiple { header, multiple } => goals.multiple(w, *header, *multiple).map(Some),
        ClaimKind::Disposition { expr, header, .. } => goals.invariant(w, *expr, *header).map(Some),
        ClaimKind::ExitValue { value, header, expr } => goals.exit_value(w, *value, *header, *expr).map(Some),
        ClaimKind::Recurrence { value, kind, start, step, header } => {
            goals.recurrence(w, (*value, *header), *kind, [*start, *step]).map(Some)
        }
    }
}

fn scoped_flag(
    goals: &mut Goals<'_, '_>,
    w: &mut World,
    expr: ExprId,
    flag: Flag,
    scope: Scope,
) -> Modelled<Option<Goal>> {
    let defined = goals.graph.defined(&goals.e, expr)?;
    // If the scope is never entered with the leaves defined, the claim states nothing.
    let Some(point) = goals.graph.within(defined, scope) else { return Ok(None) };
    let mut goal = goals.flag(w, expr, flag, point)?;
    if scope == Scope::Defining && matches!(goals.e.exprs.node(expr), Node::AddRec { .. }) {
        goal.shown = goals.shown(w, expr, &mut |g, w, place| g.violates_flag(w, place, expr, flag))?;
    }
    Ok(Some(goal))
}

/// The target of an edge of a block, if an edge is named: it must be the only edge to that target.
pub(super) fn target(body: &Body, block: Block, edge: Option<u32>) -> Modelled<Option<Block>> {
    let Some(edge) = edge else { return Ok(None) };
    let successors = body.successors(block);
    let Some(&target) = successors.get(edge as usize) else {
        return Err(NotModelled("an edge that is none".to_owned()));
    };
    if successors.iter().filter(|s| **s == target).count() == 1 {
        Ok(Some(target))
    } else {
        Err(NotModelled("one of several edges to one block".to_owned()))
    }
}

/// The values that the claims refer to.
pub(super) fn values_of(claims: &Claims) -> Vec<Value> {
    let mut values = Vec::new();
    for (_, node) in claims.exprs.iter() {
        if let Node::Unknown(value) = node {
            values.push(*value);
        }
    }
    for claim in &claims.claims {
        match &claim.kind {
            ClaimKind::Value { value, .. }
            | ClaimKind::ValueAtScope { value, .. }
            | ClaimKind::Disposition { value, .. }
            | ClaimKind::ExitValue { value, .. }
            | ClaimKind::Recurrence { value, .. } => values.push(*value),
            ClaimKind::Flag { .. }
            | ClaimKind::Range { .. }
            | ClaimKind::ExitCount { .. }
            | ClaimKind::TakenCount { .. }
            | ClaimKind::TripMultiple { .. } => {}
        }
    }
    values
}
