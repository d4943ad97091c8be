//! Stage: both functions run on a list of inputs ([`crate::replay::inputs`]).
//!
//! [`backedge_interp::refine`] reports a violation only if it tried all choices of the source and approximated nothing,
//! so each violation is a refutation. The absence of violations is a proof only if inputs and choices were covered
//! completely: integer parameters that cannot be undef (or none), no memory, no calls.

use super::{Earlier, SoFar, Stage, Step};
use crate::admit::qualified::qualified;
use crate::admit::source_promises::SourcePromises;
use crate::pair::{Side, Sides};
use crate::replay::config::config;
use crate::replay::drive::{Shown, endless_side, is_one_cut_short};
use crate::replay::inputs::{EXHAUSTIVE, Inputs};
use crate::replay::refutation::{refutation, undefined_source};
use crate::replay::runners::{Runners, STEPS, budget};
use crate::verdict::witness::{FoundBy, Refutation};
use crate::verdict::{Assumption, Failure, Method, Options, Verdict};
use backedge_interp::batch::Batch;
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::input::{Input, InputError};
use backedge_interp::outcome::Outcome;
use backedge_interp::refine::{Budget, Refinement, Violation};
use backedge_interp::value::Val;
use backedge_interp::{Ended, Program};
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, ConstOp, GlobalRef};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::meaning::library::{Known, called, declared};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Result of the runs.
#[derive(Debug)]
pub(crate) enum RunsResult {
    /// A violation.
    Refuted(Box<Refutation>),
    /// Every input and choice ran to its end on both sides, without a violation.
    AllHold,
    /// Every input ran, and the source is UB on each.
    AlwaysUndefined,
    /// Inconclusive.
    Nothing,
}

/// The result of a search.
#[derive(Debug)]
pub(crate) struct Search {
    /// The result.
    pub(crate) result: RunsResult,
    /// Inputs that both functions ran on.
    pub(crate) runs: u64,
    /// Inputs on which the source has a defined run, so that the target was checked against it.
    pub(crate) defined: u64,
    /// Why a failing run is no refutation, if there was one: the promise of the source that it breaks, in words.
    pub(crate) excused: Option<String>,
}

/// Inputs of an exhaustive search that run as one batch before their outcomes are compared.
const BLOCK: usize = 1024;
/// A search ends after this many inputs if all of them were inconclusive.
const PATIENCE: u64 = 64;
/// Maximum number of inputs with a cut-short run that are checked for non-termination.
const ENDLESS: u64 = 32;

/// The stage.
pub(crate) struct Runs;

/// What the runs show.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Ran {
    /// The verdict if they decide.
    verdict: Option<Verdict>,
    runs: u64,
    defined: u64,
    excused: Option<String>,
}

impl Stage for Runs {
    type Answer = Ran;

    fn name(&self) -> &'static str {
        "runs"
    }
    fn wanted(&self, _: &SoFar, _: &Options) -> bool {
        true
    }
    fn run(&self, Sides { source, target }: Sides<'_>, _: &Earlier, options: &Options) -> Ran {
        let Search { result, runs, defined, excused } = search(source, target, options, EXHAUSTIVE);
        let verdict = match result {
            RunsResult::Refuted(refutation) => Some(Verdict::Refuted(refutation)),
            RunsResult::AllHold => {
                let assumed = excluded_inputs(source, target, options);
                Some(Verdict::RefinesAll { method: Method::ExhaustiveRuns, assumed })
            }
            RunsResult::AlwaysUndefined => {
                let example = undefined_source(source, target, options);
                Some(Verdict::Vacuous { method: Method::ExhaustiveRuns, example })
            }
            RunsResult::Nothing => None,
        };
        Ran { verdict: verdict.map(|verdict| qualified(verdict, source, target)), runs, defined, excused }
    }
    fn fold(&self, so_far: SoFar, Ran { verdict, runs, defined, excused }: Ran) -> Step {
        let so_far = SoFar { runs, defined, excused, ..so_far };
        match verdict {
            Some(verdict) => so_far.decided(verdict),
            None => Step::Continue(so_far),
        }
    }
}

