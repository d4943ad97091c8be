//! Why a failing run may not be a refutation.

use super::call_doubts::{call_of_unspecified_count, doubtful_promise};
use super::module_doubts::{have_different_labels, internal_variable_written, merged, module_difference};
use super::source_promises::SourcePromises;
use super::unmodelled::unknown;
use crate::pair::{Side, as_ref};
use crate::verdict::Failure;
use crate::verdict::witness::Refutation;
use backedge_smt::promises::{self, pads};

/// Why a failing run may not be a refutation; completes the sentence "a run that fails".
pub(crate) fn doubt(source: Side<'_>, target: Side<'_>, refutation: &Refutation) -> Option<String> {
    if let Some(name) = call_of_unspecified_count(source, target, refutation) {
        return Some(format!("calls @{name}, whose number of calls is unspecified"));
    }
    if let Some(what) = pads::differ(as_ref(source), as_ref(target)) {
        return Some(format!("depends on {what}"));
    }
    if let Some(what) = module_difference(source, target) {
        return Some(what.to_string());
    }
    if have_different_labels(source, target) {
        let what = "depends on the correspondence of blocks whose addresses are taken";
        return Some(what.to_owned());
    }
    if let Some(names) = merged(source) {
        return Some(format!("depends on where {names} lie, which the linker may merge"));
    }
    if let Some(name) = internal_variable_written(source, refutation) {
        let variable = format!("the internal variable @{name}");
        return Some(format!("has a call write {variable}, which depends on the rest of the module"));
    }
    // LangRef lets a volatile load change memory and be reordered with other accesses.
    if refutation.source.volatile_changed {
        return Some("has a volatile load change the bytes that it reads".to_owned());
    }
    if let Some(name) = unknown(source) {
        return Some(format!("may violate {name} in the source, whose meaning is unknown"));
    }
    if let Some(broken) = &refutation.source.broken {
        return Some(format!("breaks a promise of the source: {broken}"));
    }
    let of_calls = || doubtful_promise(source, target, refutation).map(|promise| promise.to_string());
    let never_shown = || SourcePromises::new(source).never_shown().map(str::to_owned);
    let promise = of_calls().or_else(|| of_unwinding(source, refutation)).or_else(never_shown)?;
    Some(format!("may break what {} in the source promises", promise.trim_end()))
}

/// The source's memory promised to be dead on unwind, if the promise may cause the run to fail.
fn of_unwinding(source: Side<'_>, refutation: &Refutation) -> Option<String> {
    let is_breakable = match refutation.failure {
        Failure::EventMismatch => true,
        Failure::MemoryMismatch => !refutation.source.outcome.starts_with("returns"),
        _ => false,
    };
    let promise = promises::dead_on_unwind(as_ref(source)).filter(|_| is_breakable)?;
    Some(format!("{} {}", promise.what, promise.place))
}
