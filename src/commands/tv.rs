//! `backedge tv`: translation validation of pairs of functions.

use super::gate::jobs;
use super::judging::Judging;
use super::module::{load, select};
use crate::exit::Exit;
use crate::{STACK, input, output};
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_smt::proof::Certificate;
use backedge_validate::batch::millis;
use backedge_validate::certificate::CertificateFile;
use backedge_validate::check::Side;
use backedge_validate::judge::{Judge, Judged};
use backedge_validate::module_level::differences;
use backedge_validate::pairs::{Pair, Pairs, in_one_module, in_two_modules};
use backedge_validate::record::{Finding, Record, Summary};
use backedge_validate::verdict::{Verdict, VerdictKind};
use miette::{IntoDiagnostic, WrapErr};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;

/// Arguments of `tv`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One file: @src is compared with @tgt, @src1 with @tgt1, @src_name with @tgt_name. Two files: functions of the same
name are compared (and @src… of the first with @tgt… of the second). Others: --src-fn and --tgt-fn.

Example:
  backedge tv corpus/terminology/rotate-by-hand-unguarded.ll")]
pub(crate) struct Args {
    /// The module of the source, or of both functions: a .ll file, or - for standard input
    source: PathBuf,
    /// The module of the target
    target: Option<PathBuf>,
    /// Compare this function of the source module…
    #[arg(long, value_name = "NAME", requires = "tgt_fn")]
    src_fn: Option<String>,
    /// … with this function of the target module
    #[arg(long, value_name = "NAME", requires = "src_fn")]
    tgt_fn: Option<String>,
    /// Also check every source against itself and every target against itself; identical functions are then not
    /// accepted without a check
    #[arg(long = "self")]
    reflexive: bool,
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
pub(crate) fn run(args: Args) -> miette::Result<Exit> {
    if let Err(wrong) = backedge_smt::check_z3_version() {
        miette::bail!("{wrong}");
    }
    let inputs: Vec<PathBuf> = std::iter::once(&args.source).chain(&args.target).cloned().collect();
    input::refuse_stdin_twice(&inputs)?;
    if let Some(json) = &args.json {
        output::refuse_to_overwrite(json, &inputs)?;
    }
    for path in args.certificate.iter().chain(&args.reproducer) {
        output::refuse_to_overwrite(path, &inputs)?;
    }
    let Ok((source_text, source)) = load(&args.source) else { return Ok(Exit::BadInput) };
    let second = match &args.target {
        Some(path) => match load(path) {
            Ok((_, parsed)) => Some(parsed.module),
            Err(_) => return Ok(Exit::BadInput),
        },
        None => None,
    };
    let first = &source.module;
    let pairs = pairs(&args, first, second.as_ref())?;
    let judge = args.judging.judge(args.jobs)?;
    let session = Session {
        file: &source_text.name,
        first,
        second: second.as_ref().unwrap_or(first),
        judge: if args.reflexive { judge.without_identity() } else { judge },
        quiet: args.json.as_ref().is_some_and(|p| p.as_os_str() == "-"),
        trace: args.trace,
    };
    session.warn_unmatched(&pairs);
    if pairs.pairs.is_empty() {
        miette::bail!(
            help = "one file needs @src and @tgt; two files need functions of the same name",
            "no pair of functions to compare"
        );
    }
    if args.certificate.is_some() && pairs.pairs.len() > 1 {
        miette::bail!(help = "name them with --src-fn and --tgt-fn", "--certificate takes one pair");
    }
    if args.reproducer.is_some() && pairs.pairs.len() > 1 {
        miette::bail!(help = "name them with --src-fn and --tgt-fn", "--reproducer takes one pair");
    }
    let start = Instant::now();
    let found = session.check_all(&pairs, args.reflexive, args.jobs)?;
    let (records, certificates): (Vec<Record>, Vec<_>) = found.into_iter().unzip();
    let summary = Summary::of(&records);
    if !session.quiet {
        output::to_stdout(&format!("{summary}\n"))?;
    }
    if let Some(path) = &args.json {
        let mut lines: String = records.iter().map(|r| r.to_json() + "\n").collect();
        let options = serde_json::to_value(session.judge.options()).unwrap_or_default();
        lines.push_str(&summary.to_json(&options, false, millis(start)));
        lines.push('\n');
        output::write(path, &lines)?;
    }
    let code = exit(&summary, args.judging.assume_attributes);
    if let Some(path) = &args.reproducer {
        write_reproducer(path, &records)?;
    }
    match (&args.certificate, pairs.pairs.first()) {
        (Some(path), Some(pair)) if code == Exit::Accepted => {
            session.certify(pair, certificates.last().and_then(Option::as_deref), path)
        }
        (Some(_), _) => {
            output::to_stderr("no certificate is written: the pair is not accepted");
            Ok(code)
        }
        (None, _) => Ok(code),
    }
}

/// The pairs to compare: the two named functions, or all that match by name.
fn pairs(args: &Args, first: &Module, second: Option<&Module>) -> miette::Result<Pairs> {
    Ok(match (&args.src_fn, &args.tgt_fn, second) {
        (Some(source), Some(target), _) => {
            let pick = |module, name: &str| select(module, Some(name)).map(|list| list[0]);
            let target = pick(second.unwrap_or(first), target)?;
            Pairs { pairs: vec![Pair { source: pick(first, source)?, target }], ..Pairs::default() }
        }
        (_, _, Some(second)) => in_two_modules(first, second),
        (_, _, None) => in_one_module(first),
    })
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
fn exit(summary: &Summary, assume_attributes: bool) -> Exit {
    if summary.count(VerdictKind::Refuted) + summary.count(VerdictKind::RefutedByUndef) > 0 {
        Exit::Refuted
    } else if summary.open_share(assume_attributes) > 0.0 || summary.count(VerdictKind::InternalError) > 0 {
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

/// The record of a pair, and the certificate of its verdict.
type PairResult = (Record, Option<Box<Certificate>>);

struct Session<'a> {
    file: &'a str,
    first: &'a Module,
    second: &'a Module,
    judge: Judge,
    /// Whether standard output is reserved for JSON lines.
    quiet: bool,
    /// Whether to show complete traces.
    trace: bool,
}

impl Session<'_> {
    fn warn_unmatched(&self, pairs: &Pairs) {
        let say = |module: &Module, other: &Module, funcs: &[FuncId], what: &str| {
            for func in funcs {
                let name = &module.env.funcs[*func].name;
                let declared = counterparts(name).find(|n| {
                    other.env.func_named(n).is_some_and(|f| matches!(other.code[f], Code::Declaration))
                });
                output::to_stderr(&match declared {
                    Some(n) => {
                        format!("warning: @{name} can't be compared: its {what} @{n} is only declared")
                    }
                    None => format!("warning: @{name} has no {what} to be compared with"),
                });
            }
        };
        say(self.first, self.second, &pairs.unmatched_sources, "target");
        say(self.second, self.first, &pairs.unmatched_targets, "source");
        for difference in differences(self.first, self.second) {
            output::to_stderr(&format!("warning: {difference}, which no pair of functions shows"));
        }
    }

    /// The records and certificates in the order of the pairs. Each pair's output is printed as soon as all earlier ones are.
    fn check_all(&self, pairs: &Pairs, reflexive: bool, jobs: usize) -> miette::Result<Vec<PairResult>> {
        let mut all = Vec::new();
        for pair in &pairs.pairs {
            let source = Side { module: self.first, func: pair.source };
            let target = Side { module: self.second, func: pair.target };
            if reflexive {
                all.extend([(source, source), (target, target)]);
            }
            all.push((source, target));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK).build();
        let pool = pool.into_diagnostic().wrap_err(
            "the threads of the checks can't be started; fewer of them (--jobs) need less memory",
        )?;
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            let all = &all;
            let work = move || {
                pool.install(|| {
                    all.par_iter().enumerate().for_each(|(nth, (source, target))| {
                        // The receiver is gone only if a thread of this program panicked, which is reported
                        // elsewhere.
                        let _ = sender.send((nth, self.check(*source, *target)));
                    });
                });
            };
            std::thread::Builder::new()
                .spawn_scoped(scope, work)
                .map_err(|e| miette::miette!("no thread can be started: {e}"))?;
            let (mut early, mut found) = (BTreeMap::new(), Vec::new());
            for (nth, checked) in receiver {
                early.insert(nth, checked);
                while let Some((one, text)) = early.remove(&found.len()) {
                    if !self.quiet {
                        // The exit code contains the verdict too; a closed pipe is no error.
                        let _ = output::to_stdout(&text);
                    }
                    found.push(one);
                }
            }
            Ok(found)
        })
    }

