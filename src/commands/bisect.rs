//! `backedge bisect`: which pass of a pipeline broke a file, and which application of it.

use super::judging::Judging;
use super::module::load;
use super::optimize::machine;
use super::symptom::{Found, Kind, Symptom, Two, refuted_again, without_details};
use super::system::{External, System, passes_if_lost};
use crate::STACK;
use crate::exit::Exit;
use crate::input::Source;
use crate::interrupt::Interrupt;
use crate::optimizer::{self, Failure, Limits, Optimizer};
use crate::output;
use crate::problem::visible;
use backedge_fuzz::bisect::{first_bad, llvm, prefix};
use backedge_interp::input::shortened;
use backedge_ir::entity::{EntitySet, FuncId};
use backedge_ir::module::{Code, Module};
use backedge_ir::parse::read_module;
use backedge_ir::print::{Locals, extract, module_to_string};
use backedge_pipeline::run::{Observer, Options as RunOptions, PassRun, run as run_pipeline};
use backedge_pipeline::text::{Element, parse_elements};
use backedge_pipeline::{Nobody, Pipeline};
use backedge_transform::cost::Machine;
use backedge_validate::case::Case;
use backedge_validate::judge::Judge;
use backedge_validate::panics::caught;
use backedge_validate::verdict::VerdictKind;
use backedge_validate::witness::Refutation;
use miette::IntoDiagnostic;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long an interrupt may go unseen.
const POLL: Duration = Duration::from_millis(50);

/// Bytes of what `opt` says of the passes that it runs which are read.
const SAID: u64 = 1 << 26;

/// Arguments of `bisect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Our passes are counted as `backedge opt --stop-after=N` counts them, LLVM's as `opt -opt-bisect-limit=N` does. A command that
does not know that flag, or that --by-passes is said of, has the text of its -passes cut behind the Nth pass. Where it is
wrong with no pass at all, that is said. The exit code is 1 if something is wrong, 0 if not, and 3 if nothing is found and a
function of which that is not known is left.

Examples:
  backedge bisect bug.ll --passes 'default<O2>'
  backedge bisect bug.ll --opt \"opt -passes='default<O2>' -S\" --before before.ll --after after.ll")]
