//! A pair of runs that shows a violation, in a form that can be kept, sent and run again: the input in its text form,
//! what external calls answered, and what the target chose. Nothing in it is trusted: whoever reads one runs it.

use crate::check::{Options, Side, Uninit};
use crate::endless::{may_have_to_progress, never_ends};
use crate::hardened::{Which, hardened, of_shared};
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

/// What two functions were run on.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Case {
    /// Arguments, memory behind them and contents of globals, as `backedge run --args` takes them.
    pub input: String,
    /// What the target's external calls were answered, in order, as far as it was fixed beforehand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// What calls were answered that the source alone makes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_answers: Vec<Answer>,
    /// The target's choices in order, and the environment's beyond the answers, as hexadecimal numbers; 0 from there on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Steps that either run may take.
    pub fuel: u64,
    /// What uninitialised memory holds.
    #[serde(default)]
    pub uninit: Uninit,
}

/// What a line of a file begins with that holds a case as JSON.
const MARK: &str = "; backedge-case: ";

/// What a case came to.
#[derive(Clone, PartialEq, Debug)]
pub enum Replayed {
    /// The target fails to refine the source there.
    Refuted(Box<Refutation>),
    /// It does not, or not for sure: what the two did, and why that shows nothing.
    NotRefuted(String),
}

/// Choices of the source that are tried on each case.
const BUDGET: Budget = Budget { target_runs: 1, source_runs: 4096 };

/// The machines of both sides.
pub(crate) fn machines<'p>(programs: &'p [Program<'p>; 2], options: &Options) -> [Machine<'p>; 2] {
    Machine::pair(programs, &config(options))
}

impl Case {
    /// What `violation` was seen on.
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

    /// The line of a file of LLVM IR that holds it, without the line end.
    pub fn to_line(&self) -> String {
        MARK.to_owned() + &serde_json::to_string(self).expect("a case has string keys only")
    }

    /// The case that a file of LLVM IR holds, if it holds one.
    ///
    /// # Errors
    ///
    /// If its line is not understood.
    pub fn in_text(text: &str) -> Result<Option<Self>, serde_json::Error> {
        let line = text.lines().find_map(|line| line.strip_prefix(MARK));
        line.map(serde_json::from_str).transpose()
    }

    /// Runs both functions on it.
    ///
    /// # Errors
    ///
    /// If it does not fit them, or is not understood.
    pub fn replay(
        &self,
        source: Side<'_>,
        target: Side<'_>,
        options: &Options,
    ) -> Result<Replayed, InputError> {
        let with_claims = hardened(source, target, Which::Sure);
        let claiming = with_claims.as_ref().map_or(target, |module| Side { module, ..target });
        let first = self.replay_as_it_is(source, claiming, options)?;
        match (&first, of_shared(source, target)) {
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

/// A violation, and what shows it besides the runs.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) violation: Box<Violation>,
    /// Why the run of one side never ends, of which the interpreter has seen the first steps.
    pub(crate) endless: Option<String>,
}

impl From<Box<Violation>> for Shown {
    fn from(violation: Box<Violation>) -> Self {
        Self { violation, endless: None }
    }
}

/// A violation in that one side never ends where the other does, or is undefined, though runs of that side show only that
/// they have not ended yet. The side that ends has no choices, so that it ends whatever is chosen; neither has events. What
/// the target does on one of its runs it may do; the source's runs are all endless if that is so whatever they choose.
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
            if t.choices == 0 && !may_have_to_progress(source) =>
        {
            let is_ub = matches!(ended, Outcome::Ub { .. });
            let mismatch = if is_ub { Mismatch::SourceMoreDefined } else { Mismatch::SourceDoesNotTerminate };
            // What has chosen nothing is the only one.
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

/// Whether runs could not be compared because one or both were cut short by their fuel.
pub(crate) fn is_cut_short(refinement: &Refinement) -> bool {
    matches!(refinement, Refinement::Inconclusive(Reason::BothCutShort(outcome)) if **outcome == Outcome::OutOfFuel)
        || is_one_cut_short(refinement)
}

/// Whether that was one of them, and the other came to an end.
pub(crate) fn is_one_cut_short(refinement: &Refinement) -> bool {
    matches!(
        refinement,
        Refinement::Inconclusive(Reason::SourceCutShort(outcome) | Reason::TargetCutShort(outcome))
            if **outcome == Outcome::OutOfFuel
    )
}

/// What calls were answered in `violation` that its source alone makes.
fn source_answers(violation: &Violation) -> Vec<Answer> {
    let own = violation.source_script.get(violation.target.answers.len()..).unwrap_or_default();
    own.iter().map(|a| a.answer.clone()).collect()
}

/// What decides the runs besides their input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drive {
    pub(crate) answers: Vec<Answer>,
    /// To calls that the source alone makes.
    pub(crate) source_answers: Vec<Answer>,
    pub(crate) choices: Vec<u128>,
}

impl Drive {
    /// What `violation` was driven by.
    pub(crate) fn of(violation: &Violation) -> Self {
        Self {
            answers: violation.script.iter().map(|a| a.answer.clone()).collect(),
            source_answers: source_answers(violation),
            choices: violation.target_choices.clone(),
        }
    }

    /// Compares both functions on `input`: a violation, or what there is in its place.
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

    /// The calls of the target, as it makes them on `input`, with the answers in order.
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

    /// The calls that the source alone makes on `input`, where the target's are answered as `script` says.
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

    /// How both runs end, the source's first.
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