/// Runs `source` and `target` on inputs until one shows a violation. Runs on all inputs if that would be a proof and
/// there are at most `exhaustive`.
pub(crate) fn search(source: Side<'_>, target: Side<'_>, options: &Options, exhaustive: u64) -> Search {
    let nothing = Search { result: RunsResult::Nothing, runs: 0, defined: 0, excused: None };
    let Some(inputs) = Inputs::new(source, target, options) else { return nothing };
    let (inputs, modules) = (&inputs, [source.module, target.module]);
    let config = config(options);
    let programs = Program::pair([source.module, target.module], &config);
    let closed = |s: Side<'_>| s.module.body(s.func).is_some_and(|body| is_closed(s, body));
    let all_defined = inputs.all_noundef() || !options.undef_inputs;
    let provable = all_defined && closed(source) && closed(target);
    let worthwhile = if provable { exhaustive } else { options.runs.min(EXHAUSTIVE) };
    let all = inputs.count().filter(|n| *n <= worthwhile);
    let mut list: Box<dyn Iterator<Item = Input>> = match all {
        Some(_) => Box::new(inputs.all()),
        None => Box::new(inputs.some(options.runs)),
    };
    list = Box::new(list.enumerate().map(move |numbered| inputs.with_contents(numbered, modules)));
    let mut running = Running {
        sides: Sides { source, target },
        options,
        provable,
        started: Instant::now(),
        runners: Runners::new(&programs, config.clone(), options.at_random),
        promises: SourcePromises::new(source),
        tally: Tally::new(),
        excused: None,
    };
    let refuted = |tally: &Tally, input: &Input, shown: Shown| {
        let sides = Sides { source, target };
        let refutation = refutation(sides, &programs, options, input, shown, FoundBy::Runs);
        let result = RunsResult::Refuted(refutation);
        Search { result, runs: tally.runs, defined: tally.defined + 1, excused: None }
    };
    let quick = (provable && all.is_some_and(|n| n >= BLOCK as u64)).then(|| {
        [(&programs[0], source), (&programs[1], target)].map(|(p, s)| Batch::new(p, config.clone(), s.func))
    });
    'search: loop {
        let block: Vec<Input> = list.by_ref().take(BLOCK).collect();
        if block.is_empty() {
            break;
        }
        let settled = match quick.as_ref().map(|batches| settle(batches, &block)) {
            Some(Ok(settled)) => settled,
            Some(Err(_)) => return nothing,
            None => Settled { steps: 0, source_ub: vec![None; block.len()] },
        };
        running.tally.steps += settled.steps;
        for (input, source_ub) in block.iter().zip(settled.source_ub) {
            if running.tally.counts_settled(source_ub) {
                continue;
            }
            match running.compare(input) {
                Compared::Violates(shown) => return refuted(&running.tally, input, shown),
                Compared::Broken => return nothing,
                Compared::Misfit => {}
                Compared::Done if running.is_over() => break 'search,
                Compared::Done => {}
            }
        }
        if running.tally.steps > STEPS || running.started.elapsed() > options.timeout {
            break;
        }
    }
    let Running { tally, excused, .. } = running;
    let excused = match excused {
        // The verdict names the promise.
        Some((input, violation, _)) if !options.solver => {
            return refuted(&tally, &input, violation.into());
        }
        other => other,
    };
    let excused = excused.map(|(_, violation, promise)| without_effect(&violation, &promise));
    let result = tally.conclusion(provable && all == Some(tally.runs));
    Search { result, runs: tally.runs, defined: tally.defined, excused }
}

/// A search in progress.
struct Running<'p, 'a> {
    sides: Sides<'a>,
    options: &'a Options,
    /// Whether runs on all inputs would be a proof.
    provable: bool,
    started: Instant,
    runners: Runners<'p>,
    promises: SourcePromises<'a>,
    tally: Tally,
    /// The first violation that breaks a promise of the source, and this promise.
    excused: Option<(Input, Box<Violation>, String)>,
}

/// The comparison of both sides on one input.
enum Compared {
    Violates(Shown),
    /// No violation, or one that the source's promises excuse.
    Done,
    /// The input does not fit.
    Misfit,
    /// The functions cannot run.
    Broken,
}

