//! Pairs of runs on one input with given answers and choices, and the violations that they show.

use super::config::config;
use super::endless::{may_have_progress_obligation, never_ends};
use crate::pair::{Side, Sides};
use crate::verdict::Options;
use crate::verdict::case::source_answers;
use backedge_interp::chooser::{ReplayChooser, ZeroChooser};
use backedge_interp::input::{Input, InputError};
use backedge_interp::observe::{Answer, Answered, first_unscripted};
use backedge_interp::outcome::Outcome;
use backedge_interp::refine::{
    Budget, Drivers, Mismatch, Point, Reason, Refinement, Side as Runner, Violation, refine_driven,
};
use backedge_interp::text::outcome_text;
use backedge_interp::trace::NoObserver;
use backedge_interp::{Machine, Program, Run};
use std::sync::Arc;

/// Runs tried for each case: one of the target, and up to this many choice sequences of the source.
const BUDGET: Budget = Budget { target_runs: 1, source_runs: 4096 };

/// The machines of both sides.
pub(crate) fn machines<'p>(programs: &'p [Program<'p>; 2], options: &Options) -> [Machine<'p>; 2] {
    Machine::pair(programs, &config(options))
}

/// A violation, and evidence beyond the runs.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) violation: Box<Violation>,
    /// Why the run of one side never ends; the interpreter has executed only its first steps.
    pub(crate) endless: Option<String>,
}

impl From<Box<Violation>> for Shown {
    fn from(violation: Box<Violation>) -> Self {
        Self { violation, endless: None }
    }
}

/// A violation in which one side never ends and the other one ends or is UB, although the runs only show that this side
/// has not ended yet. The side that ends has no choices, so it ends for all choices; neither side has events. One
/// endless run of the target suffices; for the source the proof must cover all its choices.
pub(crate) fn endless_side(
    machines: &mut [Machine<'_>; 2],
    Sides { source, target }: Sides<'_>,
    input: &Input,
) -> Result<Option<Shown>, InputError> {
    let [on_source, on_target] = machines;
    let s = on_source.run(source.func, input, &mut ZeroChooser, &mut NoObserver)?;
    let t = on_target.run(target.func, input, &mut ZeroChooser, &mut NoObserver)?;
    let quiet = |run: &Run| run.events.is_empty() && run.environment_choices == 0 && !run.observed_addresses;
    if !quiet(&s) || !quiet(&t) {
        return Ok(None);
    }
    let (mismatch, endless) = match (&s.outcome, &t.outcome) {
        (Outcome::Returned(_), Outcome::OutOfFuel) if s.choices == 0 && !s.narrowed => {
            (Mismatch::TargetDoesNotTerminate, never_ends(target, on_target, input, true)?)
        }
        (Outcome::OutOfFuel, ended @ (Outcome::Returned(_) | Outcome::Ub { .. }))
            if t.choices == 0 && !may_have_progress_obligation(source) =>
        {
            let is_ub = matches!(ended, Outcome::Ub { .. });
            let mismatch = if is_ub { Mismatch::SourceMoreDefined } else { Mismatch::SourceDoesNotTerminate };
            // A run without choices is the only run.
            (mismatch, never_ends(source, on_source, input, s.choices == 0 && !s.narrowed)?)
        }
        _ => return Ok(None),
    };
    let violation = Violation {
        mismatch,
        point: Point::End,
        target_choices: Vec::new(),
        script: Arc::default(),
        source_script: Arc::default(),
        source: s,
        target: t,
    };
    Ok(endless.map(|why| Shown { violation: Box::new(violation), endless: Some(why) }))
}

/// Whether runs could not be compared because one or both ran out of fuel.
pub(crate) fn is_cut_short(refinement: &Refinement) -> bool {
    matches!(refinement, Refinement::Inconclusive(Reason::BothCutShort(outcome)) if **outcome == Outcome::OutOfFuel)
        || is_one_cut_short(refinement)
}

/// Whether exactly one run ran out of fuel and the other one ended.
pub(crate) fn is_one_cut_short(refinement: &Refinement) -> bool {
    matches!(
        refinement,
        Refinement::Inconclusive(Reason::SourceCutShort(outcome) | Reason::TargetCutShort(outcome))
            if **outcome == Outcome::OutOfFuel
    )
}

/// Everything that determines the runs besides their input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drive {
    pub(crate) answers: Vec<Answer>,
    /// Answers to calls that only the source makes.
    pub(crate) source_answers: Vec<Answer>,
    pub(crate) choices: Vec<u128>,
}

