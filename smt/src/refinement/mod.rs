//! Checks whether a target function refines a source function, for all inputs and environments, up to a bound on
//! iterations.
//!
//! The check is a list of named queries, each for a run with one kind of failure: first whether the source has any run
//! without UB within the bound (otherwise the answer is vacuous), then UB of the target, events, poison and value of
//! the result, and final memory. If any query has no answer, the result is inconclusive.
//!
//! # Nondeterminism
//! A run of the target is matched with a run of the source that makes the same choices (undef bits, freezes) as the
//! target at the same instruction in the same iteration. If a failing run remains, the check tries another matching
//! (choices in order of execution), and then counterexample-guided instantiation over all choices of the source.
//!
//! # What a bounded answer leaves out
//! Runs in which either function takes more than [`Options::bound`] backedges of a loop per entry. The answer lists the
//! blocks and edges that no run within the bound reaches.

pub mod denotation;
pub(crate) mod failure;
pub(crate) mod freeing;
mod guess;
pub(crate) mod inputs;
mod reach;
pub(crate) mod witness;
mod written;

use crate::encode::function::{Encoder, Ends, Halt, Unsupported};
use crate::encode::value::Sym;
use crate::encode::world::{Approximation, Choice, Side, Uninit, World};
use crate::limits::{Exhausted, Limits};
use crate::solver::{
    Answer, Budget, Cost, ExistsForall, ForallAnswer, SolverError, UnknownReason, check as solve,
};
use crate::term::{Assignment, Term};
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, EntitySet, FuncId, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::module::Module;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

pub use crate::encode::function::Unsupported as UnsupportedFeature;
pub use crate::encode::world::{
    Approximation as ModelApproximation, ChoiceKind, LibraryModel, Side as FunctionSide, Uninit as UninitRule,
};
pub use failure::Failure;
pub use inputs::Mismatch;
use inputs::Simple;
pub use reach::{Apart, Edge, Unreached};
pub use witness::{
    ConcreteBlock, ConcreteByte, ConcreteCall, ConcreteChoice, ConcreteValue, MANY_BYTES, Pointer, Witness,
};
pub use written::writes_no_more;

/// A function of a module.
#[derive(Clone, Copy, Debug)]
pub struct FunctionRef<'m> {
    /// The module.
    pub module: &'m Module,
    /// The function.
    pub func: FuncId,
}

/// Parameters and limits of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Maximum number of backedges per entry of a loop.
    pub bound: u32,
    /// Resource units for all queries together.
    pub units: u64,
    /// Wall-clock time for the whole check: encoding, work between the queries, and all queries.
    pub time: Duration,
    /// Megabytes per query.
    pub memory: u32,
    /// The result of reading uninitialized memory.
    pub uninit: Uninit,
    /// Whether arguments and initial memory may contain undef bits. If not, a proof assumes that they contain none.
    pub undef_inputs: bool,
    /// The model of library calls on strings and memory.
    pub library: LibraryModel,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bound: 4,
            units: 60_000_000,
            time: Duration::from_secs(60),
            memory: 4096,
            uninit: Uninit::Undef,
            undef_inputs: true,
            library: LibraryModel::default(),
        }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The source allows every run of the target.
    Refines {
        /// The bound on iterations; `None` if no run exceeds it, so that the answer holds for all runs.
        bound: Option<u32>,
        /// The blocks and edges that no run within the bound reaches.
        unreached: Unreached,
        /// Assumptions about inputs beyond the attributes.
        assumed: Vec<Assumption>,
    },
    /// The source does not allow some run of the target. Running the witness must confirm it.
    Refuted {
        /// The kind of failure.
        failure: Failure,
        /// The run.
        witness: Box<Witness>,
        /// Whether the target fails for all choices of the source. If not, it fails for the choices that were tried.
        all_choices: bool,
        /// The outcome without undef inputs, if the failing run needs an undef input.
        otherwise: Option<Box<Outcome>>,
    },
    /// The source has UB in every run before it passes the bound.
    Vacuous,
    /// Not decided.
    Inconclusive(Reason),
}

