//! Functions that both modules define and that a pair comes to, by calls or by their addresses. The solver takes a call
//! of one for the same event on both sides, whatever it does: where the two modules define it differently, what is shown
//! of the pair holds if that one refines its source too.
//!
//! Where all pairs of two modules are judged that is no circle: a target that follows its source makes the same calls, so
//! that the first function that does otherwise, in order of time, is one whose own verdict is wrong.

use crate::check::Side;
use crate::pairs::defined_named;
use backedge_ir::module::Module;
use backedge_ir::print::{Locals, extract};
use std::collections::BTreeSet;

/// Functions by name that are not the same in both modules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Callees {
    /// What the source's module defines, and the target's otherwise or not at all; or what one refers to is otherwise.
    pub(crate) changed: Vec<String>,
    /// What the target's module alone defines: nothing is there that it could refine.
    pub(crate) new: Vec<String>,
}

/// What the functions of a pair come to, and is not the same in both modules.
pub(crate) fn differing(source: Side<'_>, target: Side<'_>) -> Callees {
    let mut found = Callees::default();
    if std::ptr::eq(source.module, target.module) {
        return found;
    }
    let reached = |side: Side<'_>| extract(side.module, side.func, &[], Locals::Numbered).globals;
    let mut names: BTreeSet<_> = reached(source).into_iter().collect();
    names.extend(reached(target));
    for name in names.iter().filter(|name| ***name != *source.name() && ***name != *target.name()) {
        let [own, theirs] = [source, target].map(|side| definition(side.module, name));
        if own.is_none() && theirs.is_some() {
            found.new.push(name.to_string());
        } else if own != theirs {
            found.changed.push(name.to_string());
        }
    }
    found
}

/// The text of the function with all that it refers to, if the module defines it.
fn definition(module: &Module, name: &str) -> Option<String> {
    let func = defined_named(module, name)?;
    Some(extract(module, func, &[], Locals::Numbered).text)
}