impl Running<'_, '_> {
    /// Runs both sides on `input` and counts the outcome.
    fn compare(&mut self, input: &Input) -> Compared {
        let budget = if self.provable { Budget::default() } else { budget(self.options, self.tally.runs) };
        let Ok(refinement) = self.runners.refine(self.sides, input, budget) else {
            return Compared::Misfit;
        };
        let tally = &mut self.tally;
        tally.runs += 1;
        match refinement {
            Refinement::Violates(violation) => {
                // A source that breaks a promise is UB; another input may show the failure.
                let broken = self.promises.broken(&mut self.runners.machines[0], input, &violation);
                let Some(promise) = broken else { return Compared::Violates(violation.into()) };
                tally.unknown += 1;
                self.excused.get_or_insert_with(|| (input.clone(), violation, promise));
            }
            Refinement::Refines { all_choices, source_ub, .. } => {
                tally.all_choices &= all_choices;
                tally.source_ub &= source_ub;
                tally.defined += u64::from(!source_ub);
                tally.memory_compared |= !source_ub;
            }
            unknown @ (Refinement::Unmatched(_) | Refinement::Inconclusive(_)) => {
                tally.unknown += 1;
                if tally.unknown <= ENDLESS && is_one_cut_short(&unknown) {
                    match endless_side(&mut self.runners.machines, self.sides, input) {
                        Ok(Some(shown)) => return Compared::Violates(shown),
                        Ok(None) => {}
                        Err(_) => return Compared::Broken,
                    }
                }
            }
        }
        Compared::Done
    }
    /// Whether further inputs are not worth their time.
    fn is_over(&self) -> bool {
        let useless = self.tally.unknown >= PATIENCE && self.tally.unknown == self.tally.runs;
        let late = self.started.elapsed() > self.options.timeout;
        useless || late || self.tally.steps + self.runners.steps() > STEPS
    }
}

/// Why a run that breaks a promise is no refutation.
fn without_effect(violation: &Violation, promise: &str) -> String {
    format!("a run that fails ({}) breaks a promise of the source: {promise}", Failure::of(violation))
}

/// Assumptions of a verdict that ran every input that the options admit.
pub(crate) fn excluded_inputs(source: Side<'_>, target: Side<'_>, options: &Options) -> Vec<Assumption> {
    let all_noundef = Inputs::new(source, target, options).is_some_and(|inputs| inputs.all_noundef());
    let excluded = [
        (options.poison_inputs, Assumption::NoPoisonInputs),
        (options.undef_inputs, Assumption::NoUndefInputs),
    ];
    let excluded = excluded.into_iter().filter(|(is_covered, _)| !is_covered && !all_noundef);
    excluded.map(|(_, assumption)| assumption).collect()
}

/// Results for a block of inputs that follow from the outcomes alone.
struct Settled {
    steps: u64,
    /// For each input on which the source's only run allows the target's only run: whether the source is UB.
    source_ub: Vec<Option<bool>>,
}

/// Runs both functions, which access no memory and call nothing, on a block of inputs as a batch.
fn settle(batches: &[Batch<'_>; 2], block: &[Input]) -> Result<Settled, InputError> {
    let run = |batch: &Batch<'_>| {
        let fill = |i: usize, input: &mut Input| input.args.clone_from(&block[i].args);
        batch.run(block.len(), fill, |_| ZeroChooser, |_, ended, _| ended)
    };
    let (source, target) = (run(&batches[0])?, run(&batches[1])?);
    Ok(Settled {
        steps: source.iter().chain(&target).map(|e| e.steps).sum(),
        source_ub: source.iter().zip(&target).map(|(s, t)| allowed(s, t)).collect(),
    })
}

/// Whether the source is UB, if neither run had a choice and the source certainly allows the target's run.
fn allowed(source: &Ended, target: &Ended) -> Option<bool> {
    if source.choices > 0 || target.choices > 0 {
        return None;
    }
    match (&source.outcome, &target.outcome) {
        (Outcome::Ub { .. }, _) => Some(true),
        (Outcome::Returned(s), Outcome::Returned(t)) if *s == Some(Val::Poison) || s == t => Some(false),
        _ => None,
    }
}