pub(crate) struct Args {
    /// The module: a .ll file, or - for standard input
    input: PathBuf,
    /// Our passes, as opt takes them
    #[arg(long, value_name = "TEXT", conflicts_with = "opt", required_unless_present = "opt")]
    passes: Option<String>,
    #[command(flatten)]
    external: External,
    /// Seconds that our passes may take, in a process of their own; where they take longer, the text of the passes is cut as that
    /// of a command is
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "passes", value_parser = clap::value_parser!(u64).range(1..))]
    passes_timeout: u64,
    /// Cut the command's text of -passes, even if it knows -opt-bisect-limit
    #[arg(long, requires = "opt")]
    by_passes: bool,
    /// The machine for which passes weigh costs: ooo, ooo-loop-predictor or in-order
    #[arg(long, value_name = "NAME", default_value = "ooo", value_parser = machine)]
    machine: Machine,
    /// Ask the solver at every step, not of the whole alone
    #[arg(long)]
    solver: bool,
    /// Write the module as it is before the guilty pass to this file
    #[arg(long, value_name = "FILE")]
    before: Option<PathBuf>,
    /// Write the module as the guilty pass leaves it to this file, if it leaves one
    #[arg(long, value_name = "FILE")]
    after: Option<PathBuf>,
    /// Show all that is kept of the two traces, not the last rows alone
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    judging: Judging,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> miette::Result<Exit> {
    for path in args.before.iter().chain(&args.after) {
        output::refuse_to_overwrite(path, std::slice::from_ref(&args.input))?;
        output::check(path)?;
    }
    output::refuse_twice(args.before.iter().chain(&args.after).collect())?;
    let Some(system) = args.external.system(args.passes.as_deref().unwrap_or_default(), args.machine)? else {
        return Ok(Exit::NoOptimizer);
    };
    let Ok((source, parsed)) = load(&args.input) else { return Ok(Exit::BadInput) };
    if let Err(wrong) = backedge_smt::check_z3_version() {
        miette::bail!("{wrong}");
    }
    let interrupt = Interrupt::install();
    let judge = Checker { judge: args.judging.judge()?, solver: args.solver, known: None };
    let module = Arc::new(parsed.module);
    let apart = match &args.passes {
        Some(passes) => {
            let limits = Limits { time: Duration::from_secs(args.passes_timeout), ..args.external.limits() };
            passes_if_lost(passes, args.machine, limits, (&source, &interrupt))?
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
    let found = search.aside()?;
    optimizer::end_all();
    match found {
        Ok(Answer::Guilty(guilty)) => {
            guilty.show(args.trace)?;
            guilty.write(args.before.as_deref(), args.after.as_deref())?;
            Ok(Exit::Refuted)
        }
        Ok(Answer::Nothing { undecided }) => {
            let mut text = format!("nothing is found to be wrong with what becomes of {name}\n");
            text.extend(undecided.iter().map(|what| format!("not known: {}\n", visible(what))));
            output::to_stdout(&text)?;
            Ok(if undecided.is_empty() { Exit::Accepted } else { Exit::Inconclusive })
        }
        Err(Stop::Interrupted) => Ok(Exit::Interrupted),
        Err(Stop::System(what)) => {
            output::to_stderr(&format!("error: {}", visible(&what)));
            Ok(Exit::NoOptimizer)
        }
    }
}

/// What is asked, with all that it takes to find the answer.
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
    /// The answer, found on another thread: an interrupt ends the wait for it at once, whatever is being judged.
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
            // What was not seen to come to an end must not be begun in this process.
            System::Passes(_) if interrupt.asked() => Err(Stop::Interrupted),
            System::Passes(pipeline) => {
                Ours { module, pipeline, machine: self.machine, judge, interrupt }.bisect()
            }
            System::External(optimizer) => {
                Theirs::new(&self.source, module, optimizer, (judge, interrupt), self.by_passes)
                    .and_then(|mut theirs| theirs.bisect())
            }
        }
    }
}

/// What is found.
pub(crate) enum Answer {
    /// The pass that broke it.
    Guilty(Box<Guilty>),
    /// No pass broke it, as far as that is known.
    Nothing {
        /// The functions that were changed of which it is not known, and why.
        undecided: Vec<String>,
    },
}

impl Answer {
    /// The pass that broke it, if one did.
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
}

/// The pass that broke it, if it was one.
pub(crate) struct Guilty {
    /// How many there are in all.
    total: u64,
    /// Its number, from 1; 0 if it is broken before any has run.
    pub(crate) number: u64,
    /// What is counted.
    unit: &'static str,
    /// The pass; none if the number is 0.
    pub(crate) pass: Option<String>,
    /// What it worked on.
    on: String,
    /// What is wrong.
    pub(crate) found: Found,
    /// Whether the pass by itself, on what was there before it, is shown to be wrong; `None` if that is not known.
    alone: Option<bool>,
    /// Commands that give what is good, if one does, and what is bad.
    commands: (Option<String>, String),
    /// The module before and after.
    pub(crate) texts: [Option<String>; 2],
}

/// Passes that `opt` runs by itself in front of loop passes, as `-opt-bisect-limit` calls them.
const IN_FRONT: [&str; 4] = ["LoopSimplifyPass", "LCSSAPass", "loop-simplify", "lcssa"];

/// Names in `-passes=` that stand for many passes.
const PIPELINES: [&str; 5] = ["default", "thinlto", "thinlto-pre-link", "lto", "lto-pre-link"];

fn named(pass: String, only: &str) -> String {
    if PIPELINES.contains(&only) || IN_FRONT.contains(&&*pass) { pass } else { only.to_owned() }
}

