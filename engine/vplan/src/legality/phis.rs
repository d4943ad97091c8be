//! What the phis of the header are: inductions, reductions, selections, recurrences of the first order. Every one of them
//! is something, or the loop is refused.
//!
//! | of | module |
//! |---|---|
//! | values that go on by the same step | `induction` |
//! | values that collect those of all iterations, or select among them | `chain` |
//! | values of the iteration before | `recurrence` |

use super::chain::{self, Reduction, Selection};
use super::induction::{self, Induction};
use super::recurrence::{self, FirstOrder};
use super::{Form, Masks, Missed};
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;

/// What a phi of the header is.
#[derive(Clone, Debug)]
pub enum HeaderPhi {
    /// It goes on by the same step.
    Induction(Induction),
    /// It collects values of all iterations by an operation whose order does not matter, or is kept.
    Reduction(Reduction),
    /// It is the value that was last selected in any iteration, or its start.
    Selection(Selection),
    /// It is a value of the iteration before.
    FirstOrder(FirstOrder),
}

/// The value of a phi of the header before the first iteration, and that which an iteration hands on.
pub(super) fn ends(scev: &ScalarEvolution<'_>, form: &Form, phi: Inst) -> Option<(Value, Value)> {
    let body = scev.body();
    Some((body.incoming_from(phi, form.preheader)?, body.incoming_from(phi, form.latch)?))
}

pub(super) fn check(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    masks: &Masks,
) -> Result<Vec<(Inst, HeaderPhi)>, Missed> {
    let phis: Vec<Inst> = scev.body().phis(form.header).collect();
    let mut found = Vec::new();
    let mut rest = Vec::new();
    for phi in phis {
        match induction::find(scev, form, phi) {
            Some(induction) => found.push((phi, HeaderPhi::Induction(induction))),
            None => rest.push(phi),
        }
    }
    let inductions: Vec<Inst> = found.iter().map(|(phi, _)| *phi).collect();
    for phi in rest {
        let kind = match chain::find(scev, (form, masks), phi)? {
            Some(chain::Found::Reduction(reduction)) => HeaderPhi::Reduction(reduction),
            Some(chain::Found::Selection(selection)) => HeaderPhi::Selection(selection),
            None => HeaderPhi::FirstOrder(recurrence::find(scev, form, phi, &inductions)?),
        };
        found.push((phi, kind));
    }
    found.sort_by_key(|(phi, _)| form.position(*phi));
    check_order(&found)?;
    Ok(found)
}

/// What a recurrence hands on must not be moved for another one: what uses the first would have to be moved behind it again.
/// And what is handed on by a phi of the header is a recurrence too, if it is no induction.
fn check_order(found: &[(Inst, HeaderPhi)]) -> Result<(), Missed> {
    let recurrences = || {
        found.iter().filter_map(|(_, kind)| match kind {
            HeaderPhi::FirstOrder(recurrence) => Some(recurrence),
            HeaderPhi::Induction(_) | HeaderPhi::Reduction(_) | HeaderPhi::Selection(_) => None,
        })
    };
    let collects = |kind: &HeaderPhi| matches!(kind, HeaderPhi::Reduction(_) | HeaderPhi::Selection(_));
    if recurrences().any(|r| found.iter().any(|(phi, kind)| *phi == r.previous && collects(kind))) {
        return Err(Missed::Phi);
    }
    let is_moved = |inst: &Inst| recurrences().any(|r| r.moved.contains(inst));
    if recurrences().any(|r| is_moved(&r.root)) { Err(Missed::RecurrenceOrder) } else { Ok(()) }
}
