//! Runs a function on many inputs and says which claims the runs refute.

use super::exact::Form;
use super::inputs::Inputs;
use super::plan::Checker;
use super::watch::Watch;
use crate::chooser::{Choice, ChoiceKind, Chooser, RandomChooser, RecordingChooser};
use crate::input::Input;
use crate::observe::Answered;
use crate::outcome::Outcome;
use crate::{Config, Machine, Program};
use backedge_claim::claim::Claims;
use backedge_claim::derive::Subject;
use backedge_ir::body::Body;
use backedge_ir::entity::Block;
use backedge_ir::inst::InstKind;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// How much is tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Functions with at most as many inputs are run on all of them.
    pub exhaustive: usize,
    /// Runs of other functions.
    pub runs: usize,
    /// What the choice of inputs and answers depends on.
    pub seed: u64,
    /// Instructions of one run. Where not all inputs are run, most runs get a part of it: long ones that end show little
    /// more than short ones, and those that do not end show nothing and take the others' room.
    pub fuel: u64,
    /// Instructions of all runs of a function together.
    pub all_fuel: u64,
    /// See [`Config::fixed_loads`].
    pub fixed_loads: bool,
    /// When no further run is begun.
    pub deadline: Option<Instant>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            exhaustive: 1 << 17,
            runs: 400,
            seed: 0,
            fuel: 100_000,
            all_fuel: 20_000_000,
            fixed_loads: false,
            deadline: None,
        }
    }
}

/// One of so many runs gets all fuel, if not all inputs are run. Coprime to the kinds of environments.
const LONG: usize = 8;
/// The others get this part of it, or so much if that is more.
const PART_OF_SHORT: u64 = 20;
const SHORT: u64 = 5_000;

/// What ended the runs before all were made that should be.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// [`Options::all_fuel`].
    Fuel,
    /// [`Options::deadline`].
    Time,
}

/// How the questions of a run were answered.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Environment {
    /// At random from that seed.
    Random(u64),
    /// At random from that seed, but that all external calls return up to the k-th, counted from 0, which does not.
    StopsAt(u64, u32),
    /// By a chooser that was given.
    Given,
}

/// What shows that a claim is wrong. Values are bit patterns of the width given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The value is another one.
    Value {
        /// Bits.
        width: u32,
        /// By the claim.
        claimed: u128,
        /// In the run.
        found: u128,
    },
    /// The value is out of the range.
    OutOfRange {
        /// Bits.
        width: u32,
        /// In the run.
        found: u128,
    },
    /// A sum or product wraps.
    Wrap {
        /// Bits.
        width: u32,
        /// As a whole, or in a part.
        form: Form,
        /// Its operands.
        operands: Vec<u128>,
    },
    /// A recurrence wraps.
    RecurrenceWrap {
        /// Bits.
        width: u32,
        /// Start, step and so on.
        operands: Vec<u128>,
        /// At which arrival.
        index: u64,
    },
    /// A loop takes another number of backedges, or more than the maximum.
    Taken {
        /// By the claim.
        claimed: u128,
        /// In the run, so far at least.
        taken: u64,
    },
    /// A loop whose count has a value runs forever.
    Endless {
        /// By the claim.
        claimed: u128,
    },
    /// An exit is taken too early, or not when it should.
    Fires {
        /// By the claim.
        claimed: u128,
        /// The arrival.
        at: u64,
        /// Whether it was taken.
        fires: bool,
    },
    /// The branch of an exit is reached although its count is poison or divides by zero.
    PoisonCount {
        /// The arrival.
        at: u64,
    },
    /// A loop whose count is poison or divides by zero is left all the same.
    PoisonTaken {
        /// Backedges taken.
        taken: u64,
    },
    /// The trip count is no multiple.
    Multiple {
        /// By the claim.
        multiple: u64,
        /// Backedges taken.
        taken: u64,
    },
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use backedge_ir::int::Int;
        let list = |width: u32, operands: &[u128]| {
            let texts: Vec<String> = operands.iter().map(|o| Int::new(width, *o).to_string()).collect();
            texts.join(", ")
        };
        match self {
            Self::Value { width, claimed, found } => {
                let (claimed, found) = (Int::new(*width, *claimed), Int::new(*width, *found));
                write!(f, "claimed i{width} {claimed}, found {found}")
            }
            Self::OutOfRange { width, found } => {
                write!(f, "found i{width} {}, which is not in the range", Int::new(*width, *found))
            }
            Self::Wrap { width, form: Form::Weak, operands } => {
                write!(f, "wraps for i{width} {}", list(*width, operands))
            }
            Self::Wrap { width, form: Form::Strong, operands } => {
                write!(f, "wraps in a part of the operands i{width} {}", list(*width, operands))
            }
            Self::RecurrenceWrap { width, operands, index } => {
                write!(f, "wraps at arrival {index} for i{width} {}", list(*width, operands))
            }
            Self::Taken { claimed, taken } => write!(f, "claimed {claimed}, but {taken} backedges are taken"),
            Self::Endless { claimed } => write!(f, "claimed {claimed}, but the loop runs forever"),
            Self::Fires { claimed, at, fires: true } => {
                write!(f, "claimed {claimed}, but the exit is taken at {at}")
            }
            Self::Fires { claimed, at, fires: false } => {
                write!(f, "claimed {claimed}, but the exit is not taken at {at}")
            }
            Self::PoisonCount { at } => {
                write!(f, "the count is poison or divides by zero, but the branch is reached at {at}")
            }
            Self::PoisonTaken { taken } => {
                write!(
                    f,
                    "the count is poison or divides by zero, but the loop is left after {taken} backedges"
                )
            }
            Self::Multiple { multiple, taken } => {
                write!(f, "claimed a multiple of {multiple}, but {taken} backedges are taken")
            }
        }
    }
}

