//! Promises of a target beyond those of its source. A promise is an attribute, metadata or a property of a global whose
//! violation makes a run UB, or that changes how others see the function. The engines check some of them
//! ([`Kind::Judged`]). If a target has others that its source lacks, running or encoding the target does not show that
//! it refines the source, unless its code visibly keeps the promise. All engines use this module.
//!
//! - [`attributes`]: attributes of the function, its parameters and its result; [`kept`]: promises that a body keeps by
//!   itself; [`breaches`]: instructions that may violate a promise.
//! - [`open`]: promises that a source may violate, so that its runs refute nothing; [`callees`]: promises of functions
//!   defined in the module, which these may violate.
//! - [`calls`]: promises about called functions. If the source's calls of one function have different promises, the
//!   encoder distinguishes them ([`calls::told_apart`]).
//! - [`metadata`]: promises on accesses and other instructions; [`guards`]: whether an access executes where another
//!   one does; [`places`]: promises that depend on the position of metadata.
//! - [`globals`]: differences between two modules for the same name.
//!
//! A target may always drop promises, except those on which caller and callee, or both modules, must agree.

pub mod attributes;
pub mod breach;
pub mod breaches;
mod called;
mod callees;
pub mod calls;
mod captures;
mod globals;
mod guards;
mod initializes;
mod kept;
mod landing;
mod library;
pub mod metadata;
pub mod module;
mod nodes;
mod open;
pub mod pads;
mod places;
pub(crate) mod pointers;
mod suspects;
mod tail;
mod writes;

use crate::refinement::FunctionRef;
use backedge_ir::loop_options::function_must_progress;
use backedge_ir::meaning::library::declared;
use backedge_ir::module::{Function, Linkage};
use breach::Breach;
use calls::CallPromise;
use std::fmt;

pub use attributes::Kind;
pub use nodes::Of;
pub use open::open;
pub use suspects::{About, Open, Suspect};

/// A promise that a target has and its source does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promised {
    /// Text of the promise.
    pub what: String,
    /// What the promise is about; empty for the function itself.
    pub place: String,
    /// Whether source and target must agree, so that it is not enough that the source promises less.
    pub differs: bool,
    /// Whether runs of the interpreter without calls and memory accesses show whether the promise is kept, if all such
    /// runs are considered.
    pub by_runs: bool,
    /// The claim in words, `@f is nofree`, if a verdict may assume it; `None` if the engines cannot describe one side
    /// by the other, or the meaning is unknown.
    pub claim: Option<String>,
    /// Instructions of the target that may violate the promise; empty if single instructions do not violate it.
    pub breaches: Vec<Breach>,
    /// Whether the promise is kept if all paths of the function end.
    pub by_paths: bool,
    /// Whether the promise is kept if the target writes no more than its source
    /// ([`crate::refinement::writes_no_more`]).
    pub by_writes: bool,
    /// Whether the source also has the promise and may violate it, so that a violation by the target alone refutes
    /// nothing.
    pub shared: bool,
    /// Instructions of the source that may violate a shared promise; `None` if it may be violated otherwise.
    pub of_source: Option<Vec<Breach>>,
}

impl fmt::Display for Promised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if !self.place.is_empty() {
            write!(f, " {}", self.place)?;
        }
        f.write_str(if self.differs {
            ", which the source has otherwise"
        } else {
            ", which the source does not have"
        })
    }
}

impl Promised {
    fn new(what: impl Into<String>, place: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: place.into(),
            differs: false,
            by_runs: false,
            claim: None,
            breaches: Vec::new(),
            by_paths: false,
            by_writes: false,
            shared: false,
            of_source: None,
        }
    }
    fn claiming(self, claim: String) -> Self {
        Self { claim: Some(claim), ..self }
    }
    fn differing(what: impl Into<String>, place: impl Into<String>) -> Self {
        Self { differs: true, ..Self::new(what, place) }
    }
}

/// All promises of the target beyond its source that no engine checks.
pub fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let mut found = attributes::beyond(source, target);
    found.extend(linkage(source, target));
    found.extend(data_beside_code(source, target));
    found.extend(tail::beyond(source, target));
    found.extend(module::beyond(source, target));
    found.extend(globals::beyond(source, target));
    let of_source = metadata::promises(source);
    let more = metadata::promises(target).into_iter().filter(|p| !of_source.contains(p));
    let name = &target.module.env.funcs[target.func].name;
    let said = |p: metadata::Promise| Promised::new(p.words(), "").claiming(p.claim(name));
    found.extend(more.map(said));
    found.extend(metadata::beyond(source, target));
    found.extend(writes::beyond(source, target));
    let [of_source, of_target] = calls::call_promises([source, target]);
    let more = of_target.into_iter().filter(|p| !of_source.contains(p));
    let more = more.filter(|p| !is_of_library(source, target, p));
    found.extend(more.map(|p| Promised { claim: p.claim(), ..Promised::new(p.to_string(), "") }));
    found.extend(calls::disagreement(source, target));
    let says_more = || {
        !function_must_progress(&source.module.env, source.func) && places::progresses_more(source, target)
    };
    if says_more() || places::makes_less_progress(source, target) {
        let claim = format!("the loops of @{name} make progress");
        found.push(Promised::new("`mustprogress`", "of a loop").claiming(claim));
    }
    found
}

/// Whether LLVM's table of library functions states a call promise, and both modules refer to that function.
fn is_of_library(source: FunctionRef<'_>, target: FunctionRef<'_>, promise: &CallPromise) -> bool {
    let Some(name) = promise.callee.strip_prefix('@') else { return false };
    let means_it = |side: FunctionRef<'_>| {
        let func = side.module.env.func_named(name);
        func.is_some_and(|func| declared(side.module, func).is_some())
    };
    promise.is_stated_of(name) && means_it(source) && means_it(target)
}

/// The difference in linkage, if a function of one name is not visible to other modules in the same way.
fn linkage(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    let [s, t] = [source, target].map(|side| &side.module.env.funcs[side.func]);
    let kind = |linkage: Linkage| {
        let is_emitted = linkage != Linkage::AvailableExternally;
        (linkage.is_local(), linkage.is_interposable(), linkage.is_discardable_if_unused(), is_emitted)
    };
    let visibility =
        |f: &Function| f.prefix_words.iter().find(|w| ["hidden", "protected"].contains(&&***w)).cloned();
    if s.name != t.name {
        return None;
    }
    if kind(s.linkage) != kind(t.linkage) {
        return Some(Promised::differing("linkage", ""));
    }
    (!t.linkage.is_local() && visibility(s) != visibility(t)).then(|| Promised::differing("visibility", ""))
}

/// Data attached to a function that differs: it is read through the function's address, or executes before the
/// function.
fn data_beside_code(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    let [s, t] = [source, target].map(|side| &side.module.env.funcs[side.func]);
    let differs = |word: &&str| s.suffix_part(word) != t.suffix_part(word);
    ["prefix", "prologue", "gc"]
        .into_iter()
        .find(differs)
        .map(|word| Promised::differing(format!("`{word}` data"), ""))
}

/// A difference between the modules' globals of the same name that prevents one memory for both functions.
pub fn of_globals(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    globals::beyond(source, target).into_iter().find(|promised| promised.claim.is_none())
}

/// The target's promise about writes with `noalias` parameters, if its writes are not known to be the source's.
pub fn of_writes(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    writes::beyond(source, target)
}

/// Memory of the source that is dead after unwinding calls, although the engines treat it as observed.
pub fn dead_on_unwind(source: FunctionRef<'_>) -> Option<Promised> {
    attributes::dead_on_unwind(source)
}