impl Guilty {
    /// The same, called as in `-passes=`, where that names `only` this pass: what is guilty then is it, or a pass that it
    /// needs in front.
    pub(crate) fn named_as(mut self, only: &str) -> Self {
        self.pass = self.pass.map(|pass| named(pass, only));
        self
    }
    fn show(&self, trace: bool) -> miette::Result<()> {
        let Self { total, number, unit, pass, on, found, .. } = self;
        let mut text = match pass {
            Some(pass) => format!("guilty: {pass} on {on}, {unit} {number} of {total}\n"),
            None if *total == 0 => format!("guilty: no pass: the command alone breaks {on}\n"),
            None => format!("guilty: no pass: the command alone breaks {on}, {unit} 0 of {total}\n"),
        };
        text.push_str(&format!("{}: {}\n", subject(&found.function), visible(&found.to_string())));
        if let Some(false) = self.alone {
            text.push_str(
                "the pass alone, on what was there before it, is not refuted: what is wrong may have come before and not shown\n",
            );
        }
        let (good, bad) = &self.commands;
        text.extend(good.iter().map(|good| format!("good: {good}\n")));
        text.push_str(&format!("bad:  {bad}\n"));
        match &found.refuted {
            Some((_, refutation)) if trace => text.push_str(&format!("{refutation:#}\n")),
            Some((_, refutation)) => text.push_str(&format!("{refutation}\n")),
            None => text.push_str(&format!("{}\n", visible(&found.message))),
        }
        output::to_stdout(&text)
    }

    fn write(&self, before: Option<&Path>, after: Option<&Path>) -> miette::Result<()> {
        for (path, text) in [before, after].into_iter().zip(&self.texts) {
            match (path, text) {
                (Some(path), Some(text)) => output::write(path, text)?,
                (Some(path), None) => {
                    output::to_stderr(&format!("{} is not written: there is no such module", path.display()));
                }
                (None, _) => {}
            }
        }
        Ok(())
    }
}

/// The flag that says for which machine passes weigh costs, if it is not the one that they do without.
pub(crate) fn machine_flag(machine: Machine) -> String {
    if machine == Machine::default() { String::new() } else { format!(" --machine {}", machine.name) }
}

/// A function in words, or the module where none is known.
fn subject(function: &str) -> String {
    if function.is_empty() { "the module".to_owned() } else { format!("@{function}") }
}

/// Says of pairs whether they are wrong.
pub(crate) struct Checker {
    pub(crate) judge: Judge,
    /// Whether the solver is asked at every step.
    pub(crate) solver: bool,
    /// What is known to show that something is wrong: it is tried first.
    pub(crate) known: Option<Case>,
}

impl Checker {
    /// Everything that is known of the pair: a refutation, or else what keeps it from being known to be right.
    fn judged(&self, two: &Two) -> Result<Box<Refutation>, Option<String>> {
        let by_case = |case| refuted_again(two, Some(case), self.judge.options(), &|_| true);
        if let Some(refutation) = self.known.as_ref().and_then(by_case) {
            return Ok(refutation);
        }
        let (source, target) = two.sides();
        let verdict = self.judge.judge(source, target).report.verdict;
        let open = matches!(verdict.kind(), VerdictKind::Inconclusive | VerdictKind::InternalError)
            .then(|| format!("@{}: {verdict}", source.name()));
        verdict.into_refutation().ok_or(open)
    }

    /// Whether one step of several is refuted: by a case that showed another one to be wrong, by runs, and by the solver if
    /// that is asked for.
    fn refuted_step(&self, two: &Two, case: Option<&Case>) -> Option<Box<Refutation>> {
        refuted_again(two, case, self.judge.options(), &|_| true)
            .or_else(|| self.solver.then(|| self.judged(two).ok()).flatten())
    }
}

fn of_refutation(two: Two, refutation: Box<Refutation>) -> Found {
    let defined = refutation.source.undefined.is_none();
    Found {
        symptom: Symptom { pass: None, kind: Kind::Refuted(refutation.failure, defined) },
        function: two.sides().0.name().to_owned(),
        message: String::new(),
        refuted: Some((two, refutation)),
    }
}

/// Passes of ours.
pub(crate) struct Ours<'a> {
    pub(crate) module: Arc<Module>,
    pub(crate) pipeline: &'a Pipeline,
    /// The machine for which they weigh costs.
    pub(crate) machine: Machine,
    pub(crate) judge: &'a Checker,
    pub(crate) interrupt: &'a Interrupt,
}

