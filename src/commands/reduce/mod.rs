//! `backedge reduce`: reduces a file while it shows the same failure.
//!
//! This file contains the command and its output. The preserved property is the exit code of a `command`, or a
//! `verdict` equal to the one at `first`, with the same `guilt`.

mod command;
mod delta;
mod first;
mod guilt;
mod verdict;

pub(crate) use verdict::VerdictTest;

use super::judging::Judging;
use super::module::load;
use super::optimize::machine;
use super::symptom::Subject;
use super::system::{External, System, passes_as_command_if_unsafe};
use super::tell::{check_corpus, expectations};
use crate::STACK;
use crate::exit::Exit;
use crate::input::Source;
use crate::interrupt::Interrupt;
use crate::optimizer::{self, COPY, Limits};
use crate::output;
use crate::progress::Reducing;
use crate::report::events::{Event, Line};
use crate::report::json::{JsonLines, is_on_stdout};
use crate::shown::{shown, visible};
use backedge_fuzz::reduce::{self, Ended, Reduced, Size, Test, Watch};
use backedge_ir::print::module_to_string;
use backedge_transform::cost::Machine;
use backedge_validate::check::Uninit;
use command::CommandTest;
use delta::Delta;
use guilt::Guilt;
use miette::{IntoDiagnostic, WrapErr};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Interval between writes of the best result so far: improvements come fast at first.
const WRITE: Duration = Duration::from_secs(1);

/// Extensions of modules.
const MODULES: [&str; 6] = ["ll", "bc", "c", "cc", "cpp", "cxx"];

/// Arguments of `reduce`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The failure that the reduction preserves: with --passes or --opt, the first finding of `gate` in the file, in the same function
and by the same pass (a bisection finds the guilty pass of a command); with --test, exit code 0 of the command (llvm-reduce's
contract: the file is its last argument); with neither, the first pair @src and @tgt that `tv` refutes. Passes that take too
long run as a command from then on. A change of one function of a pair is made in the other too, or preserves the function's
behavior; where the target is right on some runs, it stays so. The result does not depend on the number of threads. The best
result so far is written once a second.

Exit codes: 0 there is a result, which a limit may have kept from being the smallest; 2 the file is not interesting; 3 the
failure does not show when it is tested again, so that --lit, --corpus and --issue are not written; 4 the command of --opt
refuses even an empty function; 75 interrupted.

Examples:
  backedge reduce bug.ll --opt 'opt-22 -passes=licm -S' -o small.ll --issue small.md
  backedge reduce bug.ll --passes loop-unroll --lit test.ll
  backedge reduce bug.ll --test ./crashes.sh --test-arg licm -o small.ll
  backedge reduce ./crashes.sh bug.ll     (as cvise: the script finds bug.ll in its working directory)")]
