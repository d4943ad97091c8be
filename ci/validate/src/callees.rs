//! Functions that a pair comes to, by calls or by their addresses, in two modules. The solver takes a call of one for the
//! same event on both sides, whatever it does: where the two modules define it differently, what is shown of the pair holds
//! if that one refines its source too.
//!
//! Where all pairs of two modules are judged that is no circle: a target that follows its source makes the same calls, so
//! that the first function that does otherwise, in order of time, is one whose own verdict is wrong. It is one where a
//! target may call itself where its source does not: what is `speculatable` may be called so. Of such a target nothing
//! is said, nor of one that comes to a function that has no source, no code any more, or another convention.

use crate::check::Side;
use crate::pairs::defined_named;
use crate::recursion;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Linkage, Module};
use backedge_ir::print::{Locals, extract};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Functions by name that are not the same in both modules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Callees {
    /// What the two modules define differently; or what one refers to is otherwise.
    pub(crate) changed: Vec<String>,
    /// Why nothing can be said of the pair.
    pub(crate) obstacle: Option<Obstacle>,
}

/// What no verdict on another function can make good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Obstacle {
    /// The target's module alone defines it: nothing is there that it could refine.
    New(String),
    /// The target's module does not define it any more.
    Undefined(String),
    /// It is called by another convention.
    Convention(String),
    /// The target comes to itself again, and may call this where the source does not.
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

/// What the functions of a pair come to, and is not the same in both modules.
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
    // Its own name stands for the pair itself, where both sides have it.
    let is_pair = |name: &str| *name == *source.name() && *name == *target.name();
    for name in by_target.iter().filter(|name| !is_pair(name)) {
        let [own, theirs] = [source, target].map(|side| defined_named(side.module, name));
        let obstacle = match (own, theirs) {
            (None, None) => continue,
            (None, Some(_)) => Obstacle::New(name.to_string()),
            // Some other module has it, and it is the same there.
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

/// The names of all that the function comes to.
pub(crate) fn reached(side: Side<'_>) -> Vec<Arc<str>> {
    extract(side.module, side.func, &[], Locals::Numbered).globals
}

/// The text of the function with all that it refers to.
fn definition(module: &Module, func: FuncId) -> String {
    extract(module, func, &[], Locals::Numbered).text
}
