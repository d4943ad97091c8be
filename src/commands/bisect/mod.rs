//! `backedge bisect`: finds the pass of a pipeline that broke a file, and its application.
//!
//! This file contains the command and the wait for the search. The search runs over this project's passes (`ours`) or
//! an external command (`theirs`); `checker` judges the steps, and `guilty` prints the result.

mod checker;
mod guilty;
mod ours;
mod theirs;

pub(crate) use checker::{Checker, Open};
pub(crate) use guilty::{Guilty, is_pipeline};
pub(crate) use ours::Ours;
pub(crate) use theirs::{Blame, Theirs};

use super::judging::Judging;
use super::module::load;
use super::optimize::machine;
use super::probe::Refusal;
use super::system::{External, System, passes_as_command_if_unsafe};
use crate::STACK;
use crate::exit::Exit;
use crate::input::Source;
use crate::interrupt::Interrupt;
use crate::optimizer::{self, Limits};
use crate::output;
use crate::report::events::{Event, write_only};
use crate::report::json::is_on_stdout;
use crate::shown::visible;
use backedge_ir::module::Module;
use backedge_transform::cost::Machine;
use miette::IntoDiagnostic;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Maximum delay before an interrupt is noticed: short for a person, long for a processor.
const POLL: Duration = Duration::from_millis(50);

/// Arguments of `bisect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
This project's passes are counted as by `backedge opt --stop-after=N`, LLVM's as by `opt -opt-bisect-limit=N`. With
--by-passes, or if a command does not know that flag, the text of its -passes is cut after the Nth pass. A file that is wrong
before any pass runs is reported as such.

Exit codes: 0 no failure; 1 a failure; 3 no failure, but a changed function is not decided, or the command's results differ
from run to run; 4 the command refuses even an empty function.

Examples:
  backedge bisect bug.ll --passes 'default<O2>'
  backedge bisect bug.ll --opt \"opt -passes='default<O2>' -S\" --before before.ll --after after.ll")]
pub(crate) struct Args {
    /// The module: a .ll, .bc, .c or .cpp file, or - for standard input
    input: PathBuf,
    /// This project's passes, in the syntax of opt
    #[arg(long, value_name = "TEXT", conflicts_with = "opt", required_unless_present = "opt")]
    passes: Option<String>,
    #[command(flatten)]
    external: External,
    /// Seconds that the passes may take, in a process of their own; if they take longer, the pass text is cut as for
    /// a command
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "passes", value_parser = clap::value_parser!(u64).range(1..))]
    passes_timeout: u64,
    /// Cut the command's -passes text, even if the command supports -opt-bisect-limit
    #[arg(long, requires = "opt")]
    by_passes: bool,
    /// The target machine of the cost model: ooo, ooo-loop-predictor or in-order
    #[arg(long, value_name = "NAME", default_value = "ooo", value_parser = machine)]
    machine: Machine,
    /// Query the solver at every step, not only about the whole pipeline
    #[arg(long)]
    solver: bool,
    /// Also search for passes that introduce a refutation by an undef input; by default such refutations are only
    /// reported
    #[arg(long, conflicts_with = "assume_no_undef")]
    strict_undef: bool,
    /// Write the module before the guilty pass to this file
    #[arg(long, value_name = "FILE")]
    before: Option<PathBuf>,
    /// Write the module after the guilty pass to this file, if there is one
    #[arg(long, value_name = "FILE")]
    after: Option<PathBuf>,
    /// Show the complete recorded traces, not only their last rows
    #[arg(long)]
    trace: bool,
    /// Write the result as a JSON line to this file (- for standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    judging: Judging,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> miette::Result<Exit> {
    for path in args.before.iter().chain(&args.after).chain(&args.json) {
        output::refuse_to_overwrite(path, std::slice::from_ref(&args.input))?;
        output::check(path)?;
    }
    output::refuse_twice(args.before.iter().chain(&args.after).chain(&args.json).collect())?;
    let Some(system) = args.external.system(args.passes.as_deref().unwrap_or_default(), args.machine)? else {
        return Ok(Exit::NoOptimizer);
    };
    let Ok((source, parsed)) = load(&args.input) else { return Ok(Exit::BadInput) };
    let interrupt = Interrupt::install();
    let judge = Checker {
        judge: args.judging.judge(1)?,
        solver: args.solver,
        assume_attributes: args.judging.assume_attributes,
        known: None,
        strict_undef: args.strict_undef,
    };
    let module = Arc::new(parsed.module);
    let apart = match &args.passes {
        Some(passes) => {
            let limits = Limits { time: Duration::from_secs(args.passes_timeout), ..args.external.limits() };
            passes_as_command_if_unsafe(passes, args.machine, limits, (&source, &interrupt))?
        }
        None => None,
    };
    let search = Search {
        by_passes: args.by_passes || apart.is_some(),
        system: apart.map_or(system, System::External),
        machine: args.machine,
        source,
        module,
        judge,
        interrupt,
    };
    let name = search.source.name.clone();
    let (json, quiet) = (args.json.as_deref(), is_on_stdout(args.json.as_deref()));
    let found = search.aside()?;
    optimizer::end_all();
    match found {
        Ok(Answer::Guilty(guilty)) => {
            if !quiet {
                guilty.show(args.trace)?;
            }
            write_only(json, &name, guilty.event())?;
            guilty.write(args.before.as_deref(), args.after.as_deref())?;
            Ok(Exit::Refuted)
        }
        Ok(Answer::Nothing { open }) => {
            let (words, exit) = Open::words(&open);
            let lines: String = words.iter().map(|line| visible(line) + "\n").collect();
            if !quiet {
                let first = format!("no failure is found in {name} after the passes\n");
                output::to_stdout(&(first + &lines))?;
            }
            write_only(json, &name, Event::NothingWrong { open: words })?;
            Ok(exit)
        }
        Err(Stop::Interrupted) => Ok(Exit::Interrupted),
        Err(Stop::Unsteady(what)) => {
            let what = format!("{what}: no pass can be blamed");
            output::to_stderr(&format!("error: the command does not do the same each time: {what}"));
            Ok(Exit::Inconclusive)
        }
        Err(Stop::Useless(refusal)) => {
            output::to_stderr(&format!("error: {refusal}"));
            Ok(Exit::Refused)
        }
        Err(Stop::System(what)) => {
            output::to_stderr(&format!("error: {}", visible(&what)));
            Ok(Exit::NoOptimizer)
        }
    }
}

