//! What may excuse a source that a run seems to refute: a promise of its calls that the run may have broken.

use crate::bounded::as_ref;
use crate::check::Side;
use crate::verdict::Failure;
use crate::witness::Refutation;
use backedge_smt::promises::calls::{CallPromise, all_promises};

/// A promise of the source, or of a function of the module that it names, that the refuting run may have broken: of a
/// function that it called. What the engines do not hold the environment to can be broken by what calls wrote or
/// returned, or by a comparison of memory that they do not look at; what they do hold it to, by answers that the
/// target was given, if the target calls the function too and promises less.
pub(crate) fn excuse(source: Side<'_>, target: Side<'_>, refutation: &Refutation) -> Option<CallPromise> {
    let called = |list: &[String], p: &CallPromise| match p.callee.strip_prefix('@') {
        Some(name) => list.iter().any(|c| c == name),
        None => !list.is_empty(),
    };
    let of_memory = matches!(refutation.failure, Failure::MemoryMismatch | Failure::EventMismatch);
    let acted = refutation.source.calls_acted || refutation.target.calls_acted;
    let of_target = all_promises(as_ref(target));
    all_promises(as_ref(source)).into_iter().find(|p| {
        let breakable = match p.held {
            true => called(&refutation.target.called, p) && !of_target.contains(p),
            false => of_memory || acted,
        };
        breakable && called(&refutation.source.called, p)
    })
}
