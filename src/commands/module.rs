//! Common start of most commands: loads a module from a file, shows problems, and selects functions by name.

use crate::input::Source;
use crate::problem::Problem;
use backedge_interp::input::shortened;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_ir::parse::{Parsed, canonical_spelling};
use std::collections::BTreeSet;
use std::path::Path;

/// Maximum number of warnings about unsupported features, one per feature; further ones are counted.
const WARNINGS: usize = 10;

/// Reads and parses `path` and shows its warnings. On failure the problems have been shown.
pub(crate) fn load(path: &Path) -> Result<(Source, Parsed), AlreadyShown> {
    let source = Source::read(path).map_err(|p| shown([*p]))?;
    let parsed = source.parse().map_err(shown)?;
    let env = &parsed.module.env;
    if env.funcs.is_empty() && env.vars.is_empty() && env.aliases.is_empty() {
        let what = format!("{} is empty: it has no functions and no variables", source.name);
        Problem::error(what).warning().show();
    }
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

/// The input is bad, and the problems have been shown.
#[derive(Debug)]
pub(crate) struct AlreadyShown;

fn shown(problems: impl IntoIterator<Item = Problem>) -> AlreadyShown {
    problems.into_iter().for_each(Problem::show);
    AlreadyShown
}

/// The functions with bodies in `module`, or the one called `name`: with or without `@`, quoted as in the text or
/// plain.
pub(crate) fn select(module: &Module, name: Option<&str>) -> miette::Result<Vec<FuncId>> {
    let defined = |f: &FuncId| !matches!(module.code[*f], Code::Declaration);
    let Some(name) = name else {
        return Ok(module.env.funcs.keys().filter(defined).collect());
    };
    let plain = name.strip_prefix('@').unwrap_or(name);
    let quoted = plain.strip_prefix('"').and_then(|n| n.strip_suffix('"'));
    let declared = module
        .env
        .func_named(quoted.unwrap_or(plain))
        .or_else(|| module.env.func_named(&canonical_spelling(plain.as_bytes())));
    match declared.filter(defined) {
        Some(func) => Ok(vec![func]),
        None => {
            let plain = shortened(plain);
            let what = match declared {
                Some(_) => format!("@{plain} is only declared: it has no code"),
                None => format!("no function @{plain}"),
            };
            let names: Vec<_> = module.env.funcs.keys().filter(defined).take(20).collect();
            let names: Vec<_> = names.iter().map(|f| format!("@{}", module.env.funcs[*f].name)).collect();
            let help = match &*names {
                [] => "no function is defined here".to_owned(),
                names => format!("defined here: {}", names.join(", ")),
            };
            Err(miette::miette!(help = help, "{what}"))
        }
    }
}