/// A bisection request with everything it needs.
struct Search {
    system: System,
    by_passes: bool,
    machine: Machine,
    source: Source,
    module: Arc<Module>,
    judge: Checker,
    interrupt: Interrupt,
}

impl Search {
    /// Computes the answer on another thread, so that an interrupt ends the wait at once.
    fn aside(self) -> miette::Result<Result<Answer, Stop>> {
        let interrupt = self.interrupt.clone();
        let (sender, receiver) = mpsc::channel();
        let thread = thread::Builder::new().name("bisect".into()).stack_size(STACK);
        let thread = thread.spawn(move || sender.send(self.answer())).into_diagnostic()?;
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(found) => return Ok(found),
                Err(RecvTimeoutError::Timeout) if interrupt.asked() => return Ok(Err(Stop::Interrupted)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => match thread.join() {
                    Err(panic) => resume_unwind(panic),
                    Ok(_) => miette::bail!("the search ended without an answer"),
                },
            }
        }
    }

    fn answer(self) -> Result<Answer, Stop> {
        let (judge, interrupt, module) = (&self.judge, &self.interrupt, self.module);
        match &self.system {
            // If the passes did not terminate in their own process, they must not be started in this one.
            System::Passes(_) if interrupt.asked() => Err(Stop::Interrupted),
            System::Passes(pipeline) => {
                Ours { module, pipeline, machine: self.machine, judge, interrupt }.bisect()
            }
            System::External(optimizer) => {
                let stop = || interrupt.asked();
                Theirs::new(&self.source, module, optimizer, (judge, &stop), self.by_passes)
                    .and_then(|mut theirs| theirs.bisect())
            }
        }
    }
}

/// The result of a bisection.
pub(crate) enum Answer {
    /// The guilty pass.
    Guilty(Box<Guilty>),
    /// No guilty pass was found.
    Nothing {
        /// The changed functions that are not known to be correct, with reasons.
        open: Vec<Open>,
    },
}

impl Answer {
    /// The guilty pass, if one was found.
    pub(crate) fn guilty(self) -> Option<Guilty> {
        match self {
            Self::Guilty(guilty) => Some(*guilty),
            Self::Nothing { .. } => None,
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Stop {
    Interrupted,
    System(String),
    /// The command refuses every input.
    Useless(Refusal),
    /// The command is nondeterministic, as this observation shows, so no pass can be blamed.
    Unsteady(&'static str),
}
