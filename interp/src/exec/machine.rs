//! The machine runs functions of one program on inputs and reuses its allocations between runs.

use super::ctx::Ctx;
use super::dead::Dead;
use super::diverge::Detector;
use super::frames::Frames;
use super::fuel::Fuel;
use super::run::Runner;
use crate::Config;
use crate::chooser::Chooser;
use crate::compile::Program;
use crate::exec::library::LibraryUse;
use crate::input::{BindError, Input, InputError};
use crate::memory::{Contents, Liveness, Mark, Memory, Origin};
use crate::observe::{Answered, Event, EventKind, Events, LANDING, Seen, SeenMemory};
use crate::outcome::{Exit, Outcome, Place, Stop};
use crate::trace::{NoObserver, Observer};
use crate::value::{Cube, Val};
use backedge_ir::entity::FuncId;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Record of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// How the run ended.
    pub outcome: Outcome,
    /// The returned value as outside code sees it.
    pub returned: Option<Seen>,
    /// The exception that left the function; `None` if it equals the exception that a landing pad would have received
    /// after the last event.
    pub thrown: Option<Seen>,
    /// Observable events in order.
    pub events: Vec<Event>,
    /// External calls in order with their answers.
    pub answers: Vec<Answered>,
    /// Library functions that the run called.
    pub library: LibraryUse,
    /// Memory visible to the caller at the end; empty if the run was cut short or has UB.
    pub memory: Vec<SeenMemory>,
    /// Number of choices, of the environment and of the program.
    pub choices: u64,
    /// Number of choices that belong to the environment.
    pub environment_choices: u64,
    /// Whether an operation fixed undefined bits once although each use of its result might see different bits. The
    /// run is valid, but runs with other choices do not cover all behaviors.
    pub narrowed: bool,
    /// Whether `narrowed` happened for a result with several uses that may see different bits, so that no set of
    /// choices covers all behaviors.
    pub narrowed_apart: bool,
    /// Whether the run depends on addresses of local objects, or exposed a local object after the lifetime of an
    /// earlier exposed one had ended. In the second case a target may merge the two objects without changing
    /// behavior.
    pub observed_addresses: bool,
    /// Executed instructions, phis included.
    pub steps: u64,
}

/// How a run ended: a [`Run`] without the record of what it did.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    /// How the run ended.
    pub outcome: Outcome,
    /// See [`Run::choices`].
    pub choices: u64,
    /// See [`Run::environment_choices`].
    pub environment_choices: u64,
    /// See [`Run::narrowed`].
    pub narrowed: bool,
    /// See [`Run::narrowed_apart`].
    pub narrowed_apart: bool,
    /// See [`Run::observed_addresses`].
    pub observed_addresses: bool,
    /// See [`Run::steps`].
    pub steps: u64,
}

/// Runs functions of one program.
#[derive(Debug)]
pub struct Machine<'p> {
    program: &'p Program<'p>,
    config: Config,
    memory: Memory,
    mark: Mark,
    initial: Vec<Arc<Contents>>,
    /// For each allocation of the program: whether it has escaped and whether it is exposed when a run begins.
    reachable: Vec<(bool, bool)>,
    /// Memory that the last outermost call leaves dead (`dead_on_return`).
    dead: Dead,
    frames: Frames<'p>,
    events: Events,
    detector: Detector,
    steps: u64,
    stop: Option<Arc<AtomicBool>>,
}

