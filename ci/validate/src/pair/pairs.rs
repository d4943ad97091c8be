//! Selects the functions to compare by Alive2's naming convention.
//!
//! In one module: `@src` with `@tgt`, and `@srcX` with `@tgtX` for every X. In two modules: functions of the same name,
//! and `@srcX` of the first with `@tgtX` of the second.

use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};

/// A source and a target.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The source, in the first module.
    pub source: FuncId,
    /// The target, in the second module (or the same).
    pub target: FuncId,
}

/// Pairs in order of the sources, and defined functions that have no counterpart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// Functions of the first module without a target.
    pub unmatched_sources: Vec<FuncId>,
    /// Functions of the second module without a source. Empty for one module, where any function may be a helper.
    pub unmatched_targets: Vec<FuncId>,
}

/// The pairs within one module.
pub fn in_one_module(module: &Module) -> Pairs {
    let mut pairs = Pairs::default();
    for source in defined(module) {
        let Some(suffix) = name(module, source).strip_prefix("src") else { continue };
        match defined_named(module, &format!("tgt{suffix}")) {
            Some(target) => pairs.pairs.push(Pair { source, target }),
            None => pairs.unmatched_sources.push(source),
        }
    }
    pairs.unmatched_targets = defined(module)
        .filter(|f| name(module, *f).starts_with("tgt") && pairs.pairs.iter().all(|p| p.target != *f))
        .collect();
    pairs
}

/// The pairs between two modules.
pub fn in_two_modules(first: &Module, second: &Module) -> Pairs {
    let mut pairs = Pairs::default();
    for source in defined(first) {
        let own = name(first, source);
        let as_target = || defined_named(second, &format!("tgt{}", own.strip_prefix("src")?));
        match defined_named(second, own).or_else(as_target) {
            Some(target) => pairs.pairs.push(Pair { source, target }),
            None => pairs.unmatched_sources.push(source),
        }
    }
    pairs.unmatched_targets =
        defined(second).filter(|f| pairs.pairs.iter().all(|p| p.target != *f)).collect();
    pairs
}

/// Functions with code, modelled or not.
fn defined(module: &Module) -> impl Iterator<Item = FuncId> + '_ {
    module.code.iter().filter(|(_, c)| !matches!(c, Code::Declaration)).map(|(id, _)| id)
}

/// The function of that name, if it has code, modelled or not.
pub(crate) fn defined_named(module: &Module, name: &str) -> Option<FuncId> {
    module.env.func_named(name).filter(|f| !matches!(module.code[*f], Code::Declaration))
}

fn name(module: &Module, func: FuncId) -> &str {
    &module.env.funcs[func].name
}
