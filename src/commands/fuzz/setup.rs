//! The settings of a campaign: the system under test, the oracles, and the limits. The campaign process and its
//! workers read them from the same arguments.

use super::super::judging::check_z3;
use super::super::limits::UndefInputs;
use super::super::optimize::{machine, parse_passes};
use super::super::probe::{Refusal, refuses_everything, refuses_pointers};
use super::super::system::{External, System, passes_as_command};
use crate::foreign::conversion;
use crate::input::wrong_kind;
use crate::optimizer::{Limits, Optimizer};
use crate::output;
use crate::settings::settings;
use crate::shown::{shown, visible};
use backedge_fuzz::campaign::examine::{Examiner, Passes};
use backedge_fuzz::campaign::program::Programs;
use backedge_fuzz::campaign::shares::Shares;
use backedge_fuzz::mutate::corpus::Corpus;
use backedge_fuzz::oracles::{OracleId, proof, runs};
use backedge_fuzz::targets;
use backedge_ir::print::module_to_string;
use backedge_transform::cost::Machine;
use backedge_validate::check::Options;
use miette::{IntoDiagnostic, WrapErr};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments that determine the result.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Settings {
    /// This project's passes, in the syntax of opt; may be repeated: each seed selects one. Default: all pipelines in
    /// turn
    #[arg(long, value_name = "TEXT", conflicts_with = "opt")]
    passes: Vec<String>,
    #[command(flatten)]
    external: External,
    /// The target machine of the cost model: ooo, ooo-loop-predictor or in-order
    #[arg(long, value_name = "NAME", default_value = "ooo", value_parser = machine)]
    machine: Machine,
    /// Use mutants of the .ll files below this directory, or of this file, instead of generated programs
    #[arg(value_name = "CORPUS")]
    mutated: Option<PathBuf>,
    /// The same as CORPUS
    #[arg(long, value_name = "DIR", conflicts_with = "mutated")]
    corpus: Option<PathBuf>,
    #[arg(long, value_name = "NAME[=SHARE],...", help = oracles_help())]
    oracles: Option<Shares>,
    /// Also ask for proofs of that share of the changes, from 0 to 1
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "1", value_parser = super::super::gate::share)]
    prove: Option<f64>,
    /// Number of inputs that each program runs on, before and after
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    runs: u64,
    /// Maximum number of steps per run
    #[arg(long, value_name = "STEPS", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    fuel: u64,
    /// Number of programs that a command gets at a time, in one file
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=256))]
    batch: u64,
    /// Seconds that the passes and all oracles may take per program
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Megabytes of memory that a worker process may take
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(64..))]
    memory: u64,
    /// Don't reduce programs
    #[arg(long)]
    no_reduce: bool,
    /// Maximum number of candidates per reduction
    #[arg(long, value_name = "N", default_value_t = 4_000)]
    max_tries: u64,
    /// Number of similar findings that are all reduced; after it ever fewer are
    #[arg(long, value_name = "N", default_value_t = 6)]
    work_ups: u64,
    #[command(flatten)]
    undef: UndefInputs,
}

/// The help of `--oracles`.
fn oracles_help() -> String {
    format!(
        "The oracles, each with the share of programs it examines, from 0 to 1: {}. Default: runs, and for this project's \
         passes claims=0.25 and all others except proof =0.0625. For a command: runs, proof, settling (repeated runs on \
         its own output do not return to earlier code) and again (a second run changes nothing)",
        OracleId::names()
    )
}

/// The system under test.
pub(super) enum Under {
    /// This project's passes.
    Passes(Vec<Passes>),
    /// An external command.
    Command(Box<Optimizer>),
}

/// The parsed settings.
pub(super) struct Setup {
    pub(super) under: Under,
    pub(super) programs: Programs,
    pub(super) shares: Shares,
    pub(super) runs: runs::Limits,
    pub(super) proof: Options,
    pub(super) timeout: Duration,
    pub(super) memory: u64,
    pub(super) reduce: bool,
    pub(super) max_tries: u64,
    pub(super) work_ups: u64,
    machine: Machine,
    batch: u64,
    /// The value of [`Setup::source`].
    source: String,
}

/// Seeds per task, for this project's passes: the fixed cost of a task must not matter, and a hang costs one task.
const BATCH: u64 = 32;

