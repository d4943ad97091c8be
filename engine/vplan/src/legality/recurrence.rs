//! Recurrences of the first order: phis that are, from the second iteration on, a value of the iteration before.
//!
//! In vectors such a phi is the last lane of the vector before, followed by all lanes of this one but the last: it can be
//! made once the vector of what is handed on is there. So its users must come later in the linear order than that, or be
//! movable behind it: pure instructions that what is handed on is not made of.
//!
//! What is handed on may be the phi of another recurrence: then all of that chain is made once what its first one is handed
//! is there.

use super::phis::ends;
use super::{Form, Missed};
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;
use rustc_hash::FxHashSet;

/// How many instructions are moved.
const MOST_MOVED: usize = 64;

/// How many recurrences are handed from one to the next.
const MOST_CHAINED: usize = 8;

/// A phi that is a value of the iteration before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstOrder {
    /// Its value in the first iteration.
    pub start: Value,
    /// What is handed on, computed in each iteration: no phi of the header but an induction or another such recurrence.
    pub previous: Inst,
    /// What that is in the end: the same, or what the first of a chain of recurrences is handed.
    pub root: Inst,
    /// What has to be moved behind that, in the linear order.
    pub moved: Vec<Inst>,
}

pub(super) fn find(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    phi: Inst,
    inductions: &[Inst],
) -> Result<FirstOrder, Missed> {
    let body = scev.body();
    let (start, previous) = ends(scev, form, phi).ok_or(Missed::Phi)?;
    let previous = previous.as_inst().filter(|i| form.contains(*i) && *i != phi).ok_or(Missed::Phi)?;
    let of_header = |i: Inst| form.is_header_phi(body, i);
    let root = root(scev, form, previous, inductions).ok_or(Missed::Phi)?;
    let behind = |i: Inst| form.position(i) > form.position(root);
    let mut seen = FxHashSet::default();
    let mut work = vec![phi];
    while let Some(inst) = work.pop() {
        for user in body.code_uses(inst.into()).map(|u| u.user) {
            if !form.contains(user) {
                continue;
            }
            // What is handed on depends on the phi: that is a recurrence of another kind.
            if user == root {
                return Err(Missed::Phi);
            }
            if of_header(user) || behind(user) || seen.contains(&user) {
                continue;
            }
            let movable = body.inst(user).kind.is_pure();
            if !movable || seen.len() >= MOST_MOVED {
                return Err(Missed::RecurrenceOrder);
            }
            seen.insert(user);
            work.push(user);
        }
    }
    let mut moved: Vec<Inst> = seen.into_iter().collect();
    moved.sort_by_key(|inst| form.position(*inst));
    Ok(FirstOrder { start, previous, root, moved })
}

/// What `previous` is made of in the end, if it is a phi that only hands on.
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
