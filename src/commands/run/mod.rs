//! `backedge run`: runs a function in the interpreter, alone or side by side with another one.

mod arguments;
mod words;

use super::limits::MOST;
use super::module::{load, select};
use crate::exit::Exit;
use crate::input::Source;
use crate::interrupt::Interrupt;
use crate::output;
use crate::report::terminal;
use crate::shown::shown;
use arguments::Arguments;
use backedge_interp::chooser::{Choice, ChoiceKind, Chooser, RandomChooser, ZeroChooser};
use backedge_interp::input::InputError;
use backedge_interp::observe::Answered;
use backedge_interp::outcome::{Limit, Outcome, Place};
use backedge_interp::refine::divergence;
use backedge_interp::stub::{self, StubError, ValueStub};
use backedge_interp::text::{divergence_text, event_text, outcome_text};
use backedge_interp::trace::{Detail, NoObserver, Recorder, Trace, side_by_side};
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program, Run};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::{Parsed, read_module};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Arguments come after the file, one a word, or as a list separated by commas after --args: integers, floats, true, false,
poison, undef, null; i32[1,2,3] for a pointer to a fresh block with three elements, \"text\" for one to these bytes and
a NUL byte; ptr[\"text\",null,i32[1,2],@name] for one to an array of pointers; zeros:16, uninit:16 and bytes:00ff??pp for
one to a fresh buffer (?? uninitialised, pp poison); arg0+8 for 8 bytes after the pointer in argument 0; @name for a
global; {1, 2} for aggregates; bits:0b1?0 for a value some of
whose bits are undefined.

@main is called as by lli: @main(argc, argv, envp) with the file's name, the words after the file, and an empty
environment. It is chosen if --function names no other.

After the arguments, memory can be described that they point to:
  block0=bytes:0011       a block, to which block0 and block0+1 are pointers
  block0=align:2 at:0x1002 readonly dead zeros:4
                          one at an address that is a multiple of 2 and not of 4, at that address, that can't be
                          written, that is gone already; each may be left out
  @name=bytes:0011        the contents of a global
There, <block1+4> denotes the bytes of a pointer, and [0?1p0011] the bits of a byte.

A trace ends with the reason: the rule that undefined behaviour broke, or where poison first arose and how it was passed
on. With --with the same input is run on both functions, and the traces are shown side by side up to divergence.

The exit code is 0 if the run ended, whether by a return or by undefined behaviour, and 3 if it was stopped. The value
that @main returns is printed as the program's exit status; it is not the exit code.

Examples:
  backedge run corpus/forms/top-tested.ll --function f 5
  backedge run corpus/forms/top-tested.ll --function f --args 5 --trace
  backedge run corpus/pairs/wrong/off-by-one.ll --function src --with-function tgt --args 2")]
pub(crate) struct Args {
    /// The module: a .ll, .bc, .c or .cpp file, or - for standard input
    input: PathBuf,
    /// The arguments, one a word: values for the function, or the words that @main gets in argv after the file's name
    #[arg(value_name = "ARG", allow_negative_numbers = true, conflicts_with = "args")]
    values: Vec<String>,
    /// The function; optional if there is only one, or for @main
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// The arguments as a list; @main is then called like any other function
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    args: Option<String>,
    /// Print every step with its value, as text or as JSON lines
    #[arg(long, value_enum, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    trace: Option<Format>,
    /// Write the trace as JSON lines to this file (- for standard output)
    #[arg(long, value_name = "FILE", conflicts_with = "with")]
    trace_json: Option<PathBuf>,
    /// Also print the values of operands
    #[arg(long)]
    trace_operands: bool,
    /// Number of trace steps that are kept: a quarter from the start, the rest from the end
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    trace_steps: usize,
    /// Also run a function of this module on the same input, and show both traces side by side
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,
    /// The other function; by default the one of the same name
    #[arg(long, value_name = "NAME")]
    with_function: Option<String>,
    /// Let calls of a declared function return a constant in LLVM syntax (getchar=65, f=void)
    #[arg(long, value_name = "NAME=VALUE")]
    stub: Vec<ValueStub>,
    /// Use the definitions of this module for declarations of the same name and type
    #[arg(long, value_name = "FILE")]
    stubs: Option<PathBuf>,
    /// Maximum number of steps
    #[arg(long, value_name = "STEPS", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(..=MOST))]
    fuel: u64,
    /// Stop after this many seconds, and show the run up to then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Seed for random nondeterministic choices and for the contents of other modules' global variables; without it
    /// everything is zero
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Uninitialized memory is poison rather than undef
    #[arg(long)]
    uninit_poison: bool,
}

/// The format of a trace.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// JSON lines
    Json,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number of seconds, such as 5 or 0.5".to_owned();
    let seconds = text.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| expected())
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    args.trace_json.as_deref().map_or(Ok(()), output::check)?;
    let Ok(loaded) = load(&args.input) else { return Ok(Exit::BadInput) };
    let parsed = stubbed(args, loaded)?;
    let func = match (&args.function, arguments::main_of(&parsed.module)) {
        (None, Some(main)) => main,
        (name, _) => pick(&parsed.module, name.as_deref())?,
    };
    let session = Session::new(args, args.arguments(&parsed.module, func)?)?;
    if args.with.is_none() && args.with_function.is_none() {
        return session.alone(&parsed.module, func);
    }
    let other = match args.with.as_deref().map(load) {
        Some(Ok(loaded)) => Some(stubbed(args, loaded)?.module),
        Some(Err(_)) => return Ok(Exit::BadInput),
        None => None,
    };
    if args.trace == Some(Format::Json) {
        miette::bail!("two traces side by side are text, not JSON");
    }
    let module = other.as_ref().unwrap_or(&parsed.module);
    let name = args.with_function.as_deref().unwrap_or(&parsed.module.env.funcs[func].name);
    let second = pick(module, Some(name))?;
    session.beside((&parsed.module, func), (module, second))
}

