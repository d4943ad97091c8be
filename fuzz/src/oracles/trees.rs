//! HIR passes leave loops in loop-simplify form and LCSSA form, whatever the transform, and leave valid trees: the
//! lowered tree, and trees rebuilt from the result. VPlan passes satisfy the same rules.

use backedge_analysis::Analyses;
use backedge_analysis::cache::At;
use backedge_hir::build::build;
use backedge_pipeline::run::PassRun;
use backedge_scev::ScalarEvolution;
use backedge_transform::remark::{Outcome, Remark};
use std::fmt;

/// A violated rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The loop with that header is not in loop-simplify form.
    NotSimplified(String),
    /// Values of the nest with that header are used outside their loops by instructions other than exit-block phis.
    NotClosed(String),
    /// A tree is invalid, or was invalid when it was lowered.
    Tree(String),
    /// A plan is invalid.
    Plan(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified(header) => write!(f, "the loop at %{header} is not in loop-simplify form"),
            Self::NotClosed(header) => write!(f, "the nest at %{header} is not in LCSSA form"),
            Self::Tree(problem) => write!(f, "a tree is not right: {problem}"),
            Self::Plan(problem) => write!(f, "a plan is not right: {problem}"),
        }
    }
}

/// Checks a run of an HIR or VPlan pass; accepts runs of all other passes.
pub fn check(run: &PassRun<'_>) -> Result<(), Problem> {
    if run.pass.starts_with("vplan-") {
        return check_plans(run);
    }
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

/// Checks a run of a VPlan pass; each plan must pass its own verifier, or it is not executed.
fn check_plans(run: &PassRun<'_>) -> Result<(), Problem> {
    let is_wrong = |remark: &&Remark| {
        matches!(remark.outcome, Outcome::Missed(_)) && remark.outcome.name() == "WrongPlan"
    };
    if let Some(remark) = run.remarks.iter().find(is_wrong) {
        return Err(Problem::Plan(remark.outcome.to_string()));
    }
    if run.changed { in_form(Analyses::of(run.func).at(run.env, run.after)) } else { Ok(()) }
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
