//! Functions reachable from a pair, by calls or through their addresses, in two modules. The solver treats a call as
//! the same event on both sides, whatever the callee does: if the two modules define the callee differently, the pair's
//! verdict holds only if the callee refines its source too.
//!
//! This is not circular if all pairs of two modules are judged: a target that follows its source makes the same calls,
//! so the first function that deviates, in order of time, is one whose own verdict is wrong. The argument fails if a
//! target may call itself where its source does not: `speculatable` functions may be called this way. Such a target is
//! not judged, nor is one that reaches a function without a source, without code, or with another calling convention.

use super::obstacle::Obstacle;
use super::recursion;
use crate::pair::Side;
use crate::pair::call_graph::{comes_back, reached};
use crate::pair::pairs::defined_named;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Linkage, Module};
use backedge_ir::print::{Locals, extract};
use std::collections::BTreeSet;

/// Functions, by name, that differ between the two modules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Callees {
    /// Functions that the two modules define differently, or that refer to something that differs.
    pub(crate) changed: Vec<String>,
    /// Why the pair cannot be judged.
    pub(crate) obstacle: Option<Obstacle>,
}

/// Functions reachable from the pair that differ between the modules.
pub(crate) fn differing(source: Side<'_>, target: Side<'_>) -> Callees {
    let mut found = Callees::default();
    if std::ptr::eq(source.module, target.module) {
        return found;
    }
    let reached = reached(target);
    let mut by_target: BTreeSet<_> = reached.iter().cloned().collect();
    if comes_back(target, &reached) {
        by_target.insert(target.name().into());
    }
    // If both sides have the same name, it denotes the pair itself.
    let is_pair = |name: &str| *name == *source.name() && *name == *target.name();
    for name in by_target.iter().filter(|name| !is_pair(name)) {
        let [own, theirs] = [source, target].map(|side| defined_named(side.module, name));
        let obstacle = match (own, theirs) {
            (None, None) => continue,
            (None, Some(_)) => Obstacle::New(name.to_string()),
            // Some other module defines the function, with the same semantics.
            (Some(own), None) if source.module.env.funcs[own].linkage == Linkage::AvailableExternally => {
                continue;
            }
            (Some(_), None) => Obstacle::Undefined(name.to_string()),
            (Some(own), Some(theirs)) => {
                if source.module.env.funcs[own].cc != target.module.env.funcs[theirs].cc {
                    Obstacle::Convention(name.to_string())
                } else {
                    if definition(source.module, own) != definition(target.module, theirs) {
                        found.changed.push(name.to_string());
                    }
                    continue;
                }
            }
        };
        found.obstacle.get_or_insert(obstacle);
    }
    found.obstacle = found.obstacle.or_else(|| recursion::speculated(target, &reached));
    found
}

/// The text of the function with all globals that it refers to.
fn definition(module: &Module, func: FuncId) -> String {
    extract(module, func, &[], Locals::Numbered).text
}
