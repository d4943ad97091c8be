//! Promises (attributes, flags) of a target beyond those of its source. A proof must not depend on promises that the
//! encoder does not enforce: a run of the target that breaks an attribute is UB, or has other values than the encoder
//! computes. So a proof is refused if [`crate::promises`] finds an excess promise that no verdict may assume, or if the
//! target has attributes that only the bounded check judges.

use crate::promises::{self, attributes};
use crate::proof::vc::program::Program;

/// A promise of the target that the source does not make, in words.
pub(in crate::proof) fn excess_promise(source: &Program<'_>, target: &Program<'_>) -> Option<String> {
    let (s, t) = (source.function, target.function);
    if let Some(promise) = promises::beyond(s, t).into_iter().find(|promise| promise.claim.is_none()) {
        return Some(promise.to_string());
    }
    if attributes::constrains_more(s, t) {
        return Some("attributes of the target that the source does not have".to_owned());
    }
    // A pair in which both sides run forever is correct only if nontermination that is UB in the target is UB in the
    // source.
    let progress = target.must_progress.is_empty()
        || source.cuts.iter().all(|cut| !cut.header || source.must_progress.contains(cut.block));
    (!progress).then(|| "a target that must make progress although the source need not".to_owned())
}