struct Tally {
    runs: u64,
    defined: u64,
    /// Steps of batched runs.
    steps: u64,
    unknown: u64,
    all_choices: bool,
    source_ub: bool,
    /// Whether memory that neither function accesses has been compared.
    memory_compared: bool,
}

impl Tally {
    fn new() -> Self {
        Self {
            runs: 0,
            defined: 0,
            steps: 0,
            unknown: 0,
            all_choices: true,
            source_ub: true,
            memory_compared: false,
        }
    }
    /// Counts an input that the batch settled; `false` if the batch did not settle it.
    fn counts_settled(&mut self, source_ub: Option<bool>) -> bool {
        let Some(source_ub) = source_ub.filter(|_| self.memory_compared) else { return false };
        self.runs += 1;
        self.source_ub &= source_ub;
        self.defined += u64::from(!source_ub);
        true
    }
    fn conclusion(&self, complete: bool) -> RunsResult {
        if !complete || self.unknown > 0 || !self.all_choices {
            RunsResult::Nothing
        } else if self.source_ub {
            RunsResult::AlwaysUndefined
        } else {
            RunsResult::AllHold
        }
    }
}

/// Whether a run depends on its arguments and choices alone: the body accesses no memory except through library
/// functions that depend on nothing else, makes no other calls, and inspects no linker-assigned address.
fn is_closed(side: Side<'_>, body: &Body) -> bool {
    let env = &side.module.env;
    let placed = |data: &ConstData| match data {
        ConstData::Global(GlobalRef::Var(id)) => !env.vars[*id].is_constant || !env.vars[*id].is_definitive(),
        ConstData::Global(GlobalRef::Func(id)) => declared(side.module, *id).is_none(),
        ConstData::Global(GlobalRef::Alias(_)) | ConstData::BlockAddress(_) => true,
        ConstData::Expr(e) => matches!(e.op, ConstOp::Cast(_)),
        _ => false,
    };
    let shows_address = |inst: Inst| {
        let data = body.inst(inst);
        let pointer = |value: &Value| env.types.scalar(body.ty(*value)).is_ptr();
        matches!(data.kind, InstKind::ICmp { .. } | InstKind::Cast(..)) && data.operands.iter().any(pointer)
    };
    if body.all_insts().any(shows_address) {
        return false;
    }
    if body.consts().iter().any(|(_, constant)| placed(&constant.data)) {
        return false;
    }
    body.all_insts().all(|inst| match &body.inst(inst).kind {
        InstKind::Ret
        | InstKind::Br
        | InstKind::CondBr
        | InstKind::Switch
        | InstKind::Unreachable
        | InstKind::Binary(..)
        | InstKind::Cast(..)
        | InstKind::ICmp { .. }
        | InstKind::Select(_)
        | InstKind::Phi(_)
        | InstKind::Freeze
        | InstKind::ExtractValue(_)
        | InstKind::InsertValue(_)
        | InstKind::ExtractElement
        | InstKind::InsertElement
        | InstKind::ShuffleVector(_)
        | InstKind::DebugRecord(_) => true,
        InstKind::Call(_) => match called(side.module, side.func, body, inst) {
            Some(Known::Function(which)) => {
                which.result_is_enumerated() || body.code_uses(inst.into()).next().is_none()
            }
            Some(Known::Unmodelled) | None => false,
        },
        InstKind::Invoke(_)
        | InstKind::CallBr(_)
        | InstKind::IndirectBr
        | InstKind::Resume
        | InstKind::FNeg(_)
        | InstKind::FloatBinary(..)
        | InstKind::FCmp(..)
        | InstKind::Alloca(_)
        | InstKind::Load(_)
        | InstKind::Store(_)
        | InstKind::Gep { .. }
        | InstKind::Fence(..)
        | InstKind::AtomicRmw(..)
        | InstKind::CmpXchg(_)
        | InstKind::VaArg
        | InstKind::LandingPad { .. } => false,
    })
}
