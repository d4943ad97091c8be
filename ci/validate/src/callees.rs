//! Functions reachable from a pair, by calls or through their addresses, in two modules. The solver treats a call as
//! the same event on both sides, whatever the callee does: if the two modules define the callee differently, the pair's
//! verdict holds only if the callee refines its source too.
//!
//! This is not circular if all pairs of two modules are judged: a target that follows its source makes the same calls,
//! so the first function that deviates, in order of time, is one whose own verdict is wrong. The argument fails if a
//! target may call itself where its source does not: `speculatable` functions may be called this way. Such a target is
//! not judged, nor is one that reaches a function without a source, without code, or with another calling convention.

use crate::pair::Side;
use crate::pair::call_graph::reached;
use crate::pairs::defined_named;
use crate::recursion;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Linkage, Module};
use backedge_ir::print::{Locals, extract};
use std::collections::BTreeSet;
use std::fmt;

/// Functions, by name, that differ between the two modules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Callees {
    /// Functions that the two modules define differently, or that refer to something that differs.
    pub(crate) changed: Vec<String>,
    /// Why the pair cannot be judged.
    pub(crate) obstacle: Option<Obstacle>,
}

/// An obstacle that no verdict on another function can remove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Obstacle {
    /// Only the target's module defines the function: it has no source to refine.
    New(String),
    /// The target's module no longer defines the function.
    Undefined(String),
    /// The function has another calling convention in the target.
    Convention(String),
    /// The target is recursive, and may call this function where the source does not.
    Speculated(String),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New(name) => write!(f, "@{name}, which the source's module does not define"),
            Self::Undefined(name) => write!(f, "@{name}, which the target's module does not define any more"),
            Self::Convention(name) => write!(f, "@{name}, which has another calling convention"),
            Self::Speculated(callee) => write!(f, "a recursion through {callee}, which is speculatable"),
        }
    }
}

/// Functions reachable from the pair that differ between the modules.
pub(crate) fn differing(source: Side<'_>, target: Side<'_>) -> Callees {
    let mut found = Callees::default();
    if std::ptr::eq(source.module, target.module) {
        return found;
    }
    let reached = reached(target);
    let mut by_target: BTreeSet<_> = reached.iter().cloned().collect();
    if recursion::comes_back(target, &reached) {
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