/// A claim that a run refutes.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// What is refuted.
    pub subject: Subject,
    /// The loop that control was in, with the number of backedges taken in it.
    pub at: Option<(Block, u64)>,
    /// What shows it.
    pub evidence: Evidence,
    /// Whether no value shows it: a flag or range of a recurrence is wrong by its definition, but whenever a value that
    /// is stated in it executes, that is poison or the recurrence in range.
    pub hidden: bool,
    /// The run's input.
    pub input: Input,
    /// How its questions were answered.
    pub environment: Environment,
    /// What it left open, and the answers, in order.
    pub choices: Vec<(Choice, u128)>,
    /// External calls and what they did, in order.
    pub calls: Vec<Answered>,
    /// How it ended.
    pub outcome: Outcome,
}

/// What many runs say of the claims on one function.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Claims that are refuted, each by the first run that does.
    pub violations: Vec<Violation>,
    /// How often each subject of [`Checker::subjects`] was put to the test in runs that count.
    pub tested: Vec<u64>,
    /// All runs.
    pub runs: usize,
    /// Those that count: that end, without undefined behaviour.
    pub conclusive: usize,
    /// All inputs that the function can get, if they were to be tried: each with some answers of the environment.
    pub inputs: Option<usize>,
    /// What ended the runs before that.
    pub stopped: Option<Stop>,
    /// Whether a run left something to the environment: what a call returns, what a freeze gives.
    pub asked: bool,
    /// Runs that show nothing, since they were cut short or reached what is not modelled.
    pub cut: usize,
    /// Whether the function can't see memory, which other inputs could fill otherwise.
    pub sees_no_memory: bool,
}

impl Report {
    /// Whether the runs were all that there are: a claim that none of them refutes holds.
    pub fn decides(&self) -> bool {
        self.inputs.is_some() && self.stopped.is_none() && !self.asked && self.cut == 0 && self.sees_no_memory
    }
}

/// What one run on `input`, with the answers of `chooser`, and of `script` where that has the call, refutes: nothing if
/// the run shows nothing. `None` if the function is not modelled or does not take the input.
pub fn check_run(
    program: &Program<'_>,
    claims: &Claims,
    (input, fuel): (&Input, u64),
    script: &Arc<Vec<Answered>>,
    chooser: &mut dyn Chooser,
) -> Option<Vec<Violation>> {
    let checker = Checker::new(program, claims)?;
    let config = Config { fuel, max_bytes: 1 << 24, ..Config::default() };
    let mut machine = Machine::new(program, config);
    let mut watch = Watch::new(&checker);
    let mut recorded = RecordingChooser::new(chooser);
    let run = machine.run_with(claims.func, input, script, &mut recorded, &mut watch).ok()?;
    watch.finish(&run.outcome);
    if run.outcome.shows_nothing() || run.outcome.ub().is_some() || run.narrowed_apart {
        return Some(Vec::new());
    }
    let failures = std::mem::take(&mut watch.failures);
    let violation = |failure: super::watch::Failure| Violation {
        subject: checker.subjects()[failure.subject],
        at: failure.at,
        evidence: failure.evidence,
        hidden: failure.hidden,
        input: input.clone(),
        environment: Environment::Given,
        choices: recorded.log.clone(),
        calls: run.answers.clone(),
        outcome: run.outcome.clone(),
    };
    Some(failures.into_iter().map(violation).collect())
}

