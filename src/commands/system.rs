//! What is put to the test, common to `gate`, `reduce` and `bisect`: passes of ours, or a command.

use super::external::{self, Stopped};
use super::optimize::{self, FileItems, parse_passes};
use crate::input::Source;
use crate::interrupt::Interrupt;
use crate::optimizer::{Failure, Limits, Optimizer, Unusable};
use crate::output;
use backedge_pipeline::Pipeline;
use backedge_pipeline::pass::ModuleStep;
use backedge_transform::cost::Machine;
use std::path::Path;
use std::time::Duration;

/// What a command may take where nothing else is said: seconds, megabytes of memory, and of output.
const TIME: u64 = 60;
const MEMORY: u64 = 4096;
const OUTPUT: u64 = 256;

/// The flags by which [`External`] comes to these limits, as far as they are not its own.
pub(super) fn limit_flags(limits: Limits) -> String {
    let Limits { time, megabytes, output_megabytes } = limits;
    let all = [
        ("--opt-timeout", time.as_secs(), TIME),
        ("--opt-memory", megabytes, MEMORY),
        ("--opt-output", output_megabytes, OUTPUT),
    ];
    all.iter().filter(|(_, now, usual)| now != usual).map(|(flag, now, _)| format!(" {flag} {now}")).collect()
}

/// An optimizer that is not ours.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct External {
    /// A command that optimizes a file, in place of our passes: split as a shell does; {} stands for the file, which comes
    /// last where there is none; what it writes to standard output, or to the file after -o, is compared with the file
    #[arg(long, value_name = "COMMAND")]
    pub(crate) opt: Option<String>,
    /// Seconds that the command may take for a file
    #[arg(long, value_name = "SECONDS", default_value_t = TIME, requires = "opt", value_parser = clap::value_parser!(u64).range(1..))]
    opt_timeout: u64,
    /// Megabytes of memory that the command may take, with all processes that it starts
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

    /// What is put to the test: the command if there is one, else our `passes`. `None` if the command can't be run, which has
    /// been said then.
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
            Err(unusable) => miette::bail!("{unusable}"),
        }
    }
}

/// The passes that are asked for.
fn pipeline(passes: &str, machine: Machine) -> miette::Result<Pipeline> {
    let pipeline = parse_passes(passes, machine)?;
    if !pipeline.steps.iter().any(|s| matches!(s, ModuleStep::Functions(steps) if !steps.is_empty())) {
        miette::bail!("no pass of -passes={passes:?} works on functions: nothing would be checked");
    }
    Ok(pipeline)
}

/// The flag that says for which machine passes weigh costs, if it is not the one that they do without.
pub(crate) fn machine_flag(machine: Machine) -> String {
    if machine == Machine::default() { String::new() } else { format!(" --machine {}", machine.name) }
}

/// Our passes as a command: what takes too long in it can be ended.
pub(crate) fn passes_as_command(passes: &str, machine: Machine, limits: Limits) -> Result<Optimizer, String> {
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    let exe = exe.to_str().ok_or("this program's path is no text")?.to_owned();
    let mut words: Vec<String> = [&exe, "opt", "-S", "--machine", machine.name].map(str::to_owned).into();
    words.push(format!("-passes={passes}"));
    let text = format!("backedge opt -S --machine {} -passes='{passes}'", machine.name);
    Optimizer::of_words(&text, words, limits).map_err(|e| e.to_string())
}

/// Our passes as a command, if within `limits` they come to no end on `source` or take their process with them: here they would
/// take this one.
pub(crate) fn passes_if_lost(
    passes: &str,
    machine: Machine,
    limits: Limits,
    (source, interrupt): (&Source, &Interrupt),
) -> miette::Result<Option<Optimizer>> {
    let command = passes_as_command(passes, machine, limits).map_err(|why| miette::miette!("{why}"))?;
    let is_lost = match command.run_on(&source.text, &source.name, &|| interrupt.asked()) {
        Err(Failure::Limit(..)) => true,
        // A panic is caught, and more is known of it, where the passes run in this process.
        Err(Failure::Crashed(words)) => words.starts_with("signal"),
        Ok(_) | Err(Failure::Refused(_) | Failure::Interrupted | Failure::System(_)) => false,
    };
    Ok(is_lost.then_some(command))
}

/// What is put to the test.
#[derive(Clone)]
pub(crate) enum System {
    /// Passes of ours.
    Passes(Pipeline),
    /// A command.
    External(Optimizer),
}

impl System {
    /// The command and the hash of its program, if it is one.
    pub(crate) fn command(&self) -> Option<(String, String)> {
        match self {
            Self::Passes(_) => None,
            Self::External(optimizer) => Some((optimizer.text.clone(), optimizer.hash.clone())),
        }
    }

    /// What there is to be judged of the file `path`.
    pub(crate) fn items_of(&self, path: &Path, stop: &dyn Fn() -> bool) -> Result<FileItems, Stopped> {
        match self {
            Self::Passes(pipeline) => Ok(optimize::items_of(path, pipeline)),
            Self::External(optimizer) => external::items_of(path, optimizer, stop),
        }
    }

    /// What there is to be judged of `source`.
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