/// A run of a pass that changed a function.
struct Changed {
    number: u64,
    pass: String,
    func: FuncId,
    after: Arc<Module>,
}

/// Keeps what changes.
struct Keeper {
    current: Module,
    changed: Vec<Changed>,
    running: (String, Option<FuncId>),
    runs: u64,
}

impl Observer for Keeper {
    fn before_pass(&mut self, pass: &str, func: FuncId) {
        self.running = (pass.to_owned(), Some(func));
    }
    fn after_pass(&mut self, run: &PassRun<'_>) {
        self.runs = run.number + 1;
        if !run.changed {
            return;
        }
        self.current.env = run.env.clone();
        self.current.adopt_declarations();
        self.current.code[run.func] = Code::Body(Box::new(run.after.clone()));
        // Of the others the code is not looked at; they are shared by all that is kept.
        let after = Arc::new(self.current.clone());
        self.changed.push(Changed { number: run.number, pass: run.pass.to_owned(), func: run.func, after });
    }
}

impl Ours<'_> {
    /// The pass that broke the module, if one did.
    pub(crate) fn bisect(&self) -> Result<Answer, Stop> {
        let mut keeper = Keeper {
            current: Module::clone(&self.module),
            changed: Vec::new(),
            running: (String::new(), None),
            runs: 0,
        };
        let mut module = Module::clone(&self.module);
        let options = RunOptions { verify_each: true, ..RunOptions::default() };
        let crash = match caught(|| run_pipeline(&mut module, self.pipeline, options, &mut keeper)) {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(panic) => Some(panic),
        };
        let mut seen = EntitySet::new();
        let funcs: Vec<FuncId> =
            keeper.changed.iter().map(|c| c.func).filter(|func| seen.insert(*func)).collect();
        let mut undecided = Vec::new();
        let known = funcs.into_iter().find_map(|func| self.of_function(&keeper, func, &mut undecided));
        if self.interrupt.asked() {
            return Err(Stop::Interrupted);
        }
        Ok(match known.or_else(|| Some(self.crash(&keeper, crash?))) {
            Some(guilty) => Answer::Guilty(Box::new(guilty)),
            None => Answer::Nothing { undecided },
        })
    }

    /// A refutation of one step, unless somebody has asked to stop.
    fn refuted_step(&self, two: &Two, case: Option<&Case>) -> Option<Box<Refutation>> {
        if self.interrupt.asked() { None } else { self.judge.refuted_step(two, case) }
    }

    fn two(&self, from: &Arc<Module>, to: &Arc<Module>, func: FuncId) -> Two {
        Two { source: (from.clone(), func), target: (to.clone(), func) }
    }

    /// The pass that broke `func`; where none is found and that is not all that there is to know, `undecided` gets why.
    fn of_function(&self, keeper: &Keeper, func: FuncId, undecided: &mut Vec<String>) -> Option<Guilty> {
        let changed: Vec<&Changed> = keeper.changed.iter().filter(|c| c.func == func).collect();
        let last = changed.last()?;
        let pair = |nth: usize| self.two(&self.module, &changed[nth - 1].after, func);
        let before = |nth: usize| if nth == 1 { &self.module } else { &changed[nth - 2].after };
        let step = |nth: usize| self.two(before(nth), &changed[nth - 1].after, func);
        let whole = self.two(&self.module, &last.after, func);
        if self.interrupt.asked() {
            return None;
        }
        let refutation = match self.judge.judged(&whole) {
            Ok(refutation) => refutation,
            Err(open) => {
                // What one pass broke another one may have hidden.
                let broken = |nth| Some((nth, self.refuted_step(&step(nth), self.judge.known.as_ref())?));
                let Some((nth, refutation)) = (1..=changed.len()).find_map(broken) else {
                    undecided.extend(open);
                    return None;
                };
                let found = of_refutation(step(nth), refutation);
                return Some(self.guilty(keeper, changed[nth - 1], found, Some(true)));
            }
        };
        let mut shown: BTreeMap<usize, Box<Refutation>> = BTreeMap::new();
        let case = refutation.case.clone();
        shown.insert(changed.len(), refutation);
        let first = first_bad(0, changed.len() as u64, |nth| {
            let nth = nth as usize;
            if self.interrupt.asked() {
                return Err(());
            }
            let found = self.judge.refuted_step(&pair(nth), Some(&case));
            let is_bad = found.is_some();
            shown.extend(found.map(|found| (nth, found)));
            Ok(is_bad)
        });
        let nth = first.ok()? as usize;
        let refutation = shown.remove(&nth)?;
        let alone = self.refuted_step(&step(nth), Some(&refutation.case)).is_some();
        let found = of_refutation(pair(nth), refutation);
        Some(self.guilty(keeper, changed[nth - 1], found, Some(alone)))
    }

    fn guilty(&self, keeper: &Keeper, changed: &Changed, found: Found, alone: Option<bool>) -> Guilty {
        let number = changed.number + 1;
        Guilty {
            total: keeper.runs,
            number,
            unit: "run",
            pass: Some(changed.pass.clone()),
            on: subject(&found.function),
            found,
            alone,
            commands: (Some(self.command(number - 1)), self.command(number)),
            texts: [number - 1, number].map(|n| self.text(n)),
        }
    }

    fn crash(&self, keeper: &Keeper, message: String) -> Guilty {
        let number = keeper.runs + 1;
        let (pass, func) = keeper.running.clone();
        let function = func.map_or_else(String::new, |f| self.module.env.funcs[f].name.to_string());
        let kind = Kind::Crashed(without_details(&message));
        Guilty {
            total: number,
            number,
            unit: "run",
            pass: Some(pass),
            on: subject(&function),
            found: Found { symptom: Symptom { pass: None, kind }, function, message, refuted: None },
            alone: None,
            commands: (Some(self.command(number - 1)), self.command(number)),
            texts: [self.text(number - 1), None],
        }
    }

    fn command(&self, number: u64) -> String {
        let machine = machine_flag(self.machine);
        format!("backedge opt -passes='{}'{machine} --stop-after={number} -S", self.pipeline)
    }

    /// The module as it is after so many runs.
    fn text(&self, number: u64) -> Option<String> {
        let mut module = Module::clone(&self.module);
        let options = RunOptions { stop_after: Some(number), ..RunOptions::default() };
        let done = caught(|| run_pipeline(&mut module, self.pipeline, options, &mut Nobody));
        matches!(done, Ok(Ok(_))).then(|| module_to_string(&module))
    }
}