impl<'p> Machine<'p> {
    /// Creates a machine for `program`.
    pub fn new(program: &'p Program<'p>, config: Config) -> Self {
        let mut memory = program.memory.clone();
        memory.provs.early_reads = config.early_reads;
        memory.allocas_anywhere = config.allocas_anywhere;
        let mark = memory.mark();
        let initial = (0..mark.allocs).map(|i| memory.allocation_mut(i).snapshot()).collect();
        let reachable = memory.allocations().iter().map(|a| (a.escaped, a.exposed)).collect();
        Self {
            program,
            config,
            memory,
            mark,
            initial,
            reachable,
            dead: Dead::default(),
            frames: Frames::default(),
            events: Events::default(),
            detector: Detector::default(),
            steps: 0,
            stop: None,
        }
    }
    /// Creates machines for a source and for the target that is compared with it.
    pub fn pair(programs: &'p [Program<'p>; 2], config: &Config) -> [Self; 2] {
        let [source, target] = programs;
        [Self::new(source, config.clone()), Self::new(target, config.clone().of_target())]
    }
    /// Instructions executed by all runs of this machine.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Makes runs end with [`crate::outcome::Limit::Stopped`] soon after `flag` is set.
    pub fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        self.stop = Some(flag);
    }
    /// Memory as the last run left it.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }
    /// External calls of the last run with their answers; empty once a [`Run`] has taken them.
    pub fn answers(&self) -> &[Answered] {
        &self.events.answers
    }
    /// The program that this machine runs.
    pub fn program(&self) -> &'p Program<'p> {
        self.program
    }
    fn reset(&mut self) {
        self.dead = Dead::default();
        self.memory.reset(self.mark);
        for (i, initial) in self.initial.iter().enumerate() {
            let alloc = self.memory.allocation_mut(i);
            (alloc.escaped, alloc.exposed) = self.reachable[i];
            alloc.restore(initial);
        }
        self.frames.list.clear();
        self.frames.stack.clear();
    }
    /// Runs `func` on `input`.
    pub fn run<O: Observer>(
        &mut self,
        func: FuncId,
        input: &Input,
        chooser: &mut dyn Chooser,
        observer: &mut O,
    ) -> Result<Run, InputError> {
        self.events.reset(None);
        let ended = self.execute(func, input, chooser, observer)?;
        Ok(self.report(ended))
    }
    /// Runs `func` on `input`; external calls found in `script` get the answers recorded there.
    pub fn run_with<O: Observer>(
        &mut self,
        func: FuncId,
        input: &Input,
        script: &Arc<Vec<Answered>>,
        chooser: &mut dyn Chooser,
        observer: &mut O,
    ) -> Result<Run, InputError> {
        self.events.reset(Some(script));
        let ended = self.execute(func, input, chooser, observer)?;
        Ok(self.report(ended))
    }
    /// Runs `func` on `input` and returns how it ended, without recording the run. Allocates nothing if an earlier
    /// run was at least as large and this run makes no external calls, restricts no arguments, and creates no
    /// vectors, aggregates or undefined bits.
    pub fn run_to_end(
        &mut self,
        func: FuncId,
        input: &Input,
        chooser: &mut dyn Chooser,
    ) -> Result<Ended, InputError> {
        self.watch_to_end(func, input, chooser, &mut NoObserver)
    }
    /// Like [`Machine::run_to_end`], but reports to `observer`.
    pub fn watch_to_end<O: Observer>(
        &mut self,
        func: FuncId,
        input: &Input,
        chooser: &mut dyn Chooser,
        observer: &mut O,
    ) -> Result<Ended, InputError> {
        self.events.reset(None);
        self.execute(func, input, chooser, observer)
    }
    fn execute<O: Observer>(
        &mut self,
        func: FuncId,
        input: &Input,
        chooser: &mut dyn Chooser,
        observer: &mut O,
    ) -> Result<Ended, InputError> {
        self.reset();
        let place = Place { func, inst: None };
        let prepared = self.program.signature(func).and_then(|s| self.program.code(func).map(|c| (s, c)));
        let (signature, code) = match (prepared, &self.program.broken_global) {
            (Ok(prepared), None) => prepared,
            (Err(feature), _) => return Ok(Ended::at_once(Stop::unsupported(feature).at(place))),
            (Ok(_), Some(feature)) => {
                return Ok(Ended::at_once(Stop::unsupported(feature.clone()).at(place)));
            }
        };
        let args = match input.bind(&mut self.memory, &mut self.events, signature) {
            Ok(args) => args,
            Err(BindError::Input(error)) => return Err(error),
            Err(BindError::Stop(stop)) => return Ok(Ended::at_once(stop.at(place))),
        };
        self.dead = Dead::of(&self.program.module().env, func, &self.memory, &args);
        let mut ctx = Ctx {
            program: self.program,
            config: &self.config,
            memory: &mut self.memory,
            chooser,
            events: &mut self.events,
            func,
            code,
            pc: usize::MAX,
            choices: 0,
            environment_choices: 0,
            narrowed: false,
            narrowed_apart: false,
            outermost: func,
        };
        let mut runner = Runner {
            frames: &mut self.frames,
            fuel: Fuel::new(self.config.fuel, self.stop.as_deref()),
            detector: &mut self.detector,
            observer,
        };
        runner.detector.reset(self.config.detect_divergence);
        let outcome = match runner.frames.enter(&mut ctx, func, args, None) {
            Ok(()) => runner.run(&mut ctx),
            Err(stop) => stop.at(place),
        };
        ctx.events.hide_written(&mut ctx.memory.provs, 0);
        let ended = Ended {
            outcome,
            choices: ctx.choices,
            environment_choices: ctx.environment_choices,
            narrowed: ctx.narrowed,
            narrowed_apart: ctx.narrowed_apart,
            observed_addresses: ctx.memory.observed_addresses || ctx.events.saw_after_end,
            steps: self.config.fuel - runner.fuel.rest(),
        };
        self.steps += ended.steps;
        Ok(ended)
    }
    /// Builds the full record of the last run, which ended as `ended`.
    fn report(&mut self, ended: Ended) -> Run {
        let returned = ended.value().map(|value| self.events.see(&self.memory, value));
        let thrown = self.thrown(&ended.outcome);
        let memory = match ended.outcome {
            Outcome::Returned(_) | Outcome::DidNotReturn { .. } => self.visible_memory(),
            Outcome::Ub { .. }
            | Outcome::OutOfFuel
            | Outcome::Diverges { .. }
            | Outcome::Unsupported { .. }
            | Outcome::LimitExceeded(_) => Vec::new(),
        };
        Run {
            outcome: ended.outcome,
            returned,
            thrown,
            events: std::mem::take(&mut self.events.list),
            answers: std::mem::take(&mut self.events.answers),
            library: std::mem::take(&mut self.events.library),
            memory,
            choices: ended.choices,
            environment_choices: ended.environment_choices,
            narrowed: ended.narrowed,
            narrowed_apart: ended.narrowed_apart,
            observed_addresses: ended.observed_addresses,
            steps: ended.steps,
        }
    }
    /// The exception that left the function; `None` if a landing pad at that point would have received the same
    /// exception.
    fn thrown(&mut self, outcome: &Outcome) -> Option<Seen> {
        let Outcome::DidNotReturn { exit: Exit::Threw, .. } = outcome else { return None };
        let value = self.events.resumed.take()?;
        let seen = self.events.see(&self.memory, &value);
        let count = Seen::Bits(Cube::known(self.events.list.len() as u128));
        let is_it = |a: &Answered| {
            matches!(&a.call, EventKind::Call { callee, args, .. } if **callee == *LANDING && args[..] == [count.clone()])
                && a.answer.result.as_ref() == Some(&seen)
        };
        let unchanged = self.events.answers.iter().any(is_it);
        (!unchanged).then_some(seen)
    }
    fn see_at_end(&mut self, index: usize) -> SeenMemory {
        let mut seen = self.events.see_object(&mut self.memory, index);
        self.dead.bury(index, &mut seen);
        seen
    }
    /// Writable memory that outlives the run: globals, buffers, blocks, and external memory that has escaped.
    fn visible_memory(&mut self) -> Vec<SeenMemory> {
        let mut seen = Vec::new();
        for index in 0..self.memory.allocations().len() {
            let alloc = self.memory.allocation(index);
            let outlives = match alloc.origin {
                Origin::Global(_) | Origin::Buffer(_) | Origin::Block(_) => true,
                Origin::External(_) => alloc.escaped,
                Origin::Function(_) | Origin::Local(_) | Origin::Heap(_) => false,
            };
            if outlives && alloc.liveness == Liveness::Live && alloc.writable && alloc.size > 0 {
                seen.push(self.see_at_end(index));
            }
        }
        // Local allocations known to outside code; the loop also visits those reached through them.
        let mut next = 0;
        while let Some(&index) = self.events.named_locals().get(next) {
            next += 1;
            let alloc = self.memory.allocation(index);
            let heap = matches!(alloc.origin, Origin::Heap(_));
            if heap && alloc.liveness == Liveness::Live && alloc.size > 0 {
                seen.push(self.see_at_end(index));
            }
        }
        seen
    }
}

impl Ended {
    fn at_once(outcome: Outcome) -> Self {
        Self {
            outcome,
            choices: 0,
            environment_choices: 0,
            narrowed: false,
            narrowed_apart: false,
            observed_addresses: false,
            steps: 0,
        }
    }
    /// The returned value, if the function returned one.
    pub fn value(&self) -> Option<&Val> {
        if let Outcome::Returned(value) = &self.outcome { value.as_ref() } else { None }
    }
}

impl Run {
    /// The returned value, if the function returned one.
    pub fn value(&self) -> Option<&Val> {
        if let Outcome::Returned(value) = &self.outcome { value.as_ref() } else { None }
    }
}
