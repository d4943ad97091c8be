//! The system under test, shared by `gate`, `reduce` and `bisect`: this project's passes, or a command.

use super::external::{self, Stopped};
use super::optimize::{self, FileItems, parse_passes};
use crate::input::Source;
use crate::interrupt::Interrupt;
use crate::optimizer::{Failure, Limits, Optimizer, Unusable, WITHOUT_SHELL};
use crate::output;
use backedge_pipeline::Pipeline;
use backedge_pipeline::pass::ModuleStep;
use backedge_transform::cost::Machine;
use std::path::Path;
use std::time::Duration;

/// Default time limit of a command, in seconds per file.
const TIME: u64 = 60;
/// Default memory limit of a command, in megabytes, including its child processes.
const MEMORY: u64 = 4096;
/// Default output limit of a command, in megabytes.
const OUTPUT: u64 = 256;

/// The flags that make [`External`] use these limits, without those that are defaults.
pub(super) fn limit_flags(limits: Limits) -> String {
    let Limits { time, megabytes, output_megabytes } = limits;
    let all = [
        ("--opt-timeout", time.as_secs(), TIME),
        ("--opt-memory", megabytes, MEMORY),
        ("--opt-output", output_megabytes, OUTPUT),
    ];
    all.iter().filter(|(_, now, usual)| now != usual).map(|(flag, now, _)| format!(" {flag} {now}")).collect()
}

/// An external optimizer.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct External {
    /// A command that optimizes a file, instead of this project's passes: split into words as in a shell; {} is
    /// replaced with the file, which otherwise is the last argument; the result on standard output, or in the file
    /// after -o, is compared with the input
    #[arg(long, value_name = "COMMAND")]
    pub(crate) opt: Option<String>,
    /// Seconds that the command may take per file
    #[arg(long, value_name = "SECONDS", default_value_t = TIME, requires = "opt", value_parser = clap::value_parser!(u64).range(1..))]
    opt_timeout: u64,
    /// Megabytes of memory that the command may take, including its child processes
    #[arg(long, value_name = "MB", default_value_t = MEMORY, requires = "opt", value_parser = clap::value_parser!(u64).range(1..))]
    opt_memory: u64,
    /// Megabytes that the command may write
    #[arg(long, value_name = "MB", default_value_t = OUTPUT, requires = "opt", value_parser = clap::value_parser!(u64).range(1..))]
    opt_output: u64,
}

impl External {
    /// The limits of the command.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: Duration::from_secs(self.opt_timeout),
            megabytes: self.opt_memory,
            output_megabytes: self.opt_output,
        }
    }

    /// The system under test: the command if there is one, else `passes`. `None` if the command can't be run, after
    /// an error message.
    pub(crate) fn system(&self, passes: &str, machine: Machine) -> miette::Result<Option<System>> {
        let Some(text) = &self.opt else {
            return pipeline(passes, machine).map(|pipeline| Some(System::Passes(pipeline)));
        };
        match Optimizer::new(text, self.limits()) {
            Ok(optimizer) => Ok(Some(System::External(optimizer))),
            Err(Unusable::Program(program, why)) => {
                output::to_stderr(&format!("error: {program} can't be run: {why}"));
                Ok(None)
            }
            Err(unusable @ Unusable::Shell(_)) => miette::bail!(help = WITHOUT_SHELL, "{unusable}"),
            Err(unusable) => miette::bail!("{unusable}"),
        }
    }
}

/// Parses the passes, which must include a function pass.
fn pipeline(passes: &str, machine: Machine) -> miette::Result<Pipeline> {
    let pipeline = parse_passes(passes, machine)?;
    if !pipeline.steps.iter().any(|s| matches!(s, ModuleStep::Functions(steps) if !steps.is_empty())) {
        miette::bail!("no pass of -passes={passes:?} works on functions: nothing would be checked");
    }
    Ok(pipeline)
}

/// The flag for the target machine of the cost model, if it is not the default.
pub(crate) fn machine_flag(machine: Machine) -> String {
    if machine == Machine::default() { String::new() } else { format!(" --machine {}", machine.name) }
}

/// This project's passes as a command, which can be killed if it takes too long.
pub(crate) fn passes_as_command(passes: &str, machine: Machine, limits: Limits) -> Result<Optimizer, String> {
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    let exe = exe.to_str().ok_or("this program's path is no text")?.to_owned();
    let mut words: Vec<String> = [&exe, "opt", "-S", "--machine", machine.name].map(str::to_owned).into();
    words.push(format!("-passes={passes}"));
    let text = format!("backedge opt -S --machine {} -passes='{passes}'", machine.name);
    Optimizer::of_words(&text, words, limits).map_err(|e| e.to_string())
}

/// This project's passes as a command, if within `limits` they do not terminate on `source` or kill their process; in
/// this process they would end it.
pub(crate) fn passes_as_command_if_unsafe(
    passes: &str,
    machine: Machine,
    limits: Limits,
    (source, interrupt): (&Source, &Interrupt),
) -> miette::Result<Option<Optimizer>> {
    let command = passes_as_command(passes, machine, limits).map_err(|why| miette::miette!("{why}"))?;
    let is_lost = match command.run_on(&source.text, &source.name, &|| interrupt.asked()) {
        Err(Failure::Limit(..)) => true,
        // A panic is caught in this process, with more information.
        Err(Failure::Crashed(words)) => words.starts_with("signal"),
        Ok(_) | Err(Failure::Refused(_) | Failure::Interrupted | Failure::System(_)) => false,
    };
    Ok(is_lost.then_some(command))
}

/// The system under test.
#[derive(Clone)]
pub(crate) enum System {
    /// This project's passes.
    Passes(Pipeline),
    /// An external command.
    External(Optimizer),
}

impl System {
    /// The command and the hash of its executable, if the system is a command.
    pub(crate) fn command(&self) -> Option<(String, String)> {
        match self {
            Self::Passes(_) => None,
            Self::External(optimizer) => Some((optimizer.text.clone(), optimizer.hash.clone())),
        }
    }

    /// The changes to be judged in the file `path`.
    pub(crate) fn items_of(&self, path: &Path, stop: &dyn Fn() -> bool) -> Result<FileItems, Stopped> {
        match self {
            Self::Passes(pipeline) => Ok(optimize::items_of(path, pipeline)),
            Self::External(optimizer) => external::items_of(path, optimizer, stop),
        }
    }

    /// The changes to be judged in `source`.
    pub(crate) fn items_of_source(
        &self,
        source: &Source,
        stop: &dyn Fn() -> bool,
    ) -> Result<FileItems, Stopped> {
        match self {
            Self::Passes(pipeline) => Ok(optimize::items_of_source(source, pipeline)),
            Self::External(optimizer) => external::items_of_source(source, optimizer, stop),
        }
    }
}