pub(crate) struct Args {
    /// The module: a .ll, .bc, .c or .cpp file, or - for standard input. In cvise's order: an interestingness test, then the
    /// module
    #[arg(value_name = "FILE", num_args = 1..=2, required_unless_present = "print_delta_passes")]
    files: Vec<PathBuf>,
    /// This project's passes, in the syntax of opt
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["opt", "test"])]
    passes: Option<String>,
    /// Seconds that the passes may take per file, in a process of their own; exceeding it is a hang, which the
    /// reduction preserves
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "passes", value_parser = clap::value_parser!(u64).range(1..))]
    passes_timeout: u64,
    #[command(flatten)]
    external: External,
    /// The target machine of the cost model: ooo, ooo-loop-predictor or in-order
    #[arg(long, value_name = "NAME", default_value = "ooo", value_parser = machine)]
    machine: Machine,
    /// A command that exits with 0 if a file is interesting
    #[arg(long, value_name = "COMMAND", conflicts_with = "opt")]
    test: Option<String>,
    /// An argument for the command, before the file; may be repeated
    #[arg(long, value_name = "WORD", requires = "test", allow_hyphen_values = true)]
    test_arg: Vec<String>,
    /// Seconds that the command may take; a file that takes longer is not interesting
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "test", value_parser = clap::value_parser!(u64).range(1..))]
    test_timeout: u64,
    /// The output file; - for standard output, which is the default unless the input is replaced
    #[arg(short = 'o', long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the result to the input file; default with cvise's order of arguments, where the input is kept as
    /// FILE.orig
    #[arg(long, conflicts_with = "output")]
    in_place: bool,
    #[command(flatten)]
    delta: Delta,
    /// Also write a lit test with RUN and CHECK lines to this file; the checks expect the present result
    #[arg(long, value_name = "FILE", conflicts_with = "test")]
    lit: Option<PathBuf>,
    /// Also write a corpus test, a refuted pair: FILE, which ends in .ll, with the expectation next to it
    #[arg(long, value_name = "FILE", conflicts_with = "test")]
    corpus: Option<PathBuf>,
    /// Also write an issue text to this file, with the traces of both sides; with --test, the file and the command
    #[arg(long, value_name = "FILE")]
    issue: Option<PathBuf>,
    /// Write records as JSON lines to this file (- for standard output; the module then needs -o FILE)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Number of candidates tested concurrently (0: one per processor)
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0, value_parser = super::gate::jobs())]
    jobs: usize,
    /// Maximum number of tested candidates
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_tries: u64,
    /// Time limit in seconds, after which the best result so far is written
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=7 * 24 * 60 * 60))]
    time: Option<u64>,
    /// Don't try steps that first make the module larger
    #[arg(long)]
    no_grow: bool,
    /// Keep the names of values and blocks
    #[arg(long)]
    keep_names: bool,
    #[command(flatten)]
    judging: Judging,
}

impl Args {
    /// The module.
    fn input(&self) -> &Path {
        self.files.last().map_or(Path::new("-"), PathBuf::as_path)
    }

    /// The interestingness test of cvise's argument order.
    fn cvise_test(&self) -> Option<&Path> {
        (self.files.len() == 2).then(|| self.files[0].as_path())
    }

    /// Whether the result replaces the input.
    fn replaces_input(&self) -> bool {
        self.in_place || self.cvise_test().is_some() && self.output.is_none()
    }

    /// The file of the result.
    fn result(&self) -> &Path {
        if self.replaces_input() { self.input() } else { self.output.as_deref().unwrap_or(Path::new("-")) }
    }

    /// Checks what clap cannot: the two orders of arguments, and that an input that is replaced is a file.
    fn check_inputs(&self) -> miette::Result<()> {
        if self.cvise_test().is_some()
            && (self.test.is_some() || self.passes.is_some() || self.external.opt.is_some())
        {
            miette::bail!(
                help = "the first of two files is an interestingness test, as in `cvise TEST FILE`; name one file with --test, \
                        --passes or --opt",
                "two files are given, and a flag that says what is interesting"
            );
        }
        self.refuse_two_modules()?;
        let is_text = self.input().extension().is_none_or(|e| e == "ll");
        if self.replaces_input() && !(is_text && self.input().is_file()) {
            miette::bail!(
                help = "name the output with -o FILE",
                "{} is no .ll file, which alone can be replaced",
                shown(self.input())
            );
        }
        Ok(())
    }

    /// Fails if the first of two files is a module and no interestingness test.
    fn refuse_two_modules(&self) -> miette::Result<()> {
        let is_module =
            |path: &Path| path.extension().is_some_and(|e| MODULES.iter().any(|known| e == *known));
        let Some(first) = self.cvise_test().filter(|test| is_module(test)) else { return Ok(()) };
        let [first, second] = [first, self.input()].map(shown);
        if is_module(self.input()) {
            miette::bail!(
                help = "the first of two files is an interestingness test, as in `cvise TEST FILE`; two functions to be \
                        compared are @src and @tgt of one file",
                "{first} and {second} are both modules"
            );
        }
        miette::bail!(
            help = format!("the interestingness test comes first: `backedge reduce {second} {first}`"),
            "{first} is a module, and no interestingness test"
        );
    }

