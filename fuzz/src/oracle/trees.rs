//! Passes on trees of nests leave loops in loop-simplify form and LCSSA form, whatever they were transformed into, and
//! trees as they should be: the one that was lowered, and those that are made of what was left.

use backedge_analysis::Analyses;
use backedge_analysis::cache::At;
use backedge_hir::build::build;
use backedge_pipeline::run::PassRun;
use backedge_scev::ScalarEvolution;
use backedge_transform::remark::Outcome;
use std::fmt;

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The loop with that header is not in loop-simplify form.
    NotSimplified(String),
    /// Values of that nest are used outside of their loops other than by phis of exits.
    NotClosed(String),
    /// A tree is not right, or was not when it was to be lowered.
    Tree(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified(header) => write!(f, "the loop at %{header} is not in loop-simplify form"),
            Self::NotClosed(header) => write!(f, "the nest at %{header} is not in LCSSA form"),
            Self::Tree(problem) => write!(f, "a tree is not right: {problem}"),
        }
    }
}

/// Looks at a run of a pass; runs of passes that are not on trees are right.
pub fn check(run: &PassRun<'_>) -> Result<(), Problem> {
    if !run.pass.starts_with("hir-") {
        return Ok(());
    }
    for remark in run.remarks {
        if matches!(remark.outcome, Outcome::Missed(_)) && remark.outcome.name() == "WrongTree" {
            return Err(Problem::Tree(remark.outcome.to_string()));
        }
    }
    if !run.changed {
        return Ok(());
    }
    let analyses = Analyses::of(run.func);
    let at = analyses.at(run.env, run.after);
    in_form(at)?;
    let built = build(&mut ScalarEvolution::new(at));
    for taken in &built.taken {
        if let Some(problem) = built.hir.check(taken.region).first() {
            return Err(Problem::Tree(problem.to_string()));
        }
    }
    Ok(())
}

/// Whether all loops are in loop-simplify form and LCSSA form.
pub fn in_form(at: At<'_>) -> Result<(), Problem> {
    let (cfg, loops) = (at.cfg(), at.loops());
    let name = |l| at.body.block_name(loops.header(l)).unwrap_or_default().to_owned();
    if let Some(l) = loops.ids().find(|l| !loops.has_loop_simplify_form(&cfg, *l)) {
        return Err(Problem::NotSimplified(name(l)));
    }
    match loops.top_level().iter().find(|l| !loops.is_recursively_lcssa(at.body, &cfg, **l)) {
        Some(l) => Err(Problem::NotClosed(name(*l))),
        None => Ok(()),
    }
}