/// An assumption of a proof about inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Assumption {
    /// No argument and no byte of the initial memory is `undef`; they may be poison.
    NoUndefInputs,
}

/// Why a question is undecided.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The two functions cannot be compared.
    Mismatch(Mismatch),
    /// A feature is not modelled.
    Unsupported(Unsupported),
    /// The solver gave up on the query with this name.
    Solver(&'static str, UnknownReason),
    /// The solver misbehaved.
    Broken(SolverError),
    /// Every defined run exceeds the bound on at least one side.
    PastBound {
        /// The bound on iterations.
        bound: u32,
    },
    /// The target uses undef bits in a way for which the model only covers a single choice.
    UndefChosenOnce,
    /// The source loads a pointer with some, but not all, bits undef; the model treats all of its bits as undef.
    PartlyUndefPointer,
    /// The formula is too large for the solver.
    TooLarge {
        /// Number of terms of the formula, or of its part when it was given up.
        terms: usize,
        /// The bound with which the formula is too large.
        bound: u32,
    },
    /// The time limit was reached outside the solver.
    Time,
}

/// The outcome of a check with its cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub outcome: Outcome,
    /// The cost of the queries.
    pub cost: Cost,
    /// The approximations of the model: a refutation may be due to one of them, a proof is not.
    pub approximations: Vec<Approximation>,
    /// Whether a library function that [`LibraryModel::Bytes`] models was treated as unknown.
    pub unknown_library: bool,
}

impl Report {
    fn new(outcome: Outcome, cost: Cost, world: World) -> Self {
        let World { approximations, library_is_unknown: unknown_library, .. } = world;
        Self { outcome, cost, approximations, unknown_library }
    }
}

/// Minimum number of resource units for the check with undef inputs, if that many are left: the first check may have
/// needed hardly any.
const LEAST_FOR_UNDEF: u64 = 4_000_000;

/// Whether `target` refines `source`.
pub fn check(source: FunctionRef<'_>, target: FunctionRef<'_>, options: &Options) -> Report {
    let limits = Limits::new(Instant::now(), options.time, options.units);
    let mut spent = Cost::default();
    let may_be_undef = inputs::may_be_undef(source, target);
    if may_be_undef
        && options.undef_inputs
        && let Some(report) = at_once(source, target, options, &mut spent, limits)
    {
        return report;
    }
    // The first question comes on top of the budget: if it is undecided, the result is as if it had not been asked.
    let options = &Options { units: options.units.saturating_add(spent.units), ..options.clone() };
    let mut first = Check::run(source, target, options, false, &mut spent, limits);
    let Outcome::Refines { assumed, .. } = &mut first.outcome else { return first };
    if !may_be_undef {
        return first;
    }
    if !options.undef_inputs {
        assumed.push(Assumption::NoUndefInputs);
        return first;
    }
    // Repeats the check with inputs that may be undef: more expensive, and rarely different.
    let left = options.units.saturating_sub(spent.units);
    let share = left.min(spent.units.saturating_mul(2).max(LEAST_FOR_UNDEF));
    let rest = Options { units: spent.units + share, ..options.clone() };
    let second = Check::run(source, target, &rest, true, &mut spent, limits);
    match (second.outcome, first.outcome) {
        (Outcome::Inconclusive(_), Outcome::Refines { bound, unreached, mut assumed }) => {
            assumed.push(Assumption::NoUndefInputs);
            let outcome = Outcome::Refines { bound, unreached, assumed };
            Report { outcome, approximations: first.approximations, ..second }
        }
        (Outcome::Refines { assumed, .. }, Outcome::Refines { bound, unreached, .. }) => {
            let outcome = Outcome::Refines { bound, unreached, assumed };
            Report { outcome, ..second }
        }
        (Outcome::Refuted { failure, witness, all_choices, .. }, mut otherwise) => {
            if let Outcome::Refines { assumed, .. } = &mut otherwise {
                assumed.push(Assumption::NoUndefInputs);
            }
            let outcome =
                Outcome::Refuted { failure, witness, all_choices, otherwise: Some(Box::new(otherwise)) };
            Report { outcome, ..second }
        }
        (outcome, _) => Report { outcome, ..second },
    }
}