/// How much of a command's work is done.
enum Way {
    /// So many applications of passes.
    Limit,
    /// So many passes of its text.
    Passes(Vec<Element>),
    /// All of it: it tells nothing of its passes.
    Whole,
}

/// What a command makes of the file.
enum Made {
    Module(Arc<Module>, String),
    Failed(Kind, String),
}

/// A command.
pub(crate) struct Theirs<'a> {
    module: Arc<Module>,
    optimizer: &'a Optimizer,
    judge: &'a Checker,
    interrupt: &'a Interrupt,
    /// The input as text that the command reads, and what it is called.
    input: (Vec<u8>, String),
    way: Way,
    total: u64,
    /// What the command said of the passes when nothing was left out.
    applications: Vec<llvm::Application>,
}

impl<'a> Theirs<'a> {
    /// The command on `source`, which is `module`.
    pub(crate) fn new(
        source: &Source,
        module: Arc<Module>,
        optimizer: &'a Optimizer,
        (judge, interrupt): (&'a Checker, &'a Interrupt),
        by_passes: bool,
    ) -> Result<Self, Stop> {
        let text = optimizer.spelled(&source.text, &|| interrupt.asked()).into_owned();
        let mut this = Self {
            module,
            optimizer,
            judge,
            interrupt,
            input: (text, source.name.clone()),
            way: Way::Limit,
            total: 0,
            applications: Vec::new(),
        };
        if !by_passes {
            let (_, said) = this.run(&optimizer.with_word("-opt-bisect-limit=-1".to_owned()))?;
            this.applications = llvm::applications(&said);
            this.total = this.applications.last().map_or(0, |a| a.number);
        }
        if this.total == 0 {
            this.way = match optimizer.passes() {
                Some(text) => {
                    let elements = parse_elements(text)
                        .map_err(|e| Stop::System(format!("-passes={text} is not understood: {e}")))?;
                    this.total = prefix::passes(&elements).len() as u64;
                    Way::Passes(elements)
                }
                None => Way::Whole,
            };
        }
        Ok(this)
    }

