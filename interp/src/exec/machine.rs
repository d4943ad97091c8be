//! The machine: runs a function of a program on an input, again and again with the same allocations.

use super::ctx::Ctx;
use super::diverge::Detector;
use super::frames::Frames;
use super::run::{Fuel, Runner};
use crate::Config;
use crate::chooser::Chooser;
use crate::compile::Program;
use crate::input::{Input, InputError};
use crate::memory::{Contents, Memory, Origin};
use crate::observe::{Answered, Event, Events, Seen, SeenMemory};
use crate::outcome::{Outcome, Place, Stop};
use crate::trace::Observer;
use crate::value::Val;
use backedge_ir::entity::FuncId;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a run did.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// The returned value as seen from outside.
    pub returned: Option<Seen>,
    /// Observable events in order.
    pub events: Vec<Event>,
    /// External calls in order with their answers.
    pub answers: Vec<Answered>,
    /// Memory that the caller can see, at the end; empty if the run was cut short or has undefined behaviour.
    pub memory: Vec<SeenMemory>,
    /// How often the chooser was asked, about the environment or the program's own choices.
    pub choices: u64,
    /// How often of these it was about the environment.
    pub environment_choices: u64,
    /// Whether undefined bits were fixed at a use although each use of the result might have seen other ones: the run
    /// is one of those that are allowed, but runs with other choices are not all of them.
    pub narrowed: bool,
    /// Whether the run depends on where local objects lie.
    pub observed_addresses: bool,
    /// Instructions that were run, phis included.
    pub steps: u64,
}

/// Runs functions of one program.
#[derive(Debug)]
pub struct Machine<'p> {
    program: &'p Program<'p>,
    config: Config,
    memory: Memory,
    mark: (usize, usize, u64, u64),
    initial: Vec<Arc<Contents>>,
    escaped: Vec<bool>,
    frames: Frames<'p>,
    detector: Detector,
    steps: u64,
    stop: Option<Arc<AtomicBool>>,
}

impl<'p> Machine<'p> {
    /// A machine for `program`.
    pub fn new(program: &'p Program<'p>, config: Config) -> Self {
        let mut memory = program.memory.clone();
        let mark = memory.mark();
        let initial = (0..mark.0).map(|i| memory.allocation_mut(i).snapshot()).collect();
        let escaped = memory.allocations().iter().map(|a| a.escaped).collect();
        let (frames, detector) = (Frames::default(), Detector::default());
        Self { program, config, memory, mark, initial, escaped, frames, detector, steps: 0, stop: None }
    }
    /// Instructions of all its runs together.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Runs end with [`crate::outcome::Limit::Stopped`] soon after `flag` is set.
    pub fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        self.stop = Some(flag);
    }
    /// Memory as the last run left it.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }
    /// The program.
    pub fn program(&self) -> &'p Program<'p> {
        self.program
    }
    fn reset(&mut self) {
        self.memory.reset(self.mark);
        for (i, initial) in self.initial.iter().enumerate() {
            let alloc = self.memory.allocation_mut(i);
            (alloc.escaped, alloc.exposed) = (self.escaped[i], false);
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
        self.run_with(func, input, &Arc::default(), chooser, observer)
    }
    /// Runs `func` on `input`; external calls that `script` has are answered as there.
    pub fn run_with<O: Observer>(
        &mut self,
        func: FuncId,
        input: &Input,
        script: &Arc<Vec<Answered>>,
        chooser: &mut dyn Chooser,
        observer: &mut O,
    ) -> Result<Run, InputError> {
        self.reset();
        let place = Place { func, inst: None };
        let prepared = self.program.signature(func).and_then(|s| self.program.code(func).map(|c| (s, c)));
        let (signature, code) = match prepared {
            Ok(prepared) => prepared,
            Err(feature) => return Ok(Run::refused(Stop::unsupported(feature).at(place))),
        };
        if let Some(feature) = &self.program.broken_global {
            return Ok(Run::refused(Stop::unsupported(feature.clone()).at(place)));
        }
        let mut events = Events::with_script(script.clone());
        let args = match input.bind(&mut self.memory, &mut events, signature) {
            Ok(args) => args,
            Err(crate::input::BindError::Input(error)) => return Err(error),
            Err(crate::input::BindError::Stop(stop)) => return Ok(Run::refused(stop.at(place))),
        };
        let mut ctx = Ctx {
            program: self.program,
            config: &self.config,
            memory: &mut self.memory,
            chooser,
            events: &mut events,
            func,
            code,
            pc: usize::MAX,
            choices: 0,
            environment_choices: 0,
            narrowed: false,
        };
        let mut runner = Runner {
            frames: std::mem::take(&mut self.frames),
            fuel: Fuel::new(self.config.fuel, self.stop.as_deref()),
            detector: std::mem::take(&mut self.detector),
            observer,
        };
        runner.detector.reset(self.config.detect_divergence);
        let outcome = match runner.frames.enter(&mut ctx, func, args, None) {
            Ok(()) => runner.run(&mut ctx),
            Err(stop) => stop.at(place),
        };
        let run = report(&mut ctx, outcome, self.config.fuel - runner.fuel.rest());
        self.steps += run.steps;
        (self.frames, self.detector) = (runner.frames, runner.detector);
        Ok(Run { events: events.list, answers: events.answers, ..run })
    }
}

impl Run {
    fn refused(outcome: Outcome) -> Self {
        Self {
            outcome,
            returned: None,
            events: Vec::new(),
            answers: Vec::new(),
            memory: Vec::new(),
            choices: 0,
            environment_choices: 0,
            narrowed: false,
            observed_addresses: false,
            steps: 0,
        }
    }
    /// The returned value, if the function returned one.
    pub fn value(&self) -> Option<&Val> {
        if let Outcome::Returned(value) = &self.outcome { value.as_ref() } else { None }
    }
}

fn report(ctx: &mut Ctx<'_, '_>, outcome: Outcome, steps: u64) -> Run {
    let returned = if let Outcome::Returned(Some(value)) = &outcome {
        Some(ctx.events.see(ctx.memory, value))
    } else {
        None
    };
    let memory = match outcome {
        Outcome::Returned(_) | Outcome::DidNotReturn { .. } => visible_memory(ctx),
        Outcome::Ub { .. }
        | Outcome::OutOfFuel
        | Outcome::Diverges { .. }
        | Outcome::Unsupported { .. }
        | Outcome::LimitExceeded(_) => Vec::new(),
    };
    Run {
        outcome,
        returned,
        memory,
        choices: ctx.choices,
        environment_choices: ctx.environment_choices,
        narrowed: ctx.narrowed,
        observed_addresses: ctx.memory.observed_addresses,
        steps,
        ..Run::refused(Outcome::OutOfFuel)
    }
}

/// Writable memory that outlives the run: globals, buffers, memory from outside that is known there.
fn visible_memory(ctx: &mut Ctx<'_, '_>) -> Vec<SeenMemory> {
    let mut seen = Vec::new();
    for index in 0..ctx.memory.allocations().len() {
        let alloc = ctx.memory.allocation(index);
        let outlives = match alloc.origin {
            Origin::Global(_) | Origin::Buffer(_) => true,
            Origin::External(_) => alloc.escaped,
            Origin::Function(_) | Origin::Local(_) => false,
        };
        if outlives && alloc.writable && alloc.size > 0 {
            seen.push(ctx.events.see_object(ctx.memory, index));
        }
    }
    seen
}
