//! Classification of header phis as inductions, reductions, selections or first-order recurrences. The loop is rejected
//! if a header phi is none of these.
//!
//! | contents | module |
//! |---|---|
//! | phis with a loop-invariant step | `induction` |
//! | phis that accumulate values of all iterations, or select among them | `chain` |
//! | phis with a value of the previous iteration | `recurrence` |

use super::chain::{self, Reduction, Selection};
use super::induction::{self, Induction};
use super::recurrence::{self, FirstOrder};
use super::{Form, LegalityMissed, Masks};
use backedge_ir::entity::Inst;
use backedge_scev::ScalarEvolution;

/// The classification of a header phi.
#[derive(Clone, Debug)]
pub enum HeaderPhi {
    /// It has a loop-invariant step.
    Induction(Induction),
    /// It accumulates values of all iterations by an operation that may be reordered, or whose order is kept.
    Reduction(Reduction),
    /// Its value is the last one selected in any iteration, or its start.
    Selection(Selection),
    /// Its value is one of the previous iteration.
    FirstOrder(FirstOrder),
}

pub(super) fn check(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    masks: &Masks,
) -> Result<Vec<(Inst, HeaderPhi)>, LegalityMissed> {
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
        let kind = match chain::find(scev, form, masks, phi)? {
            Some(chain::ChainKind::Reduction(reduction)) => HeaderPhi::Reduction(reduction),
            Some(chain::ChainKind::Selection(selection)) => HeaderPhi::Selection(selection),
            None => HeaderPhi::FirstOrder(recurrence::find(scev, form, phi, &inductions)?),
        };
        found.push((phi, kind));
    }
    found.sort_by_key(|(phi, _)| form.position(*phi));
    check_order(&found)?;
    Ok(found)
}

/// Rejects conflicting recurrences. The next value of a recurrence must not be moved for another recurrence, because
/// the users of the first would have to move after it again. A recurrence of a reduction or selection phi is rejected
/// as well.
fn check_order(found: &[(Inst, HeaderPhi)]) -> Result<(), LegalityMissed> {
    let recurrences = || {
        found.iter().filter_map(|(_, kind)| match kind {
            HeaderPhi::FirstOrder(recurrence) => Some(recurrence),
            HeaderPhi::Induction(_) | HeaderPhi::Reduction(_) | HeaderPhi::Selection(_) => None,
        })
    };
    let collects = |kind: &HeaderPhi| matches!(kind, HeaderPhi::Reduction(_) | HeaderPhi::Selection(_));
    if recurrences().any(|r| found.iter().any(|(phi, kind)| *phi == r.previous && collects(kind))) {
        return Err(LegalityMissed::Phi);
    }
    let is_moved = |inst: &Inst| recurrences().any(|r| r.moved.contains(inst));
    if recurrences().any(|r| is_moved(&r.root)) { Err(LegalityMissed::RecurrenceOrder) } else { Ok(()) }
}