    /// Fails if an output can't be written, or would overwrite the input or another output.
    fn check_outputs(&self) -> miette::Result<()> {
        if is_on_stdout(self.json.as_deref()) && self.result() == Path::new("-") {
            miette::bail!(
                help = "write the module to a file: -o FILE",
                "--json - and the module can't share standard output"
            );
        }
        let also = [&self.lit, &self.corpus, &self.issue, &self.json].into_iter().flatten();
        let mut outputs: Vec<PathBuf> = also.cloned().collect();
        outputs.extend(self.corpus.as_deref().map(expectations));
        for path in &outputs {
            output::refuse_to_overwrite(path, &self.files)?;
        }
        if !self.replaces_input() {
            output::refuse_to_overwrite(self.result(), &self.files)?;
        }
        outputs.push(self.result().to_owned());
        output::refuse_twice(outputs.iter().collect())?;
        outputs.iter().try_for_each(|path| output::check(path))?;
        self.corpus.as_deref().map_or(Ok(()), check_corpus)
    }
}

/// Runs the command.
pub(crate) fn run(args: Args) -> miette::Result<Exit> {
    if args.delta.print_delta_passes {
        return delta::print().map(|()| Exit::Accepted);
    }
    args.check_inputs()?;
    args.check_outputs()?;
    let delta_passes = args.delta.passes()?;
    if args.lit.is_some() && args.passes.is_none() && args.external.opt.is_none() {
        miette::bail!(
            help = "--corpus writes a pair as a test",
            "--lit needs --passes or --opt: a pair has no RUN line, since no command makes the one function of the other"
        );
    }
    let Ok((source, parsed)) = load(args.input()) else { return Ok(Exit::BadInput) };
    let interrupt = Interrupt::install();
    let text = Source { name: COPY.to_owned(), text: module_to_string(&parsed.module).into_bytes() };
    let goal = match Goal::of(&args, (&source, &text), &interrupt)? {
        Ok(goal) => goal,
        Err(exit) => return Ok(exit),
    };
    let start = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).stack_size(STACK).build();
    let pool =
        pool.into_diagnostic().wrap_err("the threads can't be started; fewer (--jobs) need less memory")?;
    let limits = reduce::Options {
        max_tries: args.max_tries,
        time: args.time.map(Duration::from_secs),
        stop: Some(interrupt.flag()),
        grow: !args.no_grow,
        rename: !args.keep_names,
        passes: delta_passes,
        max_rounds: args.delta.max_pass_iterations,
        pairs: matches!(&goal, Goal::Verdict(test) if matches!(test.subject, Subject::Pairs)),
    };
    let original =
        (args.cvise_test().is_some() && args.replaces_input()).then(|| Original::keep(args.input()));
    let original = original.transpose()?;
    let json = args.json.as_deref().map(|path| JsonLines::open(path, &[])).transpose()?;
    let (last, bar) = (Instant::now(), Reducing::start());
    let mut writer = Writer { path: args.result(), last, bar, name: &source.name, json };
    let test = goal.test();
    let done = pool.install(|| reduce::reduce(parsed.module, test, &limits, &mut writer));
    writer.bar.finish();
    optimizer::end_all();
    if !matches!(done, Ok(Some(_))) {
        original.iter().for_each(Original::discard);
    }
    let reduced = match done {
        Ok(Some(reduced)) => reduced,
        Ok(None) if interrupt.asked() => return Ok(Exit::Interrupted),
        Ok(None) => miette::bail!(
            help = "the test must accept the file itself, in our spelling: `backedge opt FILE` prints it",
            "{} is not interesting: no failure to preserve{}",
            source.name,
            goal.why_not()
        ),
        Err(why) => return Ok(no_optimizer(&why)),
    };
    if let Some(mut json) = writer.json {
        let guilty = goal.guilt().map(Guilt::pass);
        json.line(&Line::new(&source.name, Event::reduced(&reduced, guilty)).to_json())?;
        json.finish()?;
    }
    report(&reduced, start, goal.guilt());
    finish(&args, &goal, &reduced, &interrupt)
}

