//! `backedge tv`: translation validation of pairs of functions, or of what passes do with the functions of a file.

mod passes;
mod select;
mod session;

use super::gate::jobs;
use super::judging::Judging;
use super::module::load;
use super::optimize::machine;
use crate::exit::Exit;
use crate::input::Source;
use crate::report::json::{JsonLines, is_on_stdout};
use crate::report::no_change;
use crate::settings::settings;
use crate::{input, output};
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_smt::proof::Certificate;
use backedge_transform::cost::Machine;
use backedge_validate::batch::millis;
use backedge_validate::certificate::CertificateFile;
use backedge_validate::check::Side;
use backedge_validate::judge::Judge;
use backedge_validate::module_level::differences;
use backedge_validate::pairs::Pairs;
use backedge_validate::record::{Record, Summary};
use backedge_validate::verdict::VerdictKind;
use session::{Function, Job, Session, Shown, is_refuted};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Arguments of `tv`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One file: @src is compared with @tgt, @src1 with @tgt1, @src_name with @tgt_name. Two files:
functions of the same name are compared (and @src… of the first with @tgt… of the second). Others:
--src-fn and --tgt-fn. One file with --passes: each function is compared before and after each pass
that changes it.

These flags of alive-tv have the same meaning here: -src-unroll, -tgt-unroll, -smt-to,
-disable-undef-input, -disable-poison-input, -src-fn, -tgt-fn, -func, -passes, -bidirectional,
-always-verify, -quiet.

Example:
  backedge tv corpus/terminology/rotate-by-hand-unguarded.ll")]
pub(crate) struct Args {
    /// The module of the source, or of both functions: a .ll, .bc, .c or .cpp file, or - for standard input
    source: PathBuf,
    /// The module of the target
    #[arg(conflicts_with = "passes")]
    target: Option<PathBuf>,
    /// Compare this function of the source module; without --tgt-fn with @tgtX for @srcX, else @tgt (one file), or with
    /// the function of the same name (two files)
    #[arg(long, value_name = "NAME", conflicts_with = "passes")]
    src_fn: Option<String>,
    /// Compare with this function of the target module; without --src-fn the source is found in the same way
    #[arg(long, value_name = "NAME", conflicts_with = "passes")]
    tgt_fn: Option<String>,
    /// Compare only pairs with a function of this name; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with_all = ["src_fn", "tgt_fn"])]
    func: Vec<String>,
    /// Run these passes of this project, in the syntax of opt, over a copy of the file, and compare the functions before
    /// and after each pass that changes them
    #[arg(long, value_name = "TEXT")]
    passes: Option<String>,
    /// With --passes: compare each function before and after the whole pipeline
    #[arg(long, requires = "passes")]
    whole_pipeline: bool,
    /// With --passes: the target machine of the cost model: ooo, ooo-loop-predictor or in-order
    #[arg(long, value_name = "NAME", default_value = "ooo", requires = "passes", value_parser = machine)]
    machine: Machine,
    /// Bound for the loops of the source, as in alive-tv: --bound N for both functions, which covers all paths of
    /// alive-tv's factor N; of two different factors the larger one is used
    #[arg(long, value_name = "N", conflicts_with = "bound", value_parser = clap::value_parser!(u32).range(0..=1024))]
    src_unroll: Option<u32>,
    /// Bound for the loops of the target, see --src-unroll
    #[arg(long, value_name = "N", conflicts_with = "bound", value_parser = clap::value_parser!(u32).range(0..=1024))]
    tgt_unroll: Option<u32>,
    /// Also check whether the source refines the target
    #[arg(long, conflicts_with = "certificate")]
    bidirectional: bool,
    /// Judge identical functions like all others, instead of accepting them at once
    #[arg(long)]
    always_verify: bool,
    /// Also check every source against itself and every target against itself; identical functions are then not
    /// accepted without a check
    #[arg(long = "self")]
    reflexive: bool,
    /// Begin no further check after a refutation
    #[arg(long)]
    fail_fast: bool,
    /// Show the complete recorded traces of a refuted pair, not only their last rows
    #[arg(long)]
    trace: bool,
    /// Write records as JSON lines to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the proof for all iterations to this file, for `backedge recheck`; requires a single pair
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write a refuted pair to this file, as @src and @tgt with the input on which it fails, for `backedge replay`
    /// and `backedge tv`; requires a single pair
    #[arg(long, value_name = "FILE")]
    reproducer: Option<PathBuf>,
    /// Number of concurrent checks (0: one per processor); with fewer pairs than this, a proof search runs in
    /// parallel to each bounded check
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0, value_parser = jobs())]
    jobs: usize,
    #[command(flatten)]
    judging: Judging,
}