/// Checks `claims` on runs of their function of `program`. `None` if the function or a parameter is not modelled.
pub fn check(program: &Program<'_>, claims: &Claims, options: &Options) -> Option<Report> {
    let checker = Checker::new(program, claims)?;
    let (exhaustive, runs) = (options.exhaustive, options.runs);
    let inputs = Inputs::new(program.module(), claims.func, exhaustive, runs, options.seed)?;
    let config = Config {
        fuel: options.fuel,
        max_bytes: 1 << 24,
        fixed_loads: options.fixed_loads,
        ..Config::default()
    };
    let short = Config { fuel: options.fuel.min(SHORT.max(options.fuel / PART_OF_SHORT)), ..config.clone() };
    let (mut long, mut short) = (Machine::new(program, config), Machine::new(program, short));
    let mut watch = Watch::new(&checker);
    let mut report = Report {
        violations: Vec::new(),
        tested: vec![0; checker.subjects().len()],
        runs: 0,
        conclusive: 0,
        inputs: inputs.are_all().then(|| inputs.count()),
        stopped: None,
        asked: false,
        cut: 0,
        sees_no_memory: sees_no_memory(checker.body()),
    };
    let mut input = Input::default();
    let mut asks = true;
    let mut number = 0;
    // A function without parameters is run more than once if it asks for something.
    while number < inputs.count().max(if asks { options.runs } else { 0 }) {
        report.stopped = if long.steps() + short.steps() > options.all_fuel {
            Some(Stop::Fuel)
        } else {
            options.deadline.filter(|d| Instant::now() >= *d).map(|_| Stop::Time)
        };
        if report.stopped.is_some() {
            break;
        }
        inputs.fill(number % inputs.count(), &mut input);
        let machine = if inputs.are_all() || number % LONG == 0 { &mut long } else { &mut short };
        let environment = environment(options.seed, number);
        let mut chooser = RecordingChooser::new(Answers::new(environment));
        watch.reset();
        let Ok(ended) = machine.watch_to_end(claims.func, &input, &mut chooser, &mut watch) else {
            return None;
        };
        watch.finish(&ended.outcome);
        report.asked |= ended.choices > 0;
        asks = report.asked;
        report.runs += 1;
        number += 1;
        let is_cut = ended.outcome.shows_nothing() || ended.narrowed_apart;
        if is_cut || ended.outcome.ub().is_some() {
            report.cut += usize::from(is_cut);
            continue;
        }
        report.conclusive += 1;
        for (all, run) in report.tested.iter_mut().zip(&watch.tested) {
            *all += u64::from(*run);
        }
        for failure in std::mem::take(&mut watch.failures) {
            let subject = checker.subjects()[failure.subject];
            let known = report.violations.iter().position(|v| v.subject == subject);
            match known {
                Some(_) if failure.hidden => continue,
                Some(hidden) => _ = report.violations.remove(hidden),
                None => {}
            }
            watch.settled[failure.subject] = !failure.hidden;
            report.violations.push(Violation {
                subject,
                at: failure.at,
                evidence: failure.evidence,
                hidden: failure.hidden,
                input: input.clone(),
                environment,
                choices: chooser.log.clone(),
                calls: machine.answers().to_vec(),
                outcome: ended.outcome.clone(),
            });
        }
    }
    Some(report)
}

fn sees_no_memory(body: &Body) -> bool {
    let sees_memory = |kind: &InstKind| {
        matches!(
            kind,
            InstKind::Load(_)
                | InstKind::AtomicRmw(..)
                | InstKind::CmpXchg(_)
                | InstKind::VaArg
                | InstKind::Call(_)
                | InstKind::Invoke(_)
                | InstKind::CallBr(_)
        )
    };
    !body.all_insts().any(|inst| sees_memory(&body.inst(inst).kind))
}

fn environment(seed: u64, number: usize) -> Environment {
    let seed = seed.wrapping_add(number as u64);
    if number % 3 == 2 {
        Environment::StopsAt(seed, (number / 3 % 7) as u32)
    } else {
        Environment::Random(seed)
    }
}

/// Answers a run's questions.
struct Answers {
    random: RandomChooser,
    /// Calls that return before the one that does not.
    stops_at: Option<u32>,
    calls: u32,
}

impl Answers {
    fn new(environment: Environment) -> Self {
        let (seed, stops_at) = match environment {
            Environment::Random(seed) => (seed, None),
            Environment::StopsAt(seed, at) => (seed, Some(at)),
            Environment::Given => (0, None),
        };
        Self { random: RandomChooser::new(seed), stops_at, calls: 0 }
    }
}

impl Chooser for Answers {
    fn choose(&mut self, choice: &Choice) -> u128 {
        if let (ChoiceKind::CallExit, Some(at)) = (choice.kind, self.stops_at) {
            self.calls += 1;
            return u128::from(self.calls == at + 1).min(choice.domain.last());
        }
        self.random.choose(choice)
    }
}