impl Args {
    /// The arguments of the run. @main gets program arguments, unless --args gives its own.
    fn arguments(&self, module: &Module, func: FuncId) -> miette::Result<Arguments> {
        if let Some(list) = &self.args {
            return Arguments::of_words(module, func, words::split(list), "--args: ");
        }
        let program = shown(&self.input);
        match Arguments::of_program(module, func, &program, &self.values) {
            Some(arguments) => Ok(arguments),
            None => Arguments::of_words(module, func, self.values.clone(), ""),
        }
    }
}

/// The module with the requested stubs instead of its declarations.
fn stubbed(args: &Args, (source, parsed): (Source, Parsed)) -> miette::Result<Parsed> {
    if args.stub.is_empty() && args.stubs.is_none() {
        return Ok(parsed);
    }
    let fail = |e: StubError| miette::miette!("{}: {e}", source.name);
    let mut text = source.text.clone();
    if let Some(path) = &args.stubs {
        let stubs = Source::read(path).map_err(|p| miette::miette!("{}", *p))?;
        text = stub::with_module(&text, &stubs.text).map_err(fail)?;
    }
    text = stub::with_values(&text, &args.stub).map_err(fail)?;
    read_module(&text).map_err(|_| miette::miette!("{}: the stubs do not fit", source.name))
}

/// The named function, or the only one.
fn pick(module: &Module, name: Option<&str>) -> miette::Result<FuncId> {
    match select(module, name)?.as_slice() {
        [func] => Ok(*func),
        [] => miette::bail!("no function is defined here: there is nothing to run"),
        several => {
            let names = several.iter().take(20).map(|func| format!("@{}", module.env.funcs[*func].name));
            let names = names.collect::<Vec<_>>().join(", ");
            let help = format!("name one with --function: {names}");
            miette::bail!(help = help, "there are {} functions", several.len())
        }
    }
}

struct Session<'a> {
    args: &'a Args,
    arguments: Arguments,
    config: Config,
    interrupt: Interrupt,
    timed_out: Arc<AtomicBool>,
}

