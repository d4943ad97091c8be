//! A pair of runs that shows a violation, in a form that can be stored, sent and rerun: the input in text form, the
//! answers of external calls, and the target's choices. A case is untrusted: readers rerun it.

use crate::check::{Options, Side, Uninit};
use crate::endless::{may_have_progress_obligation, never_ends};
use crate::hardened::{Which, hardened, hardened_for_shared_claims};
use crate::narrate;
use crate::runs::config;
use crate::witness::{FoundBy, Refutation};
use backedge_interp::chooser::{ReplayChooser, ZeroChooser};
use backedge_interp::input::{Input, InputError};
use backedge_interp::observe::{Answer, Answered, first_unscripted};
use backedge_interp::outcome::Outcome;
use backedge_interp::refine::{
    Budget, Drivers, Mismatch, Point, Reason, Refinement, Side as Runner, Violation, refine_driven,
};
use backedge_interp::trace::NoObserver;
use backedge_interp::{Config, Machine, Program, Run};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Input, answers and choices of a pair of runs.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Case {
    /// Arguments, pointed-to memory and contents of globals, in the format of `backedge run --args`.
    pub input: String,
    /// Fixed answers to the target's external calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// Answers to calls that only the source makes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_answers: Vec<Answer>,
    /// The target's choices in order, and the environment's beyond the answers, as hexadecimal numbers; 0 after the
    /// last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Fuel of each run, in steps.
    pub fuel: u64,
    /// Contents of uninitialized memory.
    #[serde(default)]
    pub uninit: Uninit,
}

/// Prefix of the line of a file that holds a case as JSON.
const MARK: &str = "; backedge-case: ";

/// Result of rerunning a case.
#[derive(Clone, PartialEq, Debug)]
pub enum Replayed {
    /// The target fails to refine the source on the case.
    Refuted(Box<Refutation>),
    /// No failure, or no certain one: what both sides did, and why no failure follows.
    NotRefuted(String),
}

/// Runs tried for each case: one of the target, and up to this many choice sequences of the source.
const BUDGET: Budget = Budget { target_runs: 1, source_runs: 4096 };

/// The machines of both sides.
pub(crate) fn machines<'p>(programs: &'p [Program<'p>; 2], options: &Options) -> [Machine<'p>; 2] {
    Machine::pair(programs, &config(options))
}

impl Case {
    /// The case of `violation`.
    pub(crate) fn of(input: &Input, violation: &Violation, config: &Config) -> Self {
        let mut choices = &violation.target_choices[..];
        while let [rest @ .., 0] = choices {
            choices = rest;
        }
        Self {
            input: input.to_string(),
            answers: violation.script.iter().map(|a| a.answer.clone()).collect(),
            source_answers: source_answers(violation),
            choices: choices.iter().map(|c| format!("{c:#x}")).collect(),
            fuel: config.fuel,
            uninit: if config.uninit_poison { Uninit::Poison } else { Uninit::Undef },
        }
    }

    /// Whether the input has undef bits.
    pub fn has_undef_input(&self) -> bool {
        Input::parse_list(&self.input).is_ok_and(|input| input.has_undef())
    }

    /// The case as a line of an LLVM IR file, without the line end.
    pub fn to_line(&self) -> String {
        MARK.to_owned() + &serde_json::to_string(self).expect("a case has string keys only")
    }

    /// The case contained in an LLVM IR file, if any.
    ///
    /// # Errors
    ///
    /// If the line of the case is malformed.
    pub fn in_text(text: &str) -> Result<Option<Self>, serde_json::Error> {
        let line = text.lines().find_map(|line| line.strip_prefix(MARK));
        line.map(serde_json::from_str).transpose()
    }

    /// Runs both functions on the case.
    ///
    /// # Errors
    ///
    /// If the case does not fit the functions or is malformed.
    pub fn replay(
        &self,
        source: Side<'_>,
        target: Side<'_>,
        options: &Options,
    ) -> Result<Replayed, InputError> {
        let with_claims = hardened(source, target, Which::Sure);
        let claiming = with_claims.as_ref().map_or(target, |module| Side { module, ..target });
        let first = self.replay_as_it_is(source, claiming, options)?;
        match (&first, hardened_for_shared_claims(source, target)) {
            (Replayed::NotRefuted(_), Some([own, other])) => {
                let (source, target) = (Side { module: &own, ..source }, Side { module: &other, ..target });
                match self.replay_as_it_is(source, target, options)? {
                    refuted @ Replayed::Refuted(_) => Ok(refuted),
                    Replayed::NotRefuted(_) => Ok(first),
                }
            }
            (Replayed::NotRefuted(_) | Replayed::Refuted(_), _) => Ok(first),
        }
    }