/// Runs the command.
pub(crate) fn run(mut args: Args) -> miette::Result<Exit> {
    args.refuse_outputs()?;
    args.set_bound();
    let Ok((source_text, source)) = load(&args.source) else { return Ok(Exit::BadInput) };
    let first = Arc::new(source.module);
    let second = match &args.target {
        Some(path) => match load(path) {
            Ok((_, parsed)) => Some(Arc::new(parsed.module)),
            Err(_) => return Ok(Exit::BadInput),
        },
        None => None,
    };
    let Some(work) = args.work(&source_text, &first, second.as_ref())? else { return Ok(Exit::Accepted) };
    for (path, flag) in [(&args.certificate, "--certificate"), (&args.reproducer, "--reproducer")] {
        if path.is_some() && work.pairs > 1 {
            let named = if args.passes.is_some() { "--whole-pipeline" } else { "--src-fn and --tgt-fn" };
            miette::bail!(help = format!("one pair is selected with {named}"), "{flag} takes one pair");
        }
    }
    let judge = args.judging.judge(args.jobs)?;
    let session = Session {
        file: &source_text.name,
        judge: if args.reflexive || args.always_verify { judge.without_identity() } else { judge },
        shown: args.shown(),
        trace: args.trace,
        fail_fast: args.fail_fast,
    };
    let start = Instant::now();
    let mut json = args.json.as_deref().map(|path| JsonLines::open(path, &[])).transpose()?;
    let found = session.check_all(&work.jobs, args.jobs, json.as_mut())?;
    let skipped = work.jobs.len() - found.len();
    let (records, certificates): (Vec<Record>, Vec<_>) = found.into_iter().unzip();
    args.finish(&session.judge, &records, start, json)?;
    if skipped > 0 {
        output::to_stderr(&format!(
            "stopped at the first refutation (--fail-fast): checks not begun: {skipped}"
        ));
    }
    let code = exit(&records, args.judging.assume_attributes);
    match (&args.certificate, &work.pair) {
        (Some(path), Some(pair)) if code == Exit::Accepted => {
            certify(pair, certificates.last().and_then(Option::as_deref), path, &session.judge)
        }
        (Some(_), _) => {
            output::to_stderr("no certificate is written: the pair is not accepted");
            Ok(code)
        }
        (None, _) => Ok(code),
    }
}

/// What there is to do.
struct Work {
    jobs: Vec<Job>,
    /// The number of pairs, without those that flags add.
    pairs: usize,
    /// The first pair.
    pair: Option<(Function, Function)>,
}

impl Args {
    /// Fails if an output would overwrite an input.
    fn refuse_outputs(&self) -> miette::Result<()> {
        let inputs: Vec<PathBuf> = std::iter::once(&self.source).chain(&self.target).cloned().collect();
        input::refuse_stdin_twice(&inputs)?;
        for path in self.json.iter().chain(&self.certificate).chain(&self.reproducer) {
            output::refuse_to_overwrite(path, &inputs)?;
        }
        Ok(())
    }