/// The copy of an input that is replaced.
struct Original {
    path: PathBuf,
    /// Whether there was no file of that name.
    is_new: bool,
}

impl Original {
    /// Copies `input` to `FILE.orig`.
    fn keep(input: &Path) -> miette::Result<Self> {
        let path = input.with_added_extension("orig");
        let is_new = !path.exists();
        std::fs::copy(input, &path)
            .into_diagnostic()
            .wrap_err_with(|| format!("the input can't be kept as {}", shown(&path)))?;
        Ok(Self { path, is_new })
    }

    /// Removes the copy, since the input is unchanged.
    fn discard(&self) {
        if self.is_new {
            // A copy that remains does no harm.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Writes the result and the additional outputs.
fn finish(args: &Args, goal: &Goal, reduced: &Reduced, interrupt: &Interrupt) -> miette::Result<Exit> {
    let unwritten = keep(args.result(), &goal.spelled(&reduced.text))?;
    if let Ended::Failed(why) = &reduced.ended {
        return Ok(no_optimizer(why));
    }
    if reduced.ended != Ended::Interrupted {
        // The result may have been interesting by chance.
        match goal.test().is_interesting(&reduced.text, &|| interrupt.asked()) {
            Ok(true) => {}
            Ok(false) if interrupt.asked() => return Ok(Exit::Interrupted),
            Ok(false) => return Ok(unsteady()),
            Err(why) => return Ok(no_optimizer(&why)),
        }
    }
    let exit = match goal {
        Goal::Command(test) => {
            args.issue.as_deref().map_or(Ok(()), |path| output::write(path, &test.issue(&reduced.text)))?;
            Exit::Accepted
        }
        Goal::Verdict(test) => test.tell(args, reduced)?,
    };
    Ok(match &reduced.ended {
        _ if exit != Exit::Accepted => exit,
        _ if unwritten => Exit::BadInput,
        Ended::Interrupted => Exit::Interrupted,
        _ => Exit::Accepted,
    })
}

/// Writes the module; falls back to standard output if the file can't be written, since the reduction took long.
/// Returns whether it fell back.
fn keep(path: &Path, text: &str) -> miette::Result<bool> {
    let Err(report) = output::write(path, text) else { return Ok(false) };
    output::to_stderr(&format!("{report:?}"));
    if path != Path::new("-") {
        output::to_stderr("the module is written to standard output in its place");
        output::to_stdout(text)?;
    }
    Ok(true)
}

/// The exit for a result that is interesting only sometimes.
fn unsteady() -> Exit {
    output::to_stderr(
        "error: the failure is not reproducible: the module is written, --lit, --corpus and --issue are not",
    );
    Exit::Inconclusive
}

fn no_optimizer(why: &str) -> Exit {
    output::to_stderr(&format!("error: {}", visible(why)));
    Exit::NoOptimizer
}

/// Reports the result.
fn report(reduced: &Reduced, start: Instant, guilt: Option<&Guilt>) {
    let how = match &reduced.ended {
        Ended::Smallest => "",
        Ended::Tries => "; the limit on tries was reached",
        Ended::Time => "; the limit on time was reached",
        Ended::Interrupted => "; interrupted",
        Ended::Failed(_) => "; the test could not be run any more",
    };
    let (first, size, tries) = (&reduced.first, &reduced.size, reduced.tries);
    let seconds = start.elapsed().as_secs_f64();
    output::to_stderr(&format!("from {first}\nto {size}\nin {tries} tries, {seconds:.1} s{how}"));
    if let Some(guilt) = guilt {
        output::to_stderr(&format!("guilty, as at first: {}", guilt.pass()));
    }
}

/// The system under test without `--test`.
fn subject(args: &Args, source: &Source, interrupt: &Interrupt) -> miette::Result<Option<Subject>> {
    if args.passes.is_none() && args.external.opt.is_none() {
        return Ok(Some(Subject::Pairs));
    }
    let system = args.external.system(args.passes.as_deref().unwrap_or_default(), args.machine)?;
    let passes = args.passes.as_deref().filter(|_| matches!(system, Some(System::Passes(_))));
    let limits = Limits { time: Duration::from_secs(args.passes_timeout), ..args.external.limits() };
    let apart = passes
        .map(|passes| passes_as_command_if_unsafe(passes, args.machine, limits, (source, interrupt)))
        .transpose()?;
    let apart = apart.flatten();
    Ok(apart.map(System::External).or(system).map(Subject::System))
}

/// The property that the reduction preserves.
enum Goal {
    Command(CommandTest),
    Verdict(Box<VerdictTest>),
}

impl Goal {
    /// The property of `text`, which is the file `own` as printed by this project; or the exit code if there is none.
    fn of(
        args: &Args,
        (own, text): (&Source, &Source),
        interrupt: &Interrupt,
    ) -> miette::Result<Result<Self, Exit>> {
        if args.test.is_some() || args.cvise_test().is_some() {
            let command = command::command(args)?;
            let test = |command| CommandTest { command, first_failure: OnceLock::new() };
            return Ok(command.map(test).map(Self::Command).ok_or(Exit::NoOptimizer));
        }
        let Some(subject) = subject(args, text, interrupt)? else { return Ok(Err(Exit::NoOptimizer)) };
        // If the passes did not terminate in their own process, they must not be started in this one.
        if interrupt.asked() {
            return Ok(Err(Exit::Interrupted));
        }
        let judge = args.judging.judge(args.jobs)?;
        let for_corpus = args.corpus.is_some();
        if for_corpus && judge.options().uninit == Uninit::Poison {
            miette::bail!(
                help = "reduce without --uninit poison, or write --lit or --issue",
                "--corpus can't be had with --uninit poison: in tests of the corpus uninitialised memory is undef"
            );
        }
        let test = VerdictTest::of(subject, judge, (own, text), interrupt.clone(), for_corpus)?;
        Ok(test.map(|test| Self::Verdict(Box::new(test))))
    }

    /// The property as a test of the reducer.
    fn test(&self) -> &dyn Test {
        match self {
            Self::Command(test) => test,
            Self::Verdict(test) => &**test,
        }
    }

    /// The guilty pass, if known.
    fn guilt(&self) -> Option<&Guilt> {
        match self {
            Self::Command(_) => None,
            Self::Verdict(test) => test.guilt.as_ref(),
        }
    }

    /// The text in the syntax of the system under test.
    fn spelled(&self, text: &str) -> String {
        match self {
            Self::Command(_) => text.to_owned(),
            Self::Verdict(test) => test.spelled(text),
        }
    }

    /// Why a file was not interesting, according to the command of `--test`.
    fn why_not(&self) -> String {
        match self {
            Self::Command(test) => {
                test.first_failure.get().map_or_else(String::new, |why| format!(": {}", visible(why)))
            }
            Self::Verdict(_) => String::new(),
        }
    }
}

/// Writes the best result so far and shows the progress.
struct Writer<'a> {
    path: &'a Path,
    last: Instant,
    bar: Reducing,
    /// The name of the input.
    name: &'a str,
    json: Option<JsonLines<'a>>,
}

impl Watch for Writer<'_> {
    fn tried(&mut self, tries: u64, size: &Size) {
        self.bar.tried(tries, &size.to_string());
    }

    fn improved(&mut self, text: &str, size: &Size) {
        if self.last.elapsed() < WRITE {
            return;
        }
        self.last = Instant::now();
        // A failure recurs when the final result is written, where it is reported.
        if self.path != Path::new("-") {
            let _ = output::write(self.path, text);
        }
        if let Some(json) = &mut self.json {
            let _ = json.line(&Line::new(self.name, Event::Smaller { size: size.into() }).to_json());
        }
    }
}