impl Settings {
    /// Parses the settings, with findings stored in `findings`; `None` if the command can't be run, after an error
    /// message.
    pub(super) fn setup(&self, findings: &Path) -> miette::Result<Option<Setup>> {
        let under = if self.external.opt.is_some() {
            match self.external.system("", self.machine)? {
                Some(System::External(optimizer)) => Under::Command(Box::new(optimizer)),
                Some(System::Passes(_)) | None => return Ok(None),
            }
        } else {
            let texts: Vec<&str> = match &self.passes[..] {
                [] => targets::pipelines(),
                given => given.iter().map(String::as_str).collect(),
            };
            let read = |text: &str| {
                let pipeline = parse_passes(text, self.machine)?;
                Ok(Passes { text: text.to_owned(), pipeline })
            };
            Under::Passes(texts.into_iter().map(read).collect::<miette::Result<_>>()?)
        };
        let command = matches!(under, Under::Command(_));
        let mut shares = self.oracles.clone().unwrap_or_else(|| Shares::usual(command));
        if let Some(share) = self.prove {
            shares = shares.with(OracleId::Proof, share);
        }
        if command && let Some(other) = shares.iter().find(|id| !id.oracle().suits_commands()) {
            miette::bail!("--oracles {} is about passes of ours, and --opt is given", other.name());
        }
        if shares.iter().any(|id| id.oracle().needs_solver()) {
            check_z3()?;
        }
        let (programs, source) = self.programs(findings)?;
        let undef_inputs = self.undef.allowed();
        Ok(Some(Setup {
            under,
            programs,
            source,
            shares,
            runs: runs::Limits { runs: self.runs, fuel: self.fuel, undef_inputs },
            proof: Options { undef_inputs, ..proof::limits() },
            timeout: Duration::from_secs(self.timeout),
            memory: self.memory,
            reduce: !self.no_reduce,
            max_tries: self.max_tries,
            work_ups: self.work_ups,
            machine: self.machine,
            batch: self.batch,
        }))
    }
}

impl Settings {
    /// The program source and its description. The campaign's own findings are excluded from its corpus.
    fn programs(&self, findings: &Path) -> miette::Result<(Programs, String)> {
        let Some(dir) = self.corpus.as_ref().or(self.mutated.as_ref()) else {
            return Ok((Programs::generated(), "programs made at random".to_owned()));
        };
        if dir.is_file()
            && let Ok(text) = std::fs::read(dir)
            && let Some(advice) = conversion(dir, &text)
                .or_else(|| wrong_kind(dir, &text).map(|(what, help)| format!("it is {what}: {help}")))
        {
            miette::bail!(help = advice, "{} is no LLVM IR as text, which alone is mutated", shown(dir));
        }
        let read = Corpus::read(dir, Some(findings)).into_diagnostic();
        let (corpus, unread) = read.wrap_err_with(|| format!("{} can't be read", shown(dir)))?;
        if let ([], [only]) = (corpus.entries(), &unread[..]) {
            miette::bail!("{} can't be mutated: {}", shown(&only.path), visible(&only.reason));
        }
        if corpus.entries().is_empty() {
            miette::bail!(
                "no file below {} has code that is modelled ({} were read)",
                shown(dir),
                unread.len()
            );
        }
        if let Some(first) = unread.first().filter(|_| !settings().quiet) {
            let (name, dir) = (shown(&first.path), shown(dir));
            output::to_stderr(&format!(
                "{} of the files below {dir} are left out, {name} first: {}",
                unread.len(),
                first.reason
            ));
        }
        let mut hasher = blake3::Hasher::new();
        for entry in corpus.entries() {
            hasher.update(entry.path.as_os_str().as_encoded_bytes());
            hasher.update(module_to_string(&entry.module).as_bytes());
        }
        let words =
            format!("mutants of {} files, {}", corpus.entries().len(), &hasher.finalize().to_hex()[..16]);
        Ok((Programs::mutants(corpus), words))
    }
}