    /// [`Self::replay`] without claims of the target.
    fn replay_as_it_is(
        &self,
        source: Side<'_>,
        target: Side<'_>,
        options: &Options,
    ) -> Result<Replayed, InputError> {
        let input = Input::parse_list(&self.input)?;
        let options = Options { fuel: self.fuel, uninit: self.uninit, ..options.clone() };
        let programs = Program::pair([source.module, target.module], &config(&options));
        let mut machines = machines(&programs, &options);
        let drive = Drive {
            answers: self.answers.clone(),
            source_answers: self.source_answers.clone(),
            choices: self.choices()?,
        };
        Ok(match drive.look(&mut machines, (source, target), &input)? {
            Ok(shown) => Replayed::Refuted(Box::new(narrate::refutation(
                (source, target),
                &programs,
                &options,
                &input,
                &shown,
                FoundBy::Replay,
            ))),
            Err(other) => {
                let why = match other {
                    Refinement::Refines { source_ub: true, .. } => "the source is undefined there".to_owned(),
                    Refinement::Refines { .. } => "the source allows what the target does there".to_owned(),
                    Refinement::Inconclusive(reason) => reason.to_string(),
                    Refinement::Unmatched(_) | Refinement::Violates(_) => {
                        "the source has more choices than are tried".to_owned()
                    }
                };
                Replayed::NotRefuted(drive.tell(&mut machines, (source, target), &input)? + &why)
            }
        })
    }

    fn choices(&self) -> Result<Vec<u128>, InputError> {
        let number = |text: &String| {
            let digits = text.strip_prefix("0x").unwrap_or(text);
            u128::from_str_radix(digits, 16).map_err(|_| InputError::Text(text.clone()))
        };
        self.choices.iter().map(number).collect()
    }
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
    (source, target): (Side<'_>, Side<'_>),
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

/// Answers in `violation` to calls that only its source makes.
fn source_answers(violation: &Violation) -> Vec<Answer> {
    let own = violation.source_script.get(violation.target.answers.len()..).unwrap_or_default();
    own.iter().map(|a| a.answer.clone()).collect()
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
        sides: (Side<'_>, Side<'_>),
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
        [s, t]: &mut [Machine<'_>; 2],
        (source, target): (Side<'_>, Side<'_>),
        input: &Input,
    ) -> Result<Refinement, InputError> {
        let script = self.script(t, target, input)?;
        let source_answers = self.source_script((s, source), (t, target), input, &script)?;
        let mut sides = (Runner { machine: s, func: source.func }, Runner { machine: t, func: target.func });
        let mut chooser = ReplayChooser::new(self.choices.clone());
        let drivers =
            Drivers { answers: &script, source_answers: &source_answers, target: &mut chooser, source: None };
        refine_driven(&mut sides.0, &mut sides.1, input, drivers, BUDGET)
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
        (s, source): (&mut Machine<'_>, Side<'_>),
        (t, target): (&mut Machine<'_>, Side<'_>),
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
    fn tell(
        &self,
        [s, t]: &mut [Machine<'_>; 2],
        (source, target): (Side<'_>, Side<'_>),
        input: &Input,
    ) -> Result<String, InputError> {
        let script = self.script(t, target, input)?;
        let source_answers = self.source_script((s, source), (t, target), input, &script)?;
        let given = Arc::new([&script[..], &source_answers].concat());
        let mut text = String::new();
        for (word, machine, side) in [("source", s, source), ("target", t, target)] {
            let mut chooser = ReplayChooser::new(self.choices.clone());
            let run = machine.run_with(side.func, input, &given, &mut chooser, &mut NoObserver)?;
            text.push_str(&format!("{word}: {}\n", narrate::outcome_text(side, &run.outcome)));
        }
        Ok(text)
    }
}