/// For functions without loops, proves refinement for all inputs with one question that allows undef inputs: inputs
/// without undef are a special case.
fn at_once(
    source: FunctionRef<'_>,
    target: FunctionRef<'_>,
    options: &Options,
    spent: &mut Cost,
    limits: Limits,
) -> Option<Report> {
    if [source, target].into_iter().any(has_cycle) {
        return None;
    }
    let (mut check, args) = Check::new(source, target, options, true, spent, limits).ok()?;
    check.holds_at_once(&args, target).then(|| {
        let outcome = Outcome::Refines { bound: None, unreached: Unreached::default(), assumed: Vec::new() };
        Report::new(outcome, *check.cost, check.world)
    })
}

/// Whether the function's CFG has a cycle.
fn has_cycle(function: FunctionRef<'_>) -> bool {
    let Some(body) = function.module.body(function.func) else { return false };
    let cfg = Cfg::new(body);
    let mut seen: EntitySet<Block> = EntitySet::new();
    // In reverse post-order, every cycle has an edge that points backward.
    cfg.rpo().iter().any(|&block| {
        seen.insert(block);
        cfg.succs(block).iter().any(|to| seen.contains(*to))
    })
}

/// The reason to report for a function that could not be encoded.
pub(crate) fn halted(halt: Halt, world: &World) -> Reason {
    match halt {
        Halt::Unsupported(unsupported) => Reason::Unsupported(unsupported),
        Halt::Exhausted(limit) => exhausted(limit, world),
    }
}
/// The reason to report for a limit reached outside the solver.
pub(crate) fn exhausted(limit: Exhausted, world: &World) -> Reason {
    match limit {
        Exhausted::Time => Reason::Time,
        Exhausted::Terms => Reason::TooLarge { terms: world.terms.len(), bound: world.repeated.into() },
    }
}

/// Both encoded functions.
struct Formula {
    world: World,
    ends: [Ends; 2],
    args: Vec<Sym>,
    caller_blocks: u32,
}

/// A failing run.
struct Found {
    failure: Failure,
    /// The condition of the failure.
    condition: Term,
    model: Assignment,
    /// Whether the run fails for all choices of the source.
    all_choices: bool,
}

/// A question in progress.
pub(crate) struct Check<'a> {
    world: World,
    ends: [Ends; 2],
    options: &'a Options,
    cost: &'a mut Cost,
    limits: Limits,
    /// Number of known blocks that the caller has: globals, and blocks of one argument.
    caller_blocks: u32,
    /// The memory location compared at the end, once it has been requested.
    place: Option<Term>,
    /// Assumption about failing runs.
    premise: Term,
}

impl<'a> Check<'a> {
    fn run(
        source: FunctionRef<'_>,
        target: FunctionRef<'_>,
        options: &'a Options,
        undef_inputs: bool,
        cost: &'a mut Cost,
        limits: Limits,
    ) -> Report {
        let (mut check, args) = match Self::new(source, target, options, undef_inputs, cost, limits) {
            Ok(check) => check,
            Err(report) => return *report,
        };
        let outcome = match check.decide(&args, [source, target]) {
            Ok(outcome) => outcome,
            Err(reason) => Outcome::Inconclusive(reason),
        };
        Report::new(outcome, *check.cost, check.world)
    }