    /// Writes a certificate that the target refines the source: `found`, if the verdict came with one.
    fn certify(&self, pair: &Pair, found: Option<&Certificate>, path: &Path) -> miette::Result<Exit> {
        let source = Side { module: self.first, func: pair.source };
        let target = Side { module: self.second, func: pair.target };
        match CertificateFile::new(source, target, found, self.judge.options()) {
            Ok(file) => output::write(path, &file.to_json()).map(|()| Exit::Accepted),
            Err(why) => {
                output::to_stderr(&format!("no certificate is written: {why}"));
                Ok(Exit::Inconclusive)
            }
        }
    }

    /// The record of a pair with the certificate of its verdict, and its output.
    fn check(&self, source: Side<'_>, target: Side<'_>) -> (PairResult, String) {
        let name = |side: Side<'_>| side.module.env.funcs[side.func].name.to_string();
        let start = Instant::now();
        let judged = self.judge.judge(source, target);
        let reproducer = judged.reproducer(source, target, self.judge.options());
        let Judged { report, cached } = judged;
        let from = if cached { " (from the cache)" } else { "" };
        let heading = format!("@{} => @{}: {}{from}\n", name(source), name(target), report.verdict);
        let details = match &report.verdict {
            Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } if self.trace => {
                format!("{refutation:#}\n")
            }
            Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } => {
                format!("{refutation}\n")
            }
            Verdict::InternalError(error) => format!("{error}\n"),
            Verdict::RefinesAll { .. }
            | Verdict::RefinesUpTo { .. }
            | Verdict::Vacuous { .. }
            | Verdict::Inconclusive { .. } => String::new(),
        };
        let finding = Finding::Validation {
            pass: name(target),
            step: 0,
            verdict: report.verdict,
            rlimit: report.rlimit,
            runs: report.runs,
            cached,
            defined: report.defined,
            unproved: report.unproved,
            remarks: Vec::new(),
        };
        let record = Record::new(self.file, &name(source), millis(start), finding);
        ((Record { reproducer, ..record }, report.certificate), heading + &details)
    }
}
