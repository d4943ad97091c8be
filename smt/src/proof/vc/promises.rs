//! What a target promises beyond its source: a proof must not rest on what the encoder does not hold it to. A run of the
//! target that breaks an attribute is undefined, or has other values than the encoder gives it; so a proof is refused
//! where [`crate::promises`] finds more that no verdict may assume, and where the target has attributes that the bounded check alone judges.

use crate::promises::{self, attributes};
use crate::proof::vc::program::Program;
use crate::refinement::FunctionRef;
use backedge_ir::attr::{Attr, AttrList};
use backedge_ir::meaning::attribute::Slot;

/// What the target says that the source does not, if it says more.
pub(in crate::proof) fn more_promised(source: &Program<'_>, target: &Program<'_>) -> Option<String> {
    let (s, t) = (source.function, target.function);
    if let Some(promise) = promises::beyond(s, t).into_iter().find(|promise| promise.claim.is_none()) {
        return Some(promise.to_string());
    }
    if judged(s, t) {
        return Some("attributes of the target that the source does not have".to_owned());
    }
    // That both go on for ever is fine only where it is for the source if it is undefined for the target.
    let progress = target.must_progress.is_empty()
        || source.cuts.iter().all(|cut| !cut.header || source.must_progress.contains(cut.block));
    (!progress).then(|| "a target that must make progress where the source need not".to_owned())
}

/// Whether values, parameters or the result of the target have attributes that make them poison or a run undefined, and
/// that the source's have not.
fn judged(s: FunctionRef<'_>, t: FunctionRef<'_>) -> bool {
    let (se, te) = (&s.module.env, &t.module.env);
    let (sh, th) = (&se.funcs[s.func], &te.funcs[t.func]);
    let none = AttrList::default();
    let params =
        th.param_attrs.iter().enumerate().map(|(i, list)| (sh.param_attrs.get(i).unwrap_or(&none), list));
    let mut lists = [(&sh.ret_attrs, &th.ret_attrs)].into_iter().chain(params);
    let is_judged = |attr: &&Attr| attributes::kind(attr, Slot::Parameter) == attributes::Kind::Judged;
    lists.any(|(own, other)| te.attrs(other).filter(is_judged).any(|a| !se.attrs(own).any(|b| a == b)))
}