    /// Encodes the question and its arguments, or returns the report if that fails.
    fn new(
        source: FunctionRef<'_>,
        target: FunctionRef<'_>,
        options: &'a Options,
        undef_inputs: bool,
        cost: &'a mut Cost,
        limits: Limits,
    ) -> Result<(Self, Vec<Sym>), Box<Report>> {
        // The memory layout has no undef bits until a write needs them.
        let encoded = Self::encode(source, target, options, (undef_inputs, false), limits);
        let encoded = match encoded {
            Ok(found) if found.world.needs_undef_mask => {
                Self::encode(source, target, options, (undef_inputs, true), limits)
            }
            other => other,
        };
        let Formula { mut world, ends, args, caller_blocks } = match encoded {
            Ok(found) => found,
            Err((reason, world)) => {
                let outcome = Outcome::Inconclusive(reason);
                return Err(Box::new(match world {
                    Some(world) => Report::new(outcome, *cost, *world),
                    None => {
                        Report { outcome, cost: *cost, approximations: Vec::new(), unknown_library: false }
                    }
                }));
            }
        };
        let premise = world.terms.bool(true);
        let check = Self { world, ends, options, cost, limits, caller_blocks, place: None, premise };
        Ok((check, args))
    }

    fn encode(
        source: FunctionRef<'_>,
        target: FunctionRef<'_>,
        options: &Options,
        (undef_inputs, undef_memory): (bool, bool),
        limits: Limits,
    ) -> Result<Formula, (Reason, Option<Box<World>>)> {
        let (mut world, args) =
            inputs::prepare(source, target, options.uninit, undef_inputs, undef_memory, limits)
                .map_err(|reason| (reason, None))?;
        world.library = options.library;
        let caller_blocks = world.blocks.len() as u32;
        let mut ends = [Ends::default(), Ends::default()];
        for (side, function) in [(Side::Source, source), (Side::Target, target)] {
            let function = (function.module, function.func);
            match Encoder::encode(&mut world, side, function, args.clone(), options.bound) {
                Ok(found) => ends[side.index()] = found,
                Err(halt) => return Err((halted(halt, &world), Some(Box::new(world)))),
            }
        }
        Ok(Formula { world, ends, args, caller_blocks })
    }

