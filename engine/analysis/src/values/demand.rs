//! Facts of single values on demand, computed once and cached until the body changes: for analyses that query few
//! values of a body.
//!
//! The facts of a value follow from those of its operands (without conditions; [`Demanded::at`] adds the conditions at
//! a place). A phi that is part of a cycle is not followed around the cycle: only the facts from `recurrence` are
//! known. So a query costs only the values that it reaches and that no earlier query has computed, and answers do not
//! depend on earlier queries. Nothing recurses.
//!
//! [`super::facts_on_demand`] caches nothing and searches less deep, for passes that are editing.

use super::evaluate::{self, width_of};
use super::facts::Facts;
use super::recurrence::recurrence;
use super::sharpened_by;
use crate::cache::{Analysis, At, Depends};
use crate::conditions::Conditions;
use backedge_ir::entity::{Block, Inst, SecondaryMap};
use backedge_ir::inst::{InstKind, Value};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The reverse post-order number of each block, and the largest number for unreachable blocks. An edge to the same or a
/// lower number closes a cycle.
#[derive(Debug)]
struct BlockOrder(SecondaryMap<Block, u32>);

impl Analysis for BlockOrder {
    const NAME: &'static str = "block order";
    const DEPENDS: Depends = Depends::Graph;
    fn compute(at: At<'_>) -> Self {
        let mut order = SecondaryMap::with_default(u32::MAX);
        at.cfg().rpo().iter().enumerate().for_each(|(i, b)| order[*b] = i as u32);
        Self(order)
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        at.body.blocks().all(|b| self.0[b] == other.0[b])
    }
}

/// The facts computed so far.
#[derive(Default, Debug)]
pub struct Demanded {
    known: Mutex<FxHashMap<Inst, Facts>>,
}

impl Analysis for Demanded {
    const NAME: &'static str = "facts on demand";
    const DEPENDS: Depends = Depends::Body;
    fn compute(_: At<'_>) -> Self {
        Self::default()
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        self.known().iter().all(|(inst, facts)| other.of(at, (*inst).into()) == Some(*facts))
    }
}

impl Demanded {
    fn known(&self) -> MutexGuard<'_, FxHashMap<Inst, Facts>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The facts of `value` wherever it is computed; `None` for types without facts.
    pub fn of(&self, at: At<'_>, value: Value) -> Option<Facts> {
        match value {
            Value::Inst(inst) => {
                width_of(at.env, at.body.ty(value))?;
                let mut known = self.known();
                if !known.contains_key(&inst) {
                    find(at, inst, &mut known);
                }
                known.get(&inst).copied()
            }
            Value::Arg(arg) => evaluate::argument(at, arg),
            Value::Const(c) => evaluate::constant(at, c),
        }
    }
    /// The facts of `value` when control reaches `inst`. The definition of `value` must dominate `inst`.
    pub fn at(&self, at: At<'_>, value: Value, inst: Inst) -> Option<Facts> {
        let claims = at.get::<Conditions>().holding_at(at, value, inst);
        sharpened_by(at, self.of(at, value)?, value, &claims, &|v| self.of(at, v))
    }
    /// The facts of `value` on the edge.
    pub fn on_edge(&self, at: At<'_>, value: Value, from: Block, to: Block) -> Option<Facts> {
        let claims = at.get::<Conditions>().holding_on_edge(at, value, from, to);
        sharpened_by(at, self.of(at, value)?, value, &claims, &|v| self.of(at, v))
    }
}

/// Computes the facts of `wanted`, after those of all values that it depends on.
fn find(at: At<'_>, wanted: Inst, known: &mut FxHashMap<Inst, Facts>) {
    let order = at.get::<BlockOrder>();
    let mut work = vec![wanted];
    while let Some(&inst) = work.last() {
        if known.contains_key(&inst) {
            work.pop();
            continue;
        }
        let before = work.len();
        let found = step(at, &order, inst, &mut |value| match value {
            Value::Inst(i) => {
                let width = width_of(at.env, at.body.ty(value))?;
                known.get(&i).copied().or_else(|| {
                    work.push(i);
                    Some(Facts::unknown(width))
                })
            }
            Value::Arg(arg) => evaluate::argument(at, arg),
            Value::Const(c) => evaluate::constant(at, c),
        });
        // If operands were missing, compute them first and then evaluate this value again.
        if work.len() == before {
            known.extend(found.map(|f| (inst, f)));
            work.pop();
        }
    }
}

fn step(
    at: At<'_>,
    order: &BlockOrder,
    inst: Inst,
    of: &mut dyn FnMut(Value) -> Option<Facts>,
) -> Option<Facts> {
    let data = at.body.inst(inst);
    let width = width_of(at.env, data.ty)?;
    let unknown = Some(Facts::unknown(width));
    let Some(block) = at.body.block_of(inst).filter(|b| order.0[*b] != u32::MAX) else { return unknown };
    // An edge from an unreachable block may carry any value, including this phi itself.
    let closes_cycle = |from: &Block| order.0[*from] >= order.0[block];
    if data.kind.is_phi() && data.blocks.iter().any(closes_cycle) {
        // Do not query incoming values or steps that may depend on the cycle.
        let mut outside = |value: Value| match value {
            Value::Inst(i) => {
                let from = at.body.block_of(i)?;
                let dominates = from != block && at.dominators().dominates(from, block);
                if dominates { of(value) } else { width_of(at.env, at.body.ty(value)).map(Facts::unknown) }
            }
            _ => of(value),
        };
        return recurrence(at, inst, width, &mut outside).or(unknown);
    }
    // A freeze would need the conditions of the whole body.
    if matches!(data.kind, InstKind::Freeze) {
        return unknown;
    }
    evaluate::instruction(at, inst, &mut |index| of(evaluate::operand_of(at, inst, index)?))
}