    /// What `command` makes of the file, and what it says.
    fn run(&self, command: &Optimizer) -> Result<(Made, String), Stop> {
        let stop = || self.interrupt.asked();
        let (text, name) = &self.input;
        let (result, said) = command.run_on_and_tell(text, name, &stop, SAID);
        let made = match result {
            Ok(bytes) => match caught(|| read_module(&bytes)) {
                Ok(Ok(parsed)) => {
                    Made::Module(Arc::new(parsed.module), String::from_utf8_lossy(&bytes).into_owned())
                }
                Ok(Err(errors)) => {
                    let first = errors.first().map_or_else(String::new, |e| e.message.to_string());
                    let message = format!("what it wrote is no valid IR: {first}");
                    Made::Failed(Kind::Crashed(without_details(&message)), message)
                }
                Err(panic) => return Err(Stop::System(format!("the reader panicked: {panic}"))),
            },
            Err(Failure::Crashed(message)) => Made::Failed(Kind::Crashed(without_details(&message)), message),
            Err(Failure::Refused(message)) => Made::Failed(Kind::Refused(without_details(&message)), message),
            Err(Failure::Limit(limit, message)) => Made::Failed(Kind::Hung(limit), message),
            Err(Failure::Interrupted) => return Err(Stop::Interrupted),
            Err(Failure::System(what)) => return Err(Stop::System(what)),
        };
        Ok((made, said))
    }

    /// The command that does so much; none if it takes no text by which it does nothing.
    fn command(&self, count: u64) -> Option<Optimizer> {
        match &self.way {
            Way::Limit => Some(self.optimizer.with_word(format!("-opt-bisect-limit={count}"))),
            Way::Passes(_) if count == 0 => self.optimizer.without_passes(&|| self.interrupt.asked()),
            Way::Passes(elements) => {
                let text = prefix::prefix(elements, usize::try_from(count).unwrap_or(usize::MAX));
                self.optimizer.with_passes(&text)
            }
            Way::Whole => Some(self.optimizer.clone()),
        }
    }

    /// What comes out when so much is done. Where it takes passes to run it at all the module stays as it is without them.
    fn after(&self, count: u64) -> Result<Made, Stop> {
        match self.command(count) {
            Some(command) => Ok(self.run(&command)?.0),
            None => Ok(self.untouched()),
        }
    }

    fn untouched(&self) -> Made {
        Made::Module(self.module.clone(), module_to_string(&self.module))
    }

    /// The number of passes with which it goes wrong, which it does with all of them: 0 if it does with none, be it that reading
    /// and writing is enough.
    fn first_bad(&self, mut is_bad: impl FnMut(u64) -> Result<bool, Stop>) -> Result<u64, Stop> {
        if is_bad(0)? { Ok(0) } else { first_bad(0, self.total, is_bad) }
    }

    /// What there is before so many passes have run, and behind them.
    fn around(&self, number: u64) -> Result<[Made; 2], Stop> {
        let before = if number == 0 { self.untouched() } else { self.after(number - 1)? };
        Ok([before, self.after(number)?])
    }

    /// The pass that broke the module, if one did.
    pub(crate) fn bisect(&mut self) -> Result<Answer, Stop> {
        let guilty = |guilty| Answer::Guilty(Box::new(guilty));
        let whole = match self.run(self.optimizer)?.0 {
            Made::Module(made, _) => made,
            Made::Failed(kind, message) => return self.failure(&kind, message).map(guilty),
        };
        let mut undecided = Vec::new();
        for (func, _) in self.module.bodies() {
            let Some(two) = self.pair(func, &whole) else { continue };
            if self.interrupt.asked() {
                return Err(Stop::Interrupted);
            }
            match self.judge.judged(&two) {
                Ok(refutation) => return self.refuted(func, two, refutation).map(guilty),
                Err(open) => undecided.extend(open),
            }
        }
        Ok(Answer::Nothing { undecided })
    }

