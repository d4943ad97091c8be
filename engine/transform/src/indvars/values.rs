//! Exit values: computes values of a loop before it.
//!
//! A phi of an exit block has one entry for each edge into it. If each iteration passes the edge's exit and its count
//! is known, the edge is taken in that iteration only: the value is that of this iteration. An invariant value is the
//! same for every edge.
//!
//! Not done if the loop computes the value for other purposes anyway and recomputing it is not free.

use super::IndVarSimplify;
use super::check::Facts;
use super::edits::{Edit, Edits, New};
use super::remarks::IndVarsMissed;
use crate::cleanup::dead::is_removable;
use crate::counted::Exit;
use crate::leaves::all_spread;
use crate::shape::Shape;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Use, Value};
use backedge_ir::module::Env;
use backedge_scev::expand::{self, Options, Plan};
use backedge_scev::{Expr, ScalarEvolution};

/// Maximum number of users followed to see whether a value is needed in the loop: beyond it the value counts as needed.
const MOST_USERS: usize = 64;

/// Collects the edits; returns the number of replaced phi entries.
pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    options: &IndVarSimplify,
    edits: &mut Edits,
) -> usize {
    let body = scev.body();
    let budget = if is_quiet(scev.at.env, body, facts) { options.whole_budget } else { options.budget };
    let mut done = 0;
    for exit in &facts.exits {
        let mut targets: Vec<Block> = body.successors(exit.block).to_vec();
        targets.retain(|b| !shape.loops.contains(facts.l, *b));
        targets.sort_unstable();
        targets.dedup();
        for phi in targets.iter().flat_map(|b| body.phis(*b)) {
            let data = body.inst(phi);
            for (index, (value, from)) in data.incoming().enumerate() {
                if from != exit.block {
                    continue;
                }
                let use_ = Use { user: phi, index: index as u32 };
                let new = match exit_value(scev, shape, facts, exit, value, edits) {
                    Some(ExitValue::Known(new)) => new,
                    Some(ExitValue::Plan(_, plan)) if plan.cost() > budget => {
                        edits.miss(IndVarsMissed::ExpensiveExitValue);
                        continue;
                    }
                    Some(ExitValue::Plan(expr, plan)) => edits.plan(expr, facts.entry, plan),
                    None => continue,
                };
                edits.list.push(Edit::Operand(use_, new));
                done += 1;
            }
        }
    }
    done
}

/// The value of a phi operand when its exit is taken.
enum ExitValue {
    /// An existing value, a constant, or a value that another edit computes.
    Known(New),
    /// An expression, and how to compute it before the loop.
    Plan(Expr, Plan),
}

/// The value of `value` when `exit` is taken; `None` if it is unknown, defined outside the loop,
/// or needed in the loop anyway.
fn exit_value(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    exit: &Exit,
    value: Value,
    edits: &Edits,
) -> Option<ExitValue> {
    let body = scev.body();
    let inst = value.as_inst().filter(|i| shape.loops.contains_inst(body, facts.l, *i))?;
    if is_phi_of_header(body, facts, inst) && is_decided_at_once(body, shape, facts, exit) {
        return body
            .incoming_from(inst, facts.ring.preheader)
            .map(|start| ExitValue::Known(New::Value(start)));
    }
    let last = last_value(scev, shape, facts, exit, value)?;
    if let Some(constant) = scev.as_constant(last).filter(|_| body.ty(value).is_int()) {
        return Some(ExitValue::Known(New::Int(constant)));
    }
    if let Some(known) = edits.planned(last, facts.entry) {
        return Some(ExitValue::Known(known));
    }
    let plan = expand::plan(scev, last, facts.entry, Options::default()).ok()?;
    if !plan.is_empty() && is_needed_inside(scev.at.env, body, shape, facts, inst) {
        return None;
    }
    Some(ExitValue::Plan(last, plan))
}

/// The value in the iteration that takes the exit, as an expression defined before the loop.
fn last_value(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    exit: &Exit,
    value: Value,
) -> Option<Expr> {
    let expr = scev.expr(value)?;
    if scev.is_available_at_entry(expr, facts.l) {
        return all_spread(scev, expr, None, facts.entry).then_some(expr);
    }
    if !exit.passed || exit.never {
        return None;
    }
    // An exit with an invariant condition is taken in the first iteration if at all.
    let count = match exit.exact {
        Some(count) => count,
        None if is_decided_at_once(scev.body(), shape, facts, exit) => scev.int(1, 0),
        None => return None,
    };
    if !all_spread(scev, expr, Some((facts.l, count)), facts.entry) {
        return None;
    }
    let last = scev.at_arrival(expr, facts.l, count)?;
    scev.is_available_at_entry(last, facts.l).then_some(last)
}

fn is_phi_of_header(body: &Body, facts: &Facts, inst: Inst) -> bool {
    body.inst(inst).kind.is_phi() && body.block_of(inst) == Some(facts.ring.header)
}

/// Whether each iteration passes the exit with the same condition.
fn is_decided_at_once(body: &Body, shape: &Shape, facts: &Facts, exit: &Exit) -> bool {
    let test = body.terminator(exit.block).map(|t| body.inst(t));
    exit.passed
        && test.is_some_and(|t| {
            matches!(t.kind, InstKind::CondBr | InstKind::Switch)
                && shape.loops.is_invariant(body, facts.l, t.operands[0])
        })
}

/// Whether the loop has no effect besides its values.
fn is_quiet(env: &Env, body: &Body, facts: &Facts) -> bool {
    let quiet = |i: &Inst| {
        let kind = &body.inst(*i).kind;
        kind.is_terminator() || matches!(kind, InstKind::DebugRecord(_)) || is_removable(env, body, *i)
    };
    facts.exits.iter().all(|e| e.exact.is_some())
        && facts.ring.blocks.iter().flat_map(|b| body.insts(*b)).all(quiet)
}

/// Whether a remaining instruction in the loop needs `inst`. Exit tests do not count: they are likely to be
/// rewritten.
fn is_needed_inside(env: &Env, body: &Body, shape: &Shape, facts: &Facts, inst: Inst) -> bool {
    let mut seen: EntitySet<Inst> = EntitySet::new();
    let mut work = vec![inst];
    let mut left = MOST_USERS;
    seen.insert(inst);
    while let Some(next) = work.pop() {
        for use_ in body.code_uses(next.into()) {
            let user = use_.user;
            if !body.block_of(user).is_some_and(|b| shape.loops.contains(facts.l, b)) || !seen.insert(user) {
                continue;
            }
            if left == 0 {
                return true;
            }
            left -= 1;
            let tests_exit = || {
                let block = body.block_of(user);
                facts.exits.iter().any(|e| Some(e.block) == block && e.is_analyzable())
            };
            if body.inst(user).kind.is_terminator() {
                if !tests_exit() {
                    return true;
                }
            } else if !is_removable(env, body, user) {
                return true;
            } else {
                work.push(user);
            }
        }
    }
    false
}