impl<'a> Session<'a> {
    fn new(args: &'a Args, arguments: Arguments) -> miette::Result<Self> {
        let config = Config { fuel: args.fuel, uninit_poison: args.uninit_poison, ..Config::default() };
        let interrupt = Interrupt::install();
        let timed_out = Arc::new(AtomicBool::new(false));
        if let Some(time) = args.timeout {
            let (stop, timed_out) = (interrupt.shared(), timed_out.clone());
            let wait = move || {
                std::thread::sleep(time);
                timed_out.store(true, Ordering::SeqCst);
                stop.store(true, Ordering::SeqCst);
            };
            // The thread ends with the process.
            std::thread::Builder::new()
                .spawn(wait)
                .map_err(|e| miette::miette!("no thread can be started for --timeout: {e}"))?;
        }
        Ok(Self { args, arguments, config, interrupt, timed_out })
    }
    fn chooser(&self) -> Box<dyn Chooser> {
        match self.args.seed {
            Some(seed) => Box::new(RandomChooser::new(seed)),
            None => Box::new(ZeroChooser),
        }
    }
    fn refused(&self, module: &Module, func: FuncId, error: &InputError) -> miette::Report {
        self.arguments.refused(module, func, error)
    }
    /// Derives the contents of other modules' global variables from the seed. Describes them, so that the run can be
    /// repeated without the seed.
    fn fill_external(&mut self, modules: &[&Module], func: FuncId) -> String {
        let Some(seed) = self.args.seed else { return String::new() };
        let mut chooser = RandomChooser::new(!seed);
        let (blocks, globals) = (self.arguments.input.blocks.len(), self.arguments.input.globals.len());
        self.arguments.input.fill_external(modules, &|_| true, &mut |domain| {
            let place = Place { func, inst: None };
            let choice = Choice { kind: ChoiceKind::GlobalContents, place, domain, bits: domain.last() };
            domain.clamp(chooser.choose(&choice))
        });
        let blocks = self.arguments.input.blocks.iter().enumerate().skip(blocks);
        let blocks = blocks.map(|(i, block)| format!("input: block{i}={block}\n"));
        let globals = self.arguments.input.globals[globals..]
            .iter()
            .map(|(name, block)| format!("input: @{name}={block}\n"));
        globals.chain(blocks).collect()
    }
    /// Runs one function and shows the requested output.
    fn alone(mut self, module: &Module, func: FuncId) -> miette::Result<Exit> {
        let given = self.fill_external(&[module], func);
        let program = Program::new(module, &self.config);
        let mut machine = Machine::new(&program, self.config.clone());
        machine.stop_when(self.interrupt.shared());
        if self.args.trace.is_none() && self.args.trace_json.is_none() {
            let run = machine.run(func, &self.arguments.input, &mut *self.chooser(), &mut NoObserver);
            let run = run.map_err(|e| self.refused(module, func, &e))?;
            let mut text = given;
            for event in &run.events {
                text.push_str(&format!("event: {}\n", event_text(&event.kind)));
            }
            text.push_str(&format!("{} ({} steps)\n", outcome_text(module, func, &run.outcome), run.steps));
            text.push_str(&self.status(&run.outcome));
            output::to_stdout(&text)?;
            return Ok(self.exit(&run.outcome));
        }
        let (trace, _) = self.watch(&program, &mut machine, func, &Arc::default())?;
        let json_to_stdout = self.args.trace_json.as_deref() == Some(Path::new("-"));
        if self.args.trace == Some(Format::Json) {
            output::to_stdout(&trace.to_json_lines())?;
        } else if !json_to_stdout {
            let text = if self.args.trace.is_some() {
                trace.to_text(self.detail())
            } else {
                format!("{} ({} steps)\n", trace.ending, trace.steps)
            };
            output::to_stdout(&(given + &text + &self.status(&trace.outcome)))?;
        }
        if let Some(path) = &self.args.trace_json {
            output::write(path, &trace.to_json_lines())?;
        }
        Ok(self.exit(&trace.outcome))
    }
    /// The line about the exit status of a program, as its caller sees it: the low 8 bits of the value of @main.
    fn status(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Returned(Some(Val::Bits(value))) if self.arguments.is_program => {
                format!("exit status of the program: {}\n", value & 0xff)
            }
            _ => String::new(),
        }
    }
    fn detail(&self) -> Detail {
        if self.args.trace_operands { Detail::Operands } else { Detail::Long }
    }
    fn watch<'p>(
        &self,
        program: &'p Program<'p>,
        machine: &mut Machine<'p>,
        func: FuncId,
        script: &Arc<Vec<Answered>>,
    ) -> miette::Result<(Trace<'p>, Run)> {
        let mut recorder = Recorder::new(program, self.args.trace_steps);
        let run = machine.run_with(func, &self.arguments.input, script, &mut *self.chooser(), &mut recorder);
        let run = run.map_err(|e| self.refused(program.module(), func, &e))?;
        Ok((recorder.finish(machine, func, &self.arguments.input, &run), run))
    }
    /// Runs two functions on the same input; calls in the second get the same answers as in the first.
    fn beside(mut self, source: (&Module, FuncId), target: (&Module, FuncId)) -> miette::Result<Exit> {
        let given = self.fill_external(&[source.0, target.0], source.1);
        let programs = [source, target].map(|(module, _)| Program::new(module, &self.config));
        let mut machines = Machine::pair(&programs, &self.config);
        machines.iter_mut().for_each(|m| m.stop_when(self.interrupt.shared()));
        let [first, second] = &mut machines;
        let (left, s) = self.watch(&programs[0], first, source.1, &Arc::default())?;
        let (right, t) = self.watch(&programs[1], second, target.1, &Arc::new(s.answers.clone()))?;
        let parts = divergence(&s, &t);
        let name = |(module, func): (&Module, FuncId)| format!("@{}", module.env.funcs[func].name);
        let titles = [name(source), name(target)];
        let rows = side_by_side(&left, &right, parts.as_ref().map(|(_, point)| point));
        let width = usize::from(terminal::width());
        let mut text = given;
        if let Some(ub) = &left.explanation.ub {
            let at = if ub.inst.is_empty() { String::new() } else { format!("`{}` in ", ub.inst) };
            text.push_str(&format!(
                "{} is not defined on this input: undefined behaviour [{}] at {at}{}\n",
                titles[0],
                ub.kind.name(),
                ub.place
            ));
        }
        text.push_str(&rows.render(titles.each_ref().map(String::as_str), width));
        if let Some(first) = rows.first_difference() {
            text.push_str(&format!("first value that differs: {first}\n"));
        }
        for (title, trace) in titles.iter().zip([&left, &right]) {
            text.push_str(&format!("{title}: {} ({} steps)\n", trace.ending, trace.steps));
            for line in trace.explanation.lines() {
                text.push_str(&format!("  {line}\n"));
            }
        }
        text.push_str(&match parts {
            Some((mismatch, point)) => {
                let place = divergence_text(&point, (source.0, source.1, &s), (target.0, target.1, &t));
                format!("divergence: {place} ({mismatch})\n")
            }
            None if s.outcome.shows_nothing() || t.outcome.shows_nothing() => {
                "they do not part as far as they were run\n".to_owned()
            }
            None => "what the second one did is allowed by the first one on this input\n".to_owned(),
        });
        output::to_stdout(&text)?;
        let stopped = [&s, &t].map(|run| self.exit(&run.outcome)).into_iter().find(|e| *e != Exit::Accepted);
        Ok(stopped.unwrap_or(Exit::Accepted))
    }
    fn exit(&self, outcome: &Outcome) -> Exit {
        match outcome {
            Outcome::LimitExceeded(Limit::Stopped) if !self.timed_out.load(Ordering::SeqCst) => {
                Exit::Interrupted
            }
            Outcome::OutOfFuel | Outcome::Unsupported { .. } | Outcome::LimitExceeded(_) => {
                Exit::Inconclusive
            }
            Outcome::Returned(_)
            | Outcome::Ub { .. }
            | Outcome::DidNotReturn { .. }
            | Outcome::Diverges { .. } => Exit::Accepted,
        }
    }
}