    fn decide(&mut self, args: &[Sym], sides: [FunctionRef<'_>; 2]) -> Result<Outcome, Reason> {
        self.within_limits()?;
        // With undef inputs, an earlier question has already established which runs exist.
        let bound = if self.world.undef_inputs { None } else { self.bound_in_force(args)? };
        let fine = failure::source_is_fine(self);
        if !self.world.undef_inputs && !guess::is_met(&self.world, args, &[fine]) {
            match self.ask_cheaply("precondition", &[fine]) {
                Ok(Answer::Unsat) => return self.without_runs(bound),
                // If it is unknown whether a run exists, the search for a failing run still makes sense. If none fails,
                // the answer lists all blocks as unreached.
                Ok(_) | Err(Reason::Solver(..)) => {}
                Err(reason) => return Err(reason),
            }
        }
        let failures = failure::all(self);
        self.within_limits()?;
        // Some runs refute nothing: the search first excludes them.
        let avoided = std::mem::take(&mut self.world.avoided);
        let always = self.premise;
        for premise in self.none_of(avoided).into_iter().chain([always]) {
            self.premise = premise;
            if self.is_whole() && self.none_fails(&failures)? {
                continue;
            }
            let conditions: Vec<(Failure, Term)> = failures
                .iter()
                .map(|&(f, condition)| (f, self.world.terms.and(condition, premise)))
                .collect();
            if let Some(found) = self.find(&conditions)? {
                let found = self.with_small_blocks(&conditions, args, found)?;
                let Found { failure, condition, model, all_choices } = found;
                let model = self.smaller(failure, condition, args, model)?;
                let witness = Box::new(witness::read(&mut self.world, &model, args));
                return Ok(Outcome::Refuted { failure, witness, all_choices, otherwise: None });
            }
        }
        self.check_narrowing(fine, sides[1])?;
        self.check_loaded_pointers(fine)?;
        // An answer for all runs needs no list of unreached blocks.
        let unreached = if bound.is_none() { Unreached::default() } else { reach::unreached(self, sides)? };
        Ok(Outcome::Refines { bound, unreached, assumed: Vec::new() })
    }

    /// Whether the source has a defined run without undef inputs, all paths are in the formula, and no run fails;
    /// `false` if one query does not decide that.
    fn holds_at_once(&mut self, args: &[Sym], target: FunctionRef<'_>) -> bool {
        if self.within_limits().is_err() || !self.is_whole() {
            return false;
        }
        let fine = failure::source_is_fine(self);
        if !guess::is_met(&self.world, args, &[fine]) {
            return false;
        }
        let failures = failure::all(self);
        self.within_limits().is_ok()
            && self.none_fails(&failures).unwrap_or(false)
            && self.check_narrowing(fine, target).is_ok()
            && self.world.partially_undef_pointers.is_empty()
    }
    /// Whether the formula contains all paths: no loop was cut off.
    fn is_whole(&self) -> bool {
        self.ends
            .iter()
            .all(|ends| ends.cut.iter().all(|cut| self.world.terms.as_bool(cut.path) == Some(false)))
    }
    /// Whether a single query about all failures shows that no run fails: each query has a cost.
    fn none_fails(&mut self, failures: &[(Failure, Term)]) -> Result<bool, Reason> {
        let any = self.world.terms.or_all(failures.iter().map(|f| f.1));
        let any = self.world.terms.and(any, self.premise);
        if self.world.terms.as_bool(any) == Some(false) {
            return Ok(true);
        }
        let choices = self.world.choices[Side::Source.index()].clone();
        let mut matchings = if choices.is_empty() { Vec::new() } else { self.matchings(&choices)? };
        matchings.truncate(1);
        self.is_excluded("failures", any, &matchings)
    }
    /// Whether a single query shows that all comparable runs of both functions end with memories built by the same
    /// stores. The query is about paths only, not about bytes at each location.
    fn memories_agree(&mut self, matching: &[FxHashMap<Term, Term>]) -> Result<bool, Reason> {
        let Some(apart) = failure::memories_apart(self) else { return Ok(false) };
        let apart = self.world.terms.and(apart, self.premise);
        self.is_excluded("paths of memories", apart, matching)
    }
    /// Whether a small part of the budget suffices to show that no run satisfies `condition`, with the source's choices
    /// replaced as `matching` says.
    fn is_excluded(
        &mut self,
        name: &'static str,
        condition: Term,
        matching: &[FxHashMap<Term, Term>],
    ) -> Result<bool, Reason> {
        let budget = self.small_budget();
        match self.ask_within(name, &[condition], matching, &budget) {
            Ok(answer) => Ok(answer == Answer::Unsat),
            Err(Reason::Solver(..)) => Ok(false),
            Err(reason) => Err(reason),
        }
    }

    /// The condition that none of these holds; `None` if there are none.
    fn none_of(&mut self, conditions: Vec<Term>) -> Option<Term> {
        if conditions.is_empty() {
            return None;
        }
        let any = self.world.terms.or_all(conditions);
        Some(self.world.terms.not(any))
    }
    /// The outcome if no run is defined and within the bound.
    fn without_runs(&mut self, bound: Option<u32>) -> Result<Outcome, Reason> {
        let Some(bound) = bound else { return Ok(Outcome::Vacuous) };
        let defined = failure::source_has_no_ub(self);
        match self.ask_cheaply("definedness", &[defined])? {
            Answer::Unsat => Ok(Outcome::Vacuous),
            Answer::Sat(_) | Answer::Unknown(_) => Err(Reason::PastBound { bound }),
        }
    }

    /// Checks that no run of the target chooses undef bits once where different uses of a value derived from them may
    /// see different choices: the proof would miss those behaviors. A freeze is the only use that really sees a single
    /// value.
    fn check_narrowing(&mut self, fine: Term, target: FunctionRef<'_>) -> Result<(), Reason> {
        let Some(body) = target.module.body(target.func) else { return Ok(()) };
        let only_frozen = |inst: Inst| {
            let uses = body.uses(inst.into());
            uses.len() <= 1 && uses.iter().all(|u| matches!(body.inst(u.user).kind, InstKind::Freeze))
        };
        let mut narrowed = Vec::new();
        for choice in self.world.choices[Side::Target.index()].clone() {
            if choice.kind == ChoiceKind::Undef && !only_frozen(choice.inst) {
                let open = self.world.terms.is_nonzero(choice.open);
                narrowed.push(self.world.terms.and(choice.made, open));
            }
        }
        let narrowed = self.world.terms.or_all(narrowed);
        if self.world.terms.as_bool(narrowed) == Some(false) {
            return Ok(());
        }
        match self.ask_cheaply("narrowing", &[fine, narrowed])? {
            Answer::Unsat => Ok(()),
            Answer::Sat(_) | Answer::Unknown(_) => Err(Reason::UndefChosenOnce),
        }
    }
    /// Checks that no run of the source loads a pointer with some, but not all, bits undef: the source would be allowed
    /// too much. With undef inputs this check is skipped, because it was done before without them: a target that fails
    /// for a pointer made undef by the caller's memory also fails for other pointers.
    fn check_loaded_pointers(&mut self, fine: Term) -> Result<(), Reason> {
        let partly = self.world.partially_undef_pointers.clone();
        let partly = self.world.terms.or_all(partly);
        if self.world.undef_inputs || self.world.terms.as_bool(partly) == Some(false) {
            return Ok(());
        }
        match self.ask_cheaply("loaded pointers", &[fine, partly])? {
            Answer::Unsat => Ok(()),
            Answer::Sat(_) | Answer::Unknown(_) => Err(Reason::PartlyUndefPointer),
        }
    }
    /// Stops if a limit was reached while the formula was built.
    fn within_limits(&mut self) -> Result<(), Reason> {
        self.world.exhausted().map_or(Ok(()), |limit| Err(exhausted(limit, &self.world)))
    }

    /// The bound, if a run can exceed it.
    fn bound_in_force(&mut self, args: &[Sym]) -> Result<Option<u32>, Reason> {
        let cut: Vec<Term> = self.ends.iter().flat_map(|e| e.cut.iter().map(|cut| cut.path)).collect();
        let cut = self.world.terms.or_all(cut);
        let bound = self.ends.iter().map(|e| e.bound).min().unwrap_or_default();
        if self.world.terms.as_bool(cut) == Some(false) {
            return Ok(None);
        }
        if guess::is_met(&self.world, args, &[cut]) {
            return Ok(Some(bound));
        }
        match self.ask_cheaply("bound", &[cut]) {
            Ok(Answer::Unsat) => Ok(None),
            Ok(Answer::Sat(_) | Answer::Unknown(_)) | Err(Reason::Solver(..)) => Ok(Some(bound)),
            Err(reason) => Err(reason),
        }
    }

    /// A failing run; `None` if there is none. One matching of the source's choices must handle all kinds of failure,
    /// because a choice that excuses one failure may cause another.
    fn find(&mut self, conditions: &[(Failure, Term)]) -> Result<Option<Found>, Reason> {
        let choices: Vec<Choice> = self.world.choices[Side::Source.index()].clone();
        if choices.is_empty() {
            return self.find_within(conditions, &[]);
        }
        let matchings = self.matchings(&choices)?;
        let mut last = None;
        for matching in &matchings {
            match self.find_within(conditions, std::slice::from_ref(matching))? {
                Some(found) => last = Some(found),
                None => return Ok(None),
            }
        }
        let Some(last) = last else { return Ok(None) };
        let question = (last.failure.query(), conditions);
        let found = self.for_all_choices(question, &choices, matchings, last.model.clone())?;
        Ok(found.map(|(model, all_choices)| Found { model, all_choices, ..last }))
    }
    /// A failing run with the source's choices replaced as `matching` says.
    fn find_within(
        &mut self,
        conditions: &[(Failure, Term)],
        matching: &[FxHashMap<Term, Term>],
    ) -> Result<Option<Found>, Reason> {
        for &(failure, condition) in conditions {
            if self.world.terms.as_bool(condition) == Some(false)
                || (failure == Failure::MemoryMismatch && self.memories_agree(matching)?)
            {
                continue;
            }
            if let Answer::Sat(model) = self.ask(failure.query(), &[condition], matching)? {
                return Ok(Some(Found { failure, condition, model, all_choices: true }));
            }
        }
        Ok(None)
    }
    /// Whether some run fails, in any of the given ways, for all choices of the source.
    fn for_all_choices(
        &mut self,
        (name, conditions): (&'static str, &[(Failure, Term)]),
        choices: &[Choice],
        matchings: Vec<FxHashMap<Term, Term>>,
        last: Assignment,
    ) -> Result<Option<(Assignment, bool)>, Reason> {
        let rounds = if self.world.undef_inputs { 2 } else { 8 };
        let any = self.world.terms.or_all(conditions.iter().map(|(_, condition)| *condition));
        // Answers of the environment and results of opaque operations may depend on the source's choices.
        let functions = self.world.functions_of(choices);
        // A run that violates an axiom for some untried choice of the source is not a real run.
        let bound = self.world.terms.variables(&self.world.axioms);
        let depends = !functions.is_empty();
        let exact = !depends && choices.iter().all(|c| !bound.contains(&c.var));
        let candidates = self.world.choices[Side::Target.index()].iter().map(|c| c.var).collect();
        let question = ExistsForall {
            formula: vec![any],
            given: self.world.axioms.clone(),
            functions,
            forall: choices.iter().map(|c| c.var).collect(),
            // For other choices, memory may differ at another location.
            sought: self.place.into_iter().collect(),
            instances: matchings,
            candidates,
            rounds,
            most_terms: self.limits.most_terms(),
        };
        let budget = self.budget();
        let outcome = question.solve(&mut self.world.terms, &budget).map_err(Reason::Broken)?;
        *self.cost = self.cost.plus(outcome.cost);
        match outcome.answer {
            ForallAnswer::Holds(model) => Ok(Some((model, exact))),
            ForallAnswer::Fails => Ok(None),
            // Running the code confirms the run found, or the run is dropped.
            ForallAnswer::Unknown(_) if depends && !self.world.undef_inputs => Ok(Some((last, false))),
            ForallAnswer::Unknown(reason) => Err(Reason::Solver(name, reason)),
        }
    }
    /// Replacements for the source's choices: the target's choices at the same place; and the target's in order, or
    /// zero.
    fn matchings(&mut self, choices: &[Choice]) -> Result<Vec<FxHashMap<Term, Term>>, Reason> {
        let targets = self.world.choices[Side::Target.index()].clone();
        let (mut by_place, mut by_order) = (FxHashMap::default(), FxHashMap::default());
        let mut taken: FxHashMap<(u32, ChoiceKind), usize> = FxHashMap::default();
        for choice in choices {
            if self.limits.late() {
                return Err(Reason::Time);
            }
            if choice.of.is_some() {
                continue;
            }
            let width = self.world.terms.width(choice.var);
            let fits = |t: &&Choice| t.kind == choice.kind && self.world.terms.width(t.var) == width;
            let place = targets.iter().filter(fits).find(|t| {
                t.label == choice.label && t.counters == choice.counters && t.index == choice.index
            });
            let count = taken.entry((width, choice.kind)).or_insert(0);
            let order = targets.iter().filter(fits).nth(*count);
            *count += 1;
            let (place, order) = (place.map(|c| c.var), order.map(|c| c.var));
            let zero = self.world.terms.number(width, 0);
            by_place.insert(choice.var, place.or(order).unwrap_or(zero));
            by_order.insert(choice.var, order.or(place).unwrap_or(zero));
        }
        self.world.match_evaluations(&mut by_place);
        self.world.match_evaluations(&mut by_order);
        Ok(if by_place == by_order { vec![by_place] } else { vec![by_place, by_order] })
    }

    /// If the source compares bytes, the failing run with blocks that real runs can have, if there is such a run.
    fn with_small_blocks(
        &mut self,
        conditions: &[(Failure, Term)],
        args: &[Sym],
        found: Found,
    ) -> Result<Found, Reason> {
        let compares = |c: &Choice| c.kind == ChoiceKind::Difference;
        if !self.world.choices[Side::Source.index()].iter().any(compares) {
            return Ok(found);
        }
        for limit in [32, 1024] {
            let simple = Simple { limit, writable: true, any_integers: true };
            let small = inputs::are_simple(&mut self.world, args, simple);
            let conditions: Vec<(Failure, Term)> =
                conditions.iter().map(|&(f, c)| (f, self.world.terms.and(c, small))).collect();
            match self.find(&conditions) {
                Ok(Some(smaller)) => return Ok(smaller),
                Ok(None) | Err(Reason::Solver(..)) => {}
                Err(reason) => return Err(reason),
            }
        }
        Ok(found)
    }
    /// A run with the same failure and smaller inputs, if one is found quickly. A failure may need read-only memory, so
    /// the search gives up writability before it gives up small sizes.
    fn smaller(
        &mut self,
        failure: Failure,
        condition: Term,
        args: &[Sym],
        model: Assignment,
    ) -> Result<Assignment, Reason> {
        if !self.world.choices[Side::Source.index()].is_empty() {
            return Ok(model);
        }
        let wanted = [(4, true), (32, true), (1024, true), (32, false), (1024, false)];
        let wanted = wanted.map(|(limit, writable)| Simple { limit, writable, any_integers: false });
        // Real runs cannot start with large blocks.
        let last = Simple { limit: 1024, writable: true, any_integers: true };
        for simple in wanted.into_iter().chain([last]) {
            let small = inputs::are_simple(&mut self.world, args, simple);
            match self.ask(failure.query(), &[condition, small], &[]) {
                Ok(Answer::Sat(model)) => return Ok(model),
                Ok(_) | Err(Reason::Solver(..)) => {}
                Err(reason) => return Err(reason),
            }
        }
        Ok(model)
    }

    fn budget(&self) -> Budget {
        let left = self.options.units.saturating_sub(self.cost.units);
        Budget {
            units: u32::try_from(left).unwrap_or(u32::MAX).max(1),
            time: self.limits.left().unwrap_or(Duration::MAX),
            memory: self.options.memory,
        }
    }
    /// Asks, with a small part of the budget, a question whose answer only makes the verdict more informative.
    fn ask_cheaply(&mut self, name: &'static str, conditions: &[Term]) -> Result<Answer, Reason> {
        let budget = self.small_budget();
        self.ask_within(name, conditions, &[], &budget)
    }
    /// A small part of the budget.
    fn small_budget(&self) -> Budget {
        /// All units are divided by this for a question whose answer only makes the verdict more informative.
        const PART: u64 = 16;
        let budget = self.budget();
        let units = u32::try_from(self.options.units / PART).unwrap_or(u32::MAX).clamp(1, budget.units);
        Budget { units, ..budget }
    }
    /// Asks whether the conditions and all axioms are satisfiable, with the source's choices replaced as `matching`
    /// says.
    fn ask(
        &mut self,
        name: &'static str,
        conditions: &[Term],
        matching: &[FxHashMap<Term, Term>],
    ) -> Result<Answer, Reason> {
        self.ask_within(name, conditions, matching, &self.budget())
    }
    fn ask_within(
        &mut self,
        name: &'static str,
        conditions: &[Term],
        matching: &[FxHashMap<Term, Term>],
        budget: &Budget,
    ) -> Result<Answer, Reason> {
        if self.limits.late() {
            return Err(Reason::Solver(name, UnknownReason::Time));
        }
        if self.world.terms.len() > self.limits.most_terms() {
            return Err(Reason::Solver(name, UnknownReason::Terms));
        }
        let mut assertions: Vec<Term> = conditions.to_vec();
        assertions.extend(self.world.axioms.iter().copied());
        if let [matching] = matching {
            assertions = self.world.terms.substitute_all(&assertions, matching);
        }
        let outcome = solve(&self.world.terms, &assertions, budget).map_err(Reason::Broken)?;
        *self.cost = self.cost.plus(outcome.cost);
        match outcome.answer {
            Answer::Unknown(reason) => Err(Reason::Solver(name, reason)),
            answer => Ok(answer),
        }
    }
}