    /// Sets the bound from alive-tv's factors. The checker has one bound for both functions: the larger factor.
    fn set_bound(&mut self) {
        let factors = [("--src-unroll", self.src_unroll), ("--tgt-unroll", self.tgt_unroll)];
        let given: Vec<(&str, u32)> =
            factors.into_iter().filter_map(|(flag, factor)| Some((flag, factor?))).collect();
        let Some(most) = given.iter().map(|(_, factor)| *factor).max() else { return };
        let bound = most.max(1);
        self.judging.limits.set_bound(bound);
        if given.len() < 2 || given.iter().any(|(_, factor)| *factor != bound) {
            let given: Vec<String> = given.iter().map(|(flag, factor)| format!("{flag} {factor}")).collect();
            output::note(&format!(
                "{}: one bound holds for both functions, --bound {bound}",
                given.join(" ")
            ));
        }
    }

    /// How much is printed.
    fn shown(&self) -> Shown {
        if is_on_stdout(self.json.as_deref()) {
            Shown::Nothing
        } else if settings().quiet {
            Shown::NotAccepted
        } else {
            Shown::All
        }
    }

    /// The comparisons; `None` if no pass changed anything, which has been printed.
    fn work(
        &self,
        text: &Source,
        first: &Arc<Module>,
        second: Option<&Arc<Module>>,
    ) -> miette::Result<Option<Work>> {
        let Some(passes) = &self.passes else { return self.work_on_pairs(first, second).map(Some) };
        let made = passes::made(text, passes, self.machine, self.whole_pipeline)?;
        let mut jobs = made.jobs;
        if !self.func.is_empty() {
            let is_wanted = |name: &str| self.func.iter().any(|n| n.strip_prefix('@').unwrap_or(n) == name);
            for name in &self.func {
                super::module::select(first, Some(name))?;
            }
            jobs.retain(|job| is_wanted(job.function()));
        }
        if jobs.is_empty() {
            let functions = if self.func.is_empty() { made.functions } else { self.func.len() };
            if self.shown() != Shown::Nothing {
                output::to_stdout(&(no_change(functions) + "\n"))?;
            }
            if made.functions == 0 {
                miette::bail!("{} defines no function: nothing was checked", text.name);
            }
            return Ok(None);
        }
        let pair = jobs.first().and_then(Job::pair);
        let pairs = jobs.len();
        Ok(Some(Work { jobs: self.with_more(jobs), pairs, pair }))
    }

    /// The comparisons of functions of the files.
    fn work_on_pairs(&self, first: &Arc<Module>, second: Option<&Arc<Module>>) -> miette::Result<Work> {
        let names = select::Names {
            source: self.src_fn.as_deref(),
            target: self.tgt_fn.as_deref(),
            only: &self.func,
        };
        let pairs = select::pairs(names, first, second.map(|module| &**module))?;
        let other = second.unwrap_or(first);
        warn_unmatched(&pairs, first, other);
        if pairs.pairs.is_empty() {
            miette::bail!(
                help = "one file needs @src and @tgt; two files need functions of the same name; --src-fn and --tgt-fn \
                        name other functions, -passes='licm' compares a file with what passes make of it",
                "no pair of functions to compare"
            );
        }
        let function = |module: &Arc<Module>, func| (module.clone(), func);
        let all = pairs.pairs.iter();
        let jobs: Vec<Job> =
            all.map(|p| Job::of_pair(function(first, p.source), function(other, p.target))).collect();
        let pair = jobs.first().and_then(Job::pair);
        Ok(Work { pairs: jobs.len(), jobs: self.with_more(jobs), pair })
    }

    /// The jobs with those that --self and --bidirectional add. The pair itself comes after those of --self.
    fn with_more(&self, jobs: Vec<Job>) -> Vec<Job> {
        let mut all = Vec::new();
        for job in jobs {
            let pair = job.pair();
            if let (true, Some((source, target))) = (self.reflexive, &pair) {
                all.push(Job::of_pair(source.clone(), source.clone()));
                all.push(Job::of_pair(target.clone(), target.clone()));
            }
            let reverse =
                pair.filter(|_| self.bidirectional).map(|(source, target)| job.reverse(target, source));
            all.push(job);
            all.extend(reverse);
        }
        all
    }

