//! Differences between two modules that no pair of functions shows but that are visible to linked code or at program
//! start: aliases and ifuncs, the contents of externally visible globals, the linkage of globals and functions, and the
//! linker's lists (constructors and destructors, symbols that must be kept).
//!
//! The comparison uses text only: a difference may be correct (a constructor may be evaluated at compile time), and is
//! not judged.

use crate::pair::pairs::defined_named;
use backedge_ir::module::{Alias, Env, Linkage, Module};
use backedge_ir::print::{constant_to_string, initializer_to_string, type_to_string};
use std::collections::BTreeMap;
use std::fmt;

/// A difference outside of the functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The target no longer defines this name, which others may refer to.
    Gone(String),
    /// The definition of this name differs, or is new.
    Changed(String),
}

impl Difference {
    /// Whether a definition is gone.
    pub fn is_loss(&self) -> bool {
        matches!(self, Self::Gone(_))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone(name) => write!(f, "@{name} is not defined any more"),
            Self::Changed(name) => write!(f, "@{name} is defined differently"),
        }
    }
}

/// Differences outside of the functions, by name.
pub fn differences(source: &Module, target: &Module) -> Vec<Difference> {
    if std::ptr::eq(source, target) {
        return Vec::new();
    }
    let (before, after) = (visible(source), visible(target));
    let gone_or_changed = before.iter().filter_map(|(name, was)| match after.get(name) {
        Some(is) => {
            (is.text != was.text || is.align < was.align).then(|| Difference::Changed((*name).to_owned()))
        }
        // A function may replace its alias, or have another linkage.
        None if defined_named(target, name).is_some() => Some(Difference::Changed((*name).to_owned())),
        // A missing function is reported by the search for its pair.
        None if was.is_function => None,
        None => Some(Difference::Gone((*name).to_owned())),
    });
    let new = after.keys().filter(|name| is_list(name) && !before.contains_key(*name));
    let new = new.map(|name| Difference::Changed((*name).to_owned()));
    gone_or_changed.chain(new).collect()
}

/// Whether the name is special to the linker.
fn is_list(name: &str) -> bool {
    name.starts_with("llvm.")
}

/// A definition whose name is externally visible.
#[derive(Debug)]
struct Visible {
    /// The part that others may rely on.
    text: String,
    /// In bytes; a larger alignment is harmless.
    align: u64,
    is_function: bool,
}

/// The linkage words and parts of a definition; how the module itself uses addresses is not externally visible.
fn linked<'w>(linkage: Linkage, words: &'w [Box<str>], parts: &'w [Box<str>]) -> String {
    let is_told = |word: &&str| {
        matches!(*word, "hidden" | "protected" | "dllimport" | "dllexport" | "externally_initialized")
            || word.starts_with("thread_local")
    };
    let is_placed =
        |part: &&str| matches!(part.split([' ', '(']).next(), Some("section" | "comdat" | "partition"));
    let words = words.iter().map(|w| &**w).filter(is_told);
    let parts = parts.iter().map(|p| &**p).filter(is_placed);
    std::iter::once(linkage.name()).chain(words).chain(parts).collect::<Vec<_>>().join(" ")
}

/// The externally visible definitions by name.
fn visible(module: &Module) -> BTreeMap<&str, Visible> {
    let env = &module.env;
    let mut found = BTreeMap::new();
    for (id, var) in env.vars.iter() {
        if !var.linkage.is_discardable_if_unused()
            && let Some(init) = initializer_to_string(env, id)
        {
            let kind = if var.is_constant { "constant" } else { "global" };
            let linked = linked(var.linkage, &var.prefix_words, &var.suffix);
            let text = format!("{linked} {kind} {} {init}", type_to_string(&env.types, var.ty));
            let align = var.align.unwrap_or(0);
            found.insert(&*var.name, Visible { text, align, is_function: false });
        }
    }
    for func in env.funcs.values() {
        if !func.linkage.is_discardable_if_unused() && defined_named(module, &func.name).is_some() {
            let text = linked(func.linkage, &func.prefix_words, &func.suffix);
            found.insert(&*func.name, Visible { text, align: 0, is_function: true });
        }
    }
    for alias in env.aliases.values() {
        if !alias.linkage().is_some_and(Linkage::is_discardable_if_unused) {
            let text = alias_text(env, alias);
            found.insert(&*alias.name, Visible { text, align: 0, is_function: false });
        }
    }
    found
}

fn alias_text(env: &Env, alias: &Alias) -> String {
    let kind = if alias.is_ifunc() { "ifunc" } else { "alias" };
    let target = match alias.target {
        Some(target) => constant_to_string(env, target),
        None => alias.text.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    format!("{kind} {} {target}", if alias.is_interposable() { "interposable" } else { "" })
}