impl Drive {
    /// The drive of `violation`.
    pub(crate) fn of(violation: &Violation) -> Self {
        Self {
            answers: violation.script.iter().map(|a| a.answer.clone()).collect(),
            source_answers: source_answers(violation),
            choices: violation.target_choices.clone(),
        }
    }

    /// Compares both functions on `input`: a violation, or the other result.
    pub(crate) fn look(
        &self,
        machines: &mut [Machine<'_>; 2],
        sides: Sides<'_>,
        input: &Input,
    ) -> Result<Result<Shown, Refinement>, InputError> {
        let refinement = self.compare(machines, sides, input)?;
        Ok(match refinement {
            Refinement::Violates(violation) => Ok(violation.into()),
            cut if is_one_cut_short(&cut) => endless_side(machines, sides, input)?.ok_or(cut),
            other => Err(other),
        })
    }

    fn compare(
        &self,
        machines: &mut [Machine<'_>; 2],
        sides: Sides<'_>,
        input: &Input,
    ) -> Result<Refinement, InputError> {
        let script = self.script(&mut machines[1], sides.target, input)?;
        let source_answers = self.source_script(machines, sides, input, &script)?;
        let Sides { source, target } = sides;
        let [s, t] = machines;
        let mut runners =
            (Runner { machine: s, func: source.func }, Runner { machine: t, func: target.func });
        let mut chooser = ReplayChooser::new(self.choices.clone());
        let drivers =
            Drivers { answers: &script, source_answers: &source_answers, target: &mut chooser, source: None };
        refine_driven(&mut runners.0, &mut runners.1, input, drivers, BUDGET)
    }

    /// The target's calls on `input`, with the answers in order.
    fn script(
        &self,
        machine: &mut Machine<'_>,
        target: Side<'_>,
        input: &Input,
    ) -> Result<Arc<Vec<Answered>>, InputError> {
        let mut script: Vec<Answered> = Vec::new();
        for answer in &self.answers {
            let mut chooser = ReplayChooser::new(self.choices.clone());
            let so_far = Arc::new(script.clone());
            let run = machine.run_with(target.func, input, &so_far, &mut chooser, &mut NoObserver)?;
            let Some(next) = run.answers.get(script.len()) else { break };
            script.push(Answered { answer: answer.clone(), ..next.clone() });
        }
        Ok(Arc::new(script))
    }

    /// The calls that only the source makes on `input`; the target's calls are answered by `script`.
    fn source_script(
        &self,
        [s, t]: &mut [Machine<'_>; 2],
        Sides { source, target }: Sides<'_>,
        input: &Input,
        script: &Arc<Vec<Answered>>,
    ) -> Result<Vec<Answered>, InputError> {
        let mut found: Vec<Answered> = Vec::new();
        if self.source_answers.is_empty() {
            return Ok(found);
        }
        let chooser = || ReplayChooser::new(self.choices.clone());
        let asked = t.run_with(target.func, input, script, &mut chooser(), &mut NoObserver)?.answers;
        for answer in &self.source_answers {
            let so_far = Arc::new([&asked[..], &found].concat());
            let run = s.run_with(source.func, input, &so_far, &mut chooser(), &mut NoObserver)?;
            let Some(at) = first_unscripted(&run.answers, &so_far) else { break };
            found.push(Answered { answer: answer.clone(), ..run.answers[at].clone() });
        }
        Ok(found)
    }

    /// How both runs end, source first.
    pub(crate) fn tell(
        &self,
        machines: &mut [Machine<'_>; 2],
        sides: Sides<'_>,
        input: &Input,
    ) -> Result<String, InputError> {
        let script = self.script(&mut machines[1], sides.target, input)?;
        let source_answers = self.source_script(machines, sides, input, &script)?;
        let given = Arc::new([&script[..], &source_answers].concat());
        let mut text = String::new();
        let sides = [("source", sides.source), ("target", sides.target)];
        for (machine, (word, side)) in machines.iter_mut().zip(sides) {
            let mut chooser = ReplayChooser::new(self.choices.clone());
            let run = machine.run_with(side.func, input, &given, &mut chooser, &mut NoObserver)?;
            text.push_str(&format!("{word}: {}\n", outcome_text(side.module, side.func, &run.outcome)));
        }
        Ok(text)
    }
}