impl Setup {
    /// All settings that determine the findings, in words; campaigns with equal settings share their state.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = match &self.under {
            Under::Passes(all) => all.iter().map(|p| format!("passes {}", p.text)).collect(),
            Under::Command(optimizer) => {
                let Limits { time, megabytes, output_megabytes } = optimizer.limits();
                let seconds = time.as_secs();
                vec![
                    format!("command {}", optimizer.text),
                    format!("blake3 {}", optimizer.hash),
                    format!("its limits {seconds} s, {megabytes} MB, {output_megabytes} MB of output"),
                ]
            }
        };
        words.push(format!("limits {} s, {} MB", self.timeout.as_secs(), self.memory));
        words.push(self.source.clone());
        words.push(format!("machine {}", self.machine.name));
        words.push(format!("oracles {}", self.shares));
        words.push(format!("runs {}, fuel {}", self.runs.runs, self.runs.fuel));
        if !self.runs.undef_inputs {
            words.push("no input is undef".to_owned());
        }
        words.push(format!(
            "reduce {}, at most {} tries, {} alike",
            self.reduce, self.max_tries, self.work_ups
        ));
        // Another build may generate other programs or judge them differently.
        words.push(format!("program {}", this_program().unwrap_or_default()));
        words
    }
    /// The command under test, if any.
    pub(super) fn command(&self) -> Option<&Optimizer> {
        match &self.under {
            Under::Passes(_) => None,
            Under::Command(optimizer) => Some(optimizer),
        }
    }
    /// The text in the syntax of the command under test, if any.
    pub(super) fn spelled(&self, text: &str) -> String {
        match self.command() {
            Some(command) => {
                String::from_utf8_lossy(&command.spelled(text.as_bytes(), &|| false)).into_owned()
            }
            None => text.to_owned(),
        }
    }
    /// A refusal of the command that leaves no usable programs.
    pub(super) fn refusal(&self, stop: &dyn Fn() -> bool) -> Option<Refusal> {
        let command = self.command()?;
        let has_pointers = |seed| self.programs.of(seed).text().contains("ptr ");
        let pointers = || (0..BATCH).any(has_pointers).then(|| refuses_pointers(command, stop)).flatten();
        refuses_everything(command, stop).or_else(pointers)
    }
    /// Seeds per task.
    pub(super) fn batch(&self) -> u64 {
        match self.under {
            Under::Passes(_) => BATCH,
            Under::Command(_) => self.batch,
        }
    }
    /// Number of systems under test.
    pub(super) fn systems(&self) -> usize {
        match &self.under {
            Under::Passes(passes) => passes.len(),
            Under::Command(_) => 1,
        }
    }
    /// The examiner for this project's passes.
    pub(super) fn examiner(&self) -> Examiner {
        let passes = match &self.under {
            Under::Passes(passes) => passes.clone(),
            Under::Command(_) => Vec::new(),
        };
        Examiner { passes, shares: self.shares.clone(), runs: self.runs, proof: self.proof.clone() }
    }
    /// The target machine of the cost model.
    pub(super) fn machine(&self) -> Machine {
        self.machine
    }
    /// This project's passes as a command, which can be killed if it takes too long.
    pub(super) fn as_command(&self, passes: &str, time: Duration) -> Result<Optimizer, String> {
        let limits = Limits { time, megabytes: self.memory, output_megabytes: 256 };
        passes_as_command(passes, self.machine, limits)
    }
    /// The time limit of a worker for that number of programs.
    pub(super) fn wall(&self, programs: u64) -> Duration {
        match &self.under {
            // For several programs the worker enforces the limit of each.
            Under::Passes(_) if programs > 1 => self.timeout.saturating_mul(times(programs + 1)),
            Under::Passes(_) => self.timeout,
            // The command has a limit of its own, and if it fails it runs on each program alone.
            Under::Command(optimizer) => {
                let each = optimizer.limits().time.saturating_add(self.timeout);
                each.saturating_mul(times(programs + 1))
            }
        }
    }
    /// A description of the program source that identifies its corpus.
    pub(super) fn source(&self) -> &str {
        &self.source
    }
}

fn times(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A hash of this program's executable.
fn this_program() -> miette::Result<String> {
    let path = std::env::current_exe().into_diagnostic()?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(std::fs::File::open(path).into_diagnostic()?).into_diagnostic()?;
    Ok(hasher.finalize().to_hex()[..16].to_owned())
}