    /// What became of `func`, if it was changed.
    fn pair(&self, func: FuncId, made: &Arc<Module>) -> Option<Two> {
        self.pair_of((&self.module, func), made)
    }

    fn pair_of(&self, (module, func): (&Arc<Module>, FuncId), made: &Arc<Module>) -> Option<Two> {
        let target = made.env.func_named(&module.env.funcs[func].name)?;
        made.body(target)?;
        let text = |module: &Module, func| extract(module, func, &[], Locals::Numbered).text;
        let same = caught(|| text(module, func) == text(made, target)).unwrap_or(false);
        (!same).then(|| Two { source: (module.clone(), func), target: (made.clone(), target) })
    }

    fn refuted(&self, func: FuncId, two: Two, refutation: Box<Refutation>) -> Result<Guilty, Stop> {
        let case = refutation.case.clone();
        let mut shown: BTreeMap<u64, Found> = BTreeMap::new();
        let number = self.first_bad(|count| {
            let Made::Module(made, _) = self.after(count)? else { return Ok(false) };
            let Some(two) = self.pair(func, &made) else { return Ok(false) };
            let found = self.judge.refuted_step(&two, Some(&case));
            let is_bad = found.is_some();
            shown.extend(found.map(|found| (count, of_refutation(two, found))));
            Ok(is_bad)
        })?;
        let found = shown.remove(&number).unwrap_or_else(|| of_refutation(two, refutation));
        let texts = self.around(number)?;
        let alone = match &texts {
            [Made::Module(before, _), Made::Module(after, _)] => {
                let name = &self.module.env.funcs[func].name;
                let step = before.env.func_named(name).and_then(|f| self.pair_of((before, f), after));
                step.map(|two| self.judge.refuted_step(&two, Some(&case)).is_some())
            }
            _ => None,
        };
        Ok(self.guilty(number, found, alone, texts))
    }

    fn failure(&self, kind: &Kind, message: String) -> Result<Guilty, Stop> {
        let number = self
            .first_bad(|count| Ok(matches!(self.after(count)?, Made::Failed(other, _) if other == *kind)))?;
        let found = Found {
            symptom: Symptom { pass: None, kind: kind.clone() },
            function: self.applied(number).and_then(|a| a.function()).unwrap_or_default().to_owned(),
            message,
            refuted: None,
        };
        let texts = self.around(number)?;
        Ok(self.guilty(number, found, None, texts))
    }

    /// What is done last when so much is done.
    fn applied(&self, number: u64) -> Option<&llvm::Application> {
        self.applications.iter().find(|a| a.number == number)
    }

