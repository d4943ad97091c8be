//! Runs a function on many inputs and reports the claims that the runs refute.

use super::evidence::Evidence;
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
use std::sync::Arc;
use std::time::Instant;

/// Limits of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Functions with at most this many inputs are run on all of them.
    pub exhaustive: usize,
    /// Number of runs of other functions.
    pub runs: usize,
    /// Seed of the choice of inputs and answers.
    pub seed: u64,
    /// Instruction budget of one run. Unless all inputs are run, most runs get a fraction of it: long runs that end
    /// show little more than short ones, and runs that do not end are inconclusive and consume the others' budget.
    pub fuel: u64,
    /// Instruction budget of all runs of a function together.
    pub all_fuel: u64,
    /// See [`Config::fixed_loads`].
    pub fixed_loads: bool,
    /// No further run starts after this time.
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

/// Every `LONG`-th run gets all fuel, unless all inputs are run. Coprime to the number of kinds of environments.
const LONG: usize = 8;
/// The other runs get the fuel divided by this, but at least [`SHORT`]; [`Options::fuel`] has the reason.
const PART_OF_SHORT: u64 = 20;
/// The least fuel of the other runs, in instructions.
const SHORT: u64 = 5_000;

/// Why the runs ended early.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// [`Options::all_fuel`].
    Fuel,
    /// [`Options::deadline`].
    Time,
}

/// How the choices of a run were made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Environment {
    /// At random from that seed.
    Random(u64),
    /// At random from that seed, except that external call k, counted from 0, does not return while the earlier ones
    /// do.
    StopsAt(u64, u32),
    /// By a given chooser.
    Given,
}

/// A claim that a run refutes.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// The refuted subject.
    pub subject: Subject,
    /// The loop containing the point, with the number of backedges taken in it.
    pub at: Option<(Block, u64)>,
    /// The evidence.
    pub evidence: Evidence,
    /// Whether no value shows the violation: a flag or range of a recurrence fails by its definition, but whenever a
    /// value expressed by it executes, the value is poison or the recurrence is in range.
    pub hidden: bool,
    /// The run's input.
    pub input: Input,
    /// How its choices were made.
    pub environment: Environment,
    /// The run's choices with their answers, in order.
    pub choices: Vec<(Choice, u128)>,
    /// External calls with their answers, in order.
    pub calls: Vec<Answered>,
    /// How the run ended.
    pub outcome: Outcome,
}

/// Results of many runs about the claims on one function.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Refuted claims, each with the first run that refutes it.
    pub violations: Vec<Violation>,
    /// How often conclusive runs tested each subject of [`Checker::subjects`].
    pub tested: Vec<u64>,
    /// Number of runs.
    pub runs: usize,
    /// Number of conclusive runs: those that end without UB.
    pub conclusive: usize,
    /// Number of all inputs of the function, if all were to be tried; each is run with some answers of the
    /// environment.
    pub inputs: Option<usize>,
    /// Why the runs ended early, if they did.
    pub stopped: Option<Stop>,
    /// Whether a run asked the environment, such as for a call's result or a freeze.
    pub asked: bool,
    /// Number of inconclusive runs, which were cut short or reached an unmodelled feature.
    pub cut: usize,
    /// Whether the function cannot access memory whose contents other inputs could change.
    pub sees_no_memory: bool,
}

impl Report {
    /// Whether the runs cover all behaviors, so that a claim that none refutes holds.
    pub fn decides(&self) -> bool {
        self.inputs.is_some() && self.stopped.is_none() && !self.asked && self.cut == 0 && self.sees_no_memory
    }
}

/// Violations shown by one run on `input`, with answers from `script` where it has the call and otherwise from
/// `chooser`; empty if the run is inconclusive. `None` if the function is not modelled or does not accept the input.
pub fn check_run(
    program: &Program<'_>,
    claims: &Claims,
    input: &Input,
    fuel: u64,
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
    // A function without parameters is run repeatedly if it asks the environment.
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

/// Makes a run's choices.
struct Answers {
    random: RandomChooser,
    /// Number of calls that return before the one that does not.
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
