//! The pairs that `backedge tv` compares, by the names of functions.
//!
//! Without names, the naming convention decides ([`backedge_validate::pairs`]). With one name, the other function has its
//! usual name: in one module `@srcX` goes with `@tgtX`, and any other source with `@tgt` (or target with `@src`), as in
//! alive-tv; in two modules both have the same name, or these.

use super::super::module::select;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_validate::pairs::{Pair, Pairs, in_one_module, in_two_modules};

/// The names on the command line.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) source: Option<&'a str>,
    pub(super) target: Option<&'a str>,
    /// Only pairs with one of these functions; all if empty.
    pub(super) only: &'a [String],
}

/// The pairs to compare, in the module `first`, or in both modules.
pub(super) fn pairs(names: Names<'_>, first: &Module, second: Option<&Module>) -> miette::Result<Pairs> {
    let other = second.unwrap_or(first);
    let one = |source, target| Pairs { pairs: vec![Pair { source, target }], ..Pairs::default() };
    let pick = |module, name: &str| select(module, Some(name)).map(|list| list[0]);
    Ok(match (names.source, names.target) {
        (Some(source), Some(target)) => {
            let target = pick(other, target)?;
            one(pick(first, source)?, target)
        }
        (Some(source), None) => {
            let source = pick(first, source)?;
            let name = &first.env.funcs[source].name;
            let candidates = candidates(name, ("src", "tgt"), second.is_some());
            one(source, counterpart(other, name, &candidates, ("--tgt-fn", "target"))?)
        }
        (None, Some(target)) => {
            let target = pick(other, target)?;
            let name = &other.env.funcs[target].name;
            let candidates = candidates(name, ("tgt", "src"), second.is_some());
            one(counterpart(first, name, &candidates, ("--src-fn", "source"))?, target)
        }
        (None, None) => {
            let all = second.map_or_else(|| in_one_module(first), |second| in_two_modules(first, second));
            if names.only.is_empty() { all } else { restricted(all, names.only, (first, other))? }
        }
    })
}

/// Names of the counterpart of `name`, the most likely one first.
fn candidates(name: &str, (own, other): (&str, &str), two_modules: bool) -> Vec<String> {
    let same = two_modules.then(|| name.to_owned());
    let renamed = name.strip_prefix(own).map(|rest| format!("{other}{rest}"));
    same.into_iter().chain(renamed).chain([other.to_owned()]).collect()
}

/// The first of the candidates that `module` defines.
fn counterpart(
    module: &Module,
    name: &str,
    candidates: &[String],
    (flag, role): (&str, &str),
) -> miette::Result<FuncId> {
    let defined = |name: &String| {
        module.env.func_named(name).filter(|func| !matches!(module.code[*func], Code::Declaration))
    };
    candidates.iter().find_map(defined).ok_or_else(|| {
        let tried: Vec<String> = candidates.iter().map(|name| format!("@{name}")).collect();
        miette::miette!(
            help = format!("name it: {flag} NAME"),
            "@{name} has no {role}: the module defines no {}",
            tried.join(", and no ")
        )
    })
}

/// The pairs with a function of one of these names; each name must select one.
fn restricted(all: Pairs, only: &[String], (first, second): (&Module, &Module)) -> miette::Result<Pairs> {
    let name_of = |pair: &Pair| [&first.env.funcs[pair.source].name, &second.env.funcs[pair.target].name];
    let is_called = |pair: &Pair, name: &str| name_of(pair).into_iter().any(|n| **n == *plain(name));
    if let Some(unknown) = only.iter().find(|name| !all.pairs.iter().any(|pair| is_called(pair, name))) {
        let known: Vec<String> =
            all.pairs.iter().take(20).map(|pair| format!("@{}", name_of(pair)[0])).collect();
        let help = match &*known {
            [] => "there are no pairs; one file needs @src and @tgt, two files functions of the same name"
                .to_owned(),
            known => format!("pairs there are: {}", known.join(", ")),
        };
        miette::bail!(help = help, "--func {unknown}: no pair has a function of that name");
    }
    let is_wanted = |pair: &Pair| only.iter().any(|name| is_called(pair, name));
    Ok(Pairs { pairs: all.pairs.into_iter().filter(is_wanted).collect(), ..Pairs::default() })
}

/// The name without `@`.
fn plain(name: &str) -> &str {
    name.strip_prefix('@').unwrap_or(name)
}