    fn guilty(&self, number: u64, found: Found, alone: Option<bool>, made: [Made; 2]) -> Guilty {
        let (unit, pass, on) = match &self.way {
            Way::Limit => {
                let applied = self.applied(number);
                let pass = applied.map_or_else(|| "a pass".to_owned(), |a| a.pass.clone());
                let on = applied.map(|a| match a.function() {
                    Some(name) if a.on == name => format!("@{name}"),
                    _ => shortened(&a.on),
                });
                ("application", pass, on)
            }
            Way::Passes(elements) => {
                let index = usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
                let pass = prefix::passes(elements).get(index).map_or("a pass", |e| &e.name).to_owned();
                ("pass", pass, None)
            }
            Way::Whole => ("pass", String::new(), None),
        };
        Guilty {
            total: self.total,
            number,
            unit,
            pass: (number > 0).then(|| visible(&pass)),
            on: visible(&on.unwrap_or_else(|| subject(&found.function))),
            found,
            alone,
            commands: (
                number.checked_sub(1).and_then(|n| self.command(n)).map(|command| command.text),
                self.command(number).map_or_else(|| self.optimizer.text.clone(), |command| command.text),
            ),
            texts: made.map(|made| match made {
                Made::Module(_, text) => Some(text),
                Made::Failed(..) => None,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, Guilty, Interrupt, Machine, Ours, named};

    #[test]
    fn the_only_pass_is_called_as_it_was_asked_for() {
        assert_eq!(named("GVNPass".to_owned(), "gvn"), "gvn");
        assert_eq!(named("LCSSAPass".to_owned(), "licm"), "LCSSAPass");
        assert_eq!(named("GVNPass".to_owned(), "default"), "GVNPass");
    }

    use backedge_ir::inst::Use;
    use backedge_ir::int::Int;
    use backedge_ir::parse::read_module;
    use backedge_pipeline::Pipeline;
    use backedge_pipeline::pass::{FunctionStep, ModuleStep};
    use backedge_transform::pass::{FunctionPass, Unit};
    use backedge_validate::check::Options;
    use backedge_validate::judge::Judge;
    use std::sync::Arc;

    const TEXT: &str =
        "define i32 @f(i32 %x) {\n  %a = add i32 %x, 1\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n";

    /// Sets the constant that is added last, and panics on the second number.
    #[derive(Debug)]
    struct Adds(u128, Option<u128>);

    impl FunctionPass for Adds {
        fn text(&self) -> String {
            format!("adds-{}", self.0)
        }
        fn run(&self, unit: &mut Unit<'_>) {
            let last = unit.body().all_insts().nth(1).expect("an addition");
            let now = unit.body().as_int(unit.body().inst(last).operands[1]).map(Int::bits);
            assert!(self.1.is_none() || self.1 != now, "this number is not liked");
            let value = unit.editor().int(Int::new(32, self.0));
            unit.editor().set_operand(Use { user: last, index: 1 }, value);
        }
    }

    fn bisect(passes: Vec<Adds>) -> Option<Guilty> {
        let steps = passes.into_iter().map(|p| FunctionStep::Pass(Arc::new(p))).collect();
        let pipeline = Pipeline { steps: vec![ModuleStep::Functions(steps)] };
        let judge = Checker { judge: Judge::new(Options::default()), solver: false, known: None };
        let module = Arc::new(read_module(TEXT.as_bytes()).expect("a module").module);
        let (machine, interrupt) = (Machine::default(), Interrupt::default());
        let ours = Ours { module, pipeline: &pipeline, machine, judge: &judge, interrupt: &interrupt };
        ours.bisect().expect("nobody stops it").guilty()
    }

    #[test]
    fn the_run_that_broke_it_is_found() {
        let passes = |list: &[u128]| list.iter().map(|n| Adds(*n, None)).collect::<Vec<_>>();
        assert!(bisect(passes(&[1, 1])).is_none());
        let guilty = bisect(passes(&[1, 2, 3, 4, 5])).expect("it is wrong");
        assert_eq!((guilty.number, guilty.total, guilty.alone), (2, 5, Some(true)));
        assert_eq!(guilty.pass.as_deref(), Some("adds-2"));
        assert!(guilty.commands.1.contains("--stop-after=2"), "{:?}", guilty.commands);
        let [before, after] = guilty.texts.map(|t| t.expect("a module"));
        assert!(before.contains("%b = add i32 %a, 1") && after.contains("%b = add i32 %a, 2"), "{after}");
        // What is mended in the end was wrong all the same.
        let guilty = bisect(passes(&[1, 2, 1])).expect("a step is wrong");
        assert_eq!((guilty.number, guilty.pass.as_deref()), (2, Some("adds-2")));
    }

    #[test]
    fn a_crash_is_of_the_run_that_crashed() {
        let guilty = bisect(vec![Adds(1, None), Adds(1, Some(1))]).expect("it crashes");
        assert_eq!((guilty.number, guilty.total, &*guilty.on), (2, 2, "@f"));
        assert!(guilty.found.message.contains("this number is not liked"));
        assert!(guilty.texts[0].is_some() && guilty.texts[1].is_none());
    }
}
