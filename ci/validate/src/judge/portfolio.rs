//! The portfolio: the order of the stages, for runs in this process and in workers alike.
//!
//! 1. `identical`: identical functions refine each other, whatever they contain.
//! 2. `comparable`: pairs that cannot be compared and unmodelled features are reported; then `endless_pairs`.
//! 3. `runs`: both sides run on a fixed list of inputs. A violation is a refutation observed by the interpreter. If the
//!    runs covered all inputs and choices and all runs ended, nothing is left to prove. `narrower_runs`: for pairs with
//!    loops, narrower copies of the pair run on all inputs, and the pair itself runs on the inputs that fail there.
//!    `undef_runs`: runs on undef inputs. `simulation`: both run side by side on values. `runs_alone`: if no solver may be asked, long runs. `target_globals` follows.
//! 4. `bounded`: the solver's bounded check. The interpreter replays its refutations.
//! 5. `proof`: if the bounded check finds nothing up to its bound, a proof for all iterations.
//! 6. `full_effort`: without such a proof, the full budget, long runs, and higher bounds as far as the budget reaches.
//! 7. A pair that is still open, and whose narrower copy fails, is reported as suspect instead of accepted up to a
//!    bound.
//!
//! The verdict is a function of the two functions and the options, unless a limit on time or memory decided; the
//! verdict then says so.

use crate::admit::qualified::qualified_report;
use crate::pair::Sides;
use crate::stages::{
    AnyStage, Bounded, Comparable, EndlessPairs, FullEffort, Identical, NarrowerRuns, Proof, Runs, RunsAlone,
    Simulation, SoFar, Step, TargetGlobals, UndefRuns,
};
use crate::verdict::{Options, Report};

/// A stage of the list.
pub(crate) type Listed = &'static dyn AnyStage;

/// The stages in order. Those that ask the solver come last.
static STAGES: &[Listed] = &[
    &Identical,
    &Comparable,
    &EndlessPairs,
    &Runs,
    &NarrowerRuns,
    &UndefRuns,
    &Simulation,
    &RunsAlone,
    &TargetGlobals,
    &Bounded,
    &Proof,
    &FullEffort,
];

/// Result of the stages that need no solver.
#[derive(Clone, PartialEq, Debug)]
pub enum Staged {
    /// Decided, or nothing more to ask.
    Decided(Report),
    /// The solver has to be asked.
    Open(SoFar),
}

/// A way to get the answers of stages.
pub(crate) trait Asker {
    /// The options of the question.
    fn options(&self) -> &Options;
    /// What follows from `stage`. `next` is the stage after it in the list; it may begin early.
    fn ask(&mut self, stage: Listed, next: Option<Listed>, so_far: SoFar) -> Step;
}

/// Stages that run in this process, one after the other.
struct Here<'a> {
    sides: Sides<'a>,
    options: &'a Options,
}

impl Asker for Here<'_> {
    fn options(&self) -> &Options {
        self.options
    }
    fn ask(&mut self, stage: Listed, _: Option<Listed>, so_far: SoFar) -> Step {
        stage.step(self.sides, so_far, self.options)
    }
}

/// The stage of that name.
pub(crate) fn stage_named(name: &str) -> Option<Listed> {
    STAGES.iter().copied().find(|stage| stage.name() == name)
}

/// The stages that need no solver, run in this process. They take little memory; the options limit their steps.
pub(crate) fn without_solver(sides: Sides<'_>, options: &Options) -> Staged {
    match in_order(&mut Here { sides, options }, false, SoFar::default()) {
        Step::Break(report) => Staged::Decided(report),
        Step::Continue(so_far) => Staged::Open(so_far),
    }
}

/// The stages that ask the solver, run in this process.
pub(crate) fn solver_here(sides: Sides<'_>, options: &Options, so_far: SoFar) -> Step {
    in_order(&mut Here { sides, options }, true, so_far)
}

