//! First-order recurrences: phis whose value, from the second iteration on, is a value of the previous iteration.
//!
//! In vector code such a phi is the last lane of the previous vector, followed by all lanes of the current one but the
//! last. It is available once the vector of its next value is. So its users must come later in linear order than the
//! next value, or be movable after it: pure instructions that the next value does not depend on.
//!
//! The next value may be the phi of another recurrence. All phis of such a chain become available once the next value
//! of the first one is.

use super::form::ends;
use super::{Form, LegalityMissed};
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;
use rustc_hash::FxHashSet;

/// Limit for the number of instructions that move after the next value: bounds the time for one phi. Beyond it the loop
/// is rejected.
const MOST_MOVED: usize = 64;

/// Limit for the number of chained recurrences: bounds the time for one phi.
const MOST_CHAINED: usize = 8;

/// A phi whose value is one of the previous iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstOrder {
    /// Its value in the first iteration.
    pub start: Value,
    /// The next value, computed in each iteration; no header phi except an induction or another such recurrence.
    pub previous: Inst,
    /// The instruction at the end of a chain of recurrences: `previous`, or the next value of the chain's first phi.
    pub root: Inst,
    /// The instructions to move after `root`, in linear order.
    pub moved: Vec<Inst>,
}

pub(super) fn find(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    phi: Inst,
    inductions: &[Inst],
) -> Result<FirstOrder, LegalityMissed> {
    let body = scev.body();
    let (start, previous) = ends(scev, form, phi).ok_or(LegalityMissed::Phi)?;
    let previous =
        previous.as_inst().filter(|i| form.contains(*i) && *i != phi).ok_or(LegalityMissed::Phi)?;
    let of_header = |i: Inst| form.is_header_phi(body, i);
    let root = root(scev, form, previous, inductions).ok_or(LegalityMissed::Phi)?;
    let after = |i: Inst| form.position(i) > form.position(root);
    let mut seen = FxHashSet::default();
    let mut work = vec![phi];
    while let Some(inst) = work.pop() {
        for user in body.code_uses(inst.into()).map(|u| u.user) {
            if !form.contains(user) {
                continue;
            }
            // `root` depends on the phi: not a first-order recurrence.
            if user == root {
                return Err(LegalityMissed::Phi);
            }
            if of_header(user) || after(user) || seen.contains(&user) {
                continue;
            }
            let movable = body.inst(user).kind.is_pure();
            if !movable || seen.len() >= MOST_MOVED {
                return Err(LegalityMissed::RecurrenceOrder);
            }
            seen.insert(user);
            work.push(user);
        }
    }
    let mut moved: Vec<Inst> = seen.into_iter().collect();
    moved.sort_by_key(|inst| form.position(*inst));
    Ok(FirstOrder { start, previous, root, moved })
}

/// Follows `previous` through recurrence phis to the value that the first of them has for the next iteration.
fn root(scev: &ScalarEvolution<'_>, form: &Form, previous: Inst, inductions: &[Inst]) -> Option<Inst> {
    let mut root = previous;
    for _ in 0..MOST_CHAINED {
        if !form.is_header_phi(scev.body(), root) || inductions.contains(&root) {
            return Some(root);
        }
        let (_, next) = ends(scev, form, root)?;
        root = next.as_inst().filter(|i| form.contains(*i))?;
    }
    None
}