    /// Prints the summary, and writes the records and the reproducer.
    fn finish(
        &self,
        judge: &Judge,
        records: &[Record],
        start: Instant,
        json: Option<JsonLines<'_>>,
    ) -> miette::Result<()> {
        let summary = Summary::of(records);
        if self.shown() != Shown::Nothing {
            output::to_stdout(&format!("{summary}\n"))?;
        }
        if let Some(mut json) = json {
            let options = serde_json::to_value(judge.options()).unwrap_or_default();
            json.line(&summary.to_json(&options, false, millis(start)))?;
            json.finish()?;
        }
        self.reproducer.as_ref().map_or(Ok(()), |path| write_reproducer(path, records))
    }
}

/// Writes the reproducer of the refutation, or says why there is none.
fn write_reproducer(path: &Path, records: &[Record]) -> miette::Result<()> {
    match records.iter().find_map(|r| r.reproducer.as_ref()) {
        Some(Ok(made)) => output::write(path, &made.text(&path.display().to_string()))?,
        Some(Err(why)) => output::to_stderr(&format!("no reproducer is written: {why}")),
        None => output::to_stderr("no reproducer is written: the pair is not refuted"),
    }
    Ok(())
}

/// The exit code. Any inconclusive verdict counts, since the user selects pairs individually.
fn exit(records: &[Record], assume_attributes: bool) -> Exit {
    let summary = Summary::of(records);
    if records.iter().any(is_refuted) {
        Exit::Refuted
    } else if summary.bad_inputs > 0 {
        Exit::BadInput
    } else if summary.open_share(assume_attributes) > 0.0
        || summary.count(VerdictKind::InternalError) > 0
        || summary.judged() == 0
    {
        Exit::Inconclusive
    } else {
        Exit::Accepted
    }
}

/// Candidate names for the counterpart of a function.
fn counterparts(name: &str) -> impl Iterator<Item = String> {
    let renamed = |from: &str, to: &str| name.strip_prefix(from).map(|rest| format!("{to}{rest}"));
    [renamed("src", "tgt"), renamed("tgt", "src"), Some(name.to_owned())].into_iter().flatten()
}

/// Warns about functions without a counterpart, and about differences between the modules.
fn warn_unmatched(pairs: &Pairs, first: &Module, second: &Module) {
    let say = |module: &Module, other: &Module, funcs: &[FuncId], what: &str| {
        for func in funcs {
            let name = &module.env.funcs[*func].name;
            let declared = counterparts(name).find(|n| {
                other.env.func_named(n).is_some_and(|f| matches!(other.code[f], Code::Declaration))
            });
            output::to_stderr(&match declared {
                Some(n) => format!("warning: @{name} can't be compared: its {what} @{n} is only declared"),
                None => format!("warning: @{name} has no {what} to be compared with"),
            });
        }
    };
    say(first, second, &pairs.unmatched_sources, "target");
    say(second, first, &pairs.unmatched_targets, "source");
    for difference in differences(first, second) {
        output::to_stderr(&format!("warning: {difference}, which no pair of functions shows"));
    }
}

/// Writes a certificate that the target refines the source: `found`, if the verdict came with one.
fn certify(
    (source, target): &(Function, Function),
    found: Option<&Certificate>,
    path: &Path,
    judge: &Judge,
) -> miette::Result<Exit> {
    let [source, target] = [source, target].map(|(module, func)| Side { module, func: *func });
    match CertificateFile::new(source, target, found, judge.options()) {
        Ok(file) => output::write(path, &file.to_json()).map(|()| Exit::Accepted),
        Err(why) => {
            output::to_stderr(&format!("no certificate is written: {why}"));
            Ok(Exit::Inconclusive)
        }
    }
}
