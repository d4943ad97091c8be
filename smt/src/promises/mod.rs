//! What a target promises beyond its source. A promise is an attribute, metadata or a property of a global that makes a
//! run undefined where it is broken, or that changes how others see the function. The engines hold a function to some of
//! them ([`Kind::Judged`]); where a target has others that its source lacks, nothing that is shown by running or encoding
//! it says that it refines the source, unless its code can be seen to keep the promise. Every engine asks here.
//!
//! - [`attributes`]: of the function, its parameters and its result; [`kept`]: what a body keeps by itself; [`breaches`]:
//!   where it may break one.
//! - [`open`]: what a source may break, so that a run of it refutes nothing; [`callees`]: of functions that the module
//!   defines, which these may break.
//! - [`calls`]: of functions called. Where the source's calls of one function promise different things, the encoder
//!   tells them apart ([`calls::told_apart`]).
//! - [`metadata`]: on accesses and other instructions; [`guards`]: whether an access runs where another one does; [`places`]:
//!   what metadata says by where it stands.
//! - [`globals`]: what two modules say of one name.
//!
//! Leaving promises out is always fine, but for those that caller and callee, or both modules, must agree on.

pub mod attributes;
pub mod breaches;
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
mod pointers;
mod tail;
mod writes;

use crate::refinement::FunctionRef;
use backedge_ir::loop_options::function_must_progress;
use backedge_ir::meaning::library::declared;
use backedge_ir::module::{Function, Linkage};
use breaches::Breach;
use calls::CallPromise;
use std::fmt;

pub use attributes::Kind;
pub use nodes::Of;
pub use open::{About, Open, Suspect, open};

/// Something that a target says and its source does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promised {
    /// What is said, as it is spelled.
    pub what: String,
    /// Of what: empty for the function itself.
    pub place: String,
    /// Whether it is that source and target differ, so that it is not enough that the source says less.
    pub differs: bool,
    /// Whether runs of the interpreter that call nothing and touch no memory show whether it is kept, all such runs
    /// together.
    pub by_runs: bool,
    /// The claim in words, `@f is nofree`, if a verdict may assume it; nothing if the engines cannot describe one side by
    /// the other, or the meaning is unknown.
    pub claim: Option<String>,
    /// Instructions of the target that may break it; empty where it is not broken by single instructions.
    pub breaches: Vec<Breach>,
    /// Whether it is kept where all paths of the function end.
    pub by_paths: bool,
    /// Whether it is kept where the target writes no more than its source ([`crate::refinement::writes_no_more`]).
    pub by_writes: bool,
    /// Whether the source has it too and may break it, so that a breach of the target alone refutes nothing.
    pub shared: bool,
    /// Instructions of the source that may break what it shares; `None` if it may be broken otherwise.
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

/// Everything that the target promises beyond its source and that no engine holds it to.
pub fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let mut found = attributes::beyond(source, target);
    found.extend(linkage(source, target));
    found.extend(beside_code(source, target));
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

/// Whether LLVM's table of library functions states a promise of calls, and both modules mean that function.
fn is_of_library(source: FunctionRef<'_>, target: FunctionRef<'_>, promise: &CallPromise) -> bool {
    let Some(name) = promise.callee.strip_prefix('@') else { return false };
    let means_it = |side: FunctionRef<'_>| {
        let func = side.module.env.func_named(name);
        func.is_some_and(|func| declared(side.module, func).is_some())
    };
    promise.is_stated_of(name) && means_it(source) && means_it(target)
}

/// Whether a function of one name is there for other modules in the same way.
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

/// What of a function stands beside its code, and differs: it is read through the function's address, or runs before it.
fn beside_code(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    let [s, t] = [source, target].map(|side| &side.module.env.funcs[side.func]);
    let differs = |word: &&str| s.suffix_part(word) != t.suffix_part(word);
    ["prefix", "prologue", "gc"]
        .into_iter()
        .find(differs)
        .map(|word| Promised::differing(format!("`{word}` data"), ""))
}

/// What the modules say differently of globals of one name: one memory for both functions can't be described then.
pub fn of_globals(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    globals::beyond(source, target).into_iter().find(|promised| promised.claim.is_none())
}

/// What the target promises of its writes next to `noalias` parameters, if these are not seen to be the source's.
pub fn of_writes(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    writes::beyond(source, target)
}

/// What of the source's memory calls that unwind leave to nobody, which the engines take to be seen.
pub fn dead_on_unwind(source: FunctionRef<'_>) -> Option<Promised> {
    attributes::dead_on_unwind(source)
}