/// The report of the stages that ask the solver, run by `solver`, for a pair that the others left open. The caller adds
/// what is known from runs ([`SoFar::then`]); only their number is included here.
pub(crate) fn with_solver(
    Sides { source, target }: Sides<'_>,
    options: &Options,
    so_far: &SoFar,
    solver: impl Fn(&Options, SoFar) -> Step,
) -> Report {
    let ask = |options: &Options| {
        let report = match solver(options, so_far.clone()) {
            Step::Break(report) => report,
            Step::Continue(so_far) => so_far.into_report(),
        };
        qualified_report(report, source, target)
    };
    Report { runs: so_far.runs, ..so_far.ask(options, ask) }
}

/// Asks those stages in order that do, or do not, ask the solver.
pub(crate) fn in_order(asker: &mut dyn Asker, solver: bool, mut so_far: SoFar) -> Step {
    let stages: Vec<Listed> = STAGES.iter().copied().filter(|stage| stage.asks_solver() == solver).collect();
    for (at, stage) in stages.iter().enumerate() {
        if stage.wanted(&so_far, asker.options()) {
            so_far = asker.ask(*stage, stages.get(at + 1).copied(), so_far)?;
        }
    }
    Step::Continue(so_far)
}

#[cfg(test)]
mod tests {
    use super::{Asker, Here, Listed, STAGES, in_order, stage_named};
    use crate::pair::{Side, Sides};
    use crate::stages::{SoFar, Step};
    use crate::verdict::{Method, Options, Verdict};
    use backedge_ir::parse::parse_module;
    use std::collections::BTreeSet;

    /// Stages that answer in text, as workers do.
    struct InText<'a>(Here<'a>);

    impl Asker for InText<'_> {
        fn options(&self) -> &Options {
            self.0.options()
        }
        fn ask(&mut self, stage: Listed, _: Option<Listed>, so_far: SoFar) -> Step {
            let answer = stage.answer(self.0.sides, so_far.earlier(), self.0.options);
            stage.fold_answer(so_far, &answer).expect("it reads its own answer")
        }
    }

    /// A pair that the solver proves by induction.
    const PAIR: &str = include_str!("../../../../corpus/pairs/right/strength-reduction.ll");

    #[test]
    fn answers_in_text_lead_to_the_same_report() {
        let wrong = PAIR.replacen("add i32 %m, 12", "add i32 %m, 13", 1);
        let rare = PAIR.replace("[ 0, %entry ], [ %m.next", "[ %start, %entry ], [ %m.next").replace(
            "@tgt(i32 %n, i32 %x) {\nentry:\n",
            "@tgt(i32 %n, i32 %x) {\nentry:\n  %is = icmp eq i32 %x, 123456789\n  %start = zext i1 %is to i32\n",
        );
        for text in [PAIR, &wrong, &rare] {
            let module = parse_module(text.as_bytes()).expect("a module").module;
            let side = |name| Side { module: &module, func: module.env.func_named(name).expect(name) };
            let (sides, options) = (Sides { source: side("src"), target: side("tgt") }, Options::default());
            let here = || Here { sides, options: &options };
            let found = in_order(&mut here(), false, SoFar::default());
            assert_eq!(in_order(&mut InText(here()), false, SoFar::default()), found);
            let Step::Continue(so_far) = found else { continue };
            let found = in_order(&mut here(), true, so_far.clone());
            assert_eq!(in_order(&mut InText(here()), true, so_far), found);
            let Step::Continue(so_far) = found else { panic!("the solver's stages end with the list") };
            let report = so_far.into_report();
            let is_proved = matches!(report.verdict, Verdict::RefinesAll { method: Method::Induction, .. });
            assert_eq!(
                (is_proved, report.certificate.is_some()),
                (text == PAIR, text == PAIR),
                "{}",
                report.verdict
            );
        }
    }

    #[test]
    fn names_are_unique_and_the_solver_comes_last() {
        let names: BTreeSet<&str> = STAGES.iter().map(|stage| stage.name()).collect();
        assert_eq!(names.len(), STAGES.len());
        assert!(names.iter().all(|name| stage_named(name).is_some_and(|stage| stage.name() == *name)));
        assert!(STAGES.is_sorted_by_key(|stage| stage.asks_solver()));
    }
}
