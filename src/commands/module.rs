//! What most commands begin with: a module out of a file, problems shown, functions picked by name.

use crate::input::Source;
use crate::problem::Problem;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_ir::parse::Parsed;
use std::collections::BTreeSet;
use std::path::Path;

/// Features that are not modelled and are named in warnings, each once; the rest is counted.
const WARNINGS: usize = 10;

/// Reads and parses `path`, shows its warnings. On failure the problems have been shown.
pub(crate) fn load(path: &Path) -> Result<(Source, Parsed), AlreadyShown> {
    let source = Source::read(path).map_err(|p| shown([*p]))?;
    let parsed = source.parse().map_err(shown)?;
    let mut features = BTreeSet::new();
    for warning in &parsed.warnings {
        if features.len() < WARNINGS && features.insert(&*warning.feature) {
            source.warning(warning).show();
        }
    }
    let hidden = parsed.warnings.len() - features.len();
    if hidden > 0 {
        Problem::error(format!("{}: {hidden} more warnings", source.name)).warning().show();
    }
    Ok((source, parsed))
}

/// The input is bad, and the user has been told.
#[derive(Debug)]
pub(crate) struct AlreadyShown;

fn shown(problems: impl IntoIterator<Item = Problem>) -> AlreadyShown {
    problems.into_iter().for_each(Problem::show);
    AlreadyShown
}

/// The defined functions of `module`, or the one called `name` (with or without `@`).
pub(crate) fn select(module: &Module, name: Option<&str>) -> miette::Result<Vec<FuncId>> {
    let defined = |f: &FuncId| !matches!(module.code[*f], Code::Declaration);
    let Some(name) = name else {
        return Ok(module.env.funcs.keys().filter(defined).collect());
    };
    let plain = name.strip_prefix('@').unwrap_or(name);
    match module.env.func_named(plain).filter(defined) {
        Some(func) => Ok(vec![func]),
        None => {
            let names: Vec<_> = module.env.funcs.keys().filter(defined).take(20).collect();
            let names: Vec<_> = names.iter().map(|f| format!("@{}", module.env.funcs[*f].name)).collect();
            Err(miette::miette!(help = format!("defined here: {}", names.join(", ")), "no function @{plain}"))
        }
    }
}
