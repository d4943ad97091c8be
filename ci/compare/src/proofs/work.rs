//! One table row on one file: runs the optimizer, and judges each function that it has changed by a separate
//! `backedge gate` process.

use super::report::{Done, End, Explained, FunctionResult};
use super::rows::{Directory, directory_of};
use super::{Limits, Source};
use crate::passes::functions::{changed, codes};
use crate::process::{self, Ended};
use crate::tier::{self, Table};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tier of functions of real programs.
pub(crate) const REAL: &str = "real";

/// A unit of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    pub(crate) source: Source,
    pub(crate) row: String,
    pub(crate) file: PathBuf,
}

/// The programs and parameters for the work.
pub(crate) struct Worker<'a> {
    pub(crate) backedge: PathBuf,
    pub(crate) opt: PathBuf,
    pub(crate) limits: Limits,
    /// Additional arguments for `backedge gate`.
    pub(crate) check: &'a [String],
    /// The directory with LLVM's tests, and their table.
    pub(crate) tests: Option<(PathBuf, Table)>,
}

impl Worker<'_> {
    pub(crate) fn run(&self, unit: &Unit) -> Result<Done> {
        let dir = tempfile::tempdir()?;
        match unit.source {
            Source::Ours => self.ours(unit, dir.path()),
            Source::Llvm => self.llvm(unit, dir.path()),
            Source::Real => self.real(unit, dir.path()),
        }
    }

    fn done(unit: &Unit, command: String, failure: Option<String>, functions: Vec<FunctionResult>) -> Done {
        let file = unit.file.display().to_string();
        Done { table: unit.source, row: unit.row.clone(), file, command, failure, functions }
    }

    fn ours(&self, unit: &Unit, dir: &Path) -> Result<Done> {
        let (failure, records) = self.gate(&unit.file, &["--passes".to_owned(), unit.row.clone()], dir)?;
        let text = fs::read(&unit.file).with_context(|| unit.file.display().to_string())?;
        let tiers = tier::of_text(&String::from_utf8_lossy(&text));
        let tier = |function: &str| tiers.get(function).copied().unwrap_or(tier::BEYOND).to_owned();
        let functions = records.iter().filter_map(|r| FunctionResult::of_record(r, &tier)).collect();
        Ok(Self::done(unit, unit.row.clone(), failure, functions))
    }

    /// First runs `opt` without a pass, so that differences in syntax do not count as changes.
    fn llvm(&self, unit: &Unit, dir: &Path) -> Result<Done> {
        let directory = directory_of(&unit.file).context("no directory of LLVM's tests")?;
        let base = dir.join(unit.file.file_name().context("a file has a name")?);
        let nothing = ["-passes=verify".to_owned()];
        if let Err(why) = self.opt(&nothing, &unit.file, &base)? {
            let failure = Some(format!("opt can't read it: {why}"));
            return Ok(Self::done(unit, String::new(), failure, Vec::new()));
        }
        let (arguments, after) = self.arguments(directory, &base, unit, dir)?;
        self.judged(unit, &base, (&arguments, after.as_deref()), dir)
    }

    /// A pass of LLVM on a file that is no test.
    fn real(&self, unit: &Unit, dir: &Path) -> Result<Done> {
        let base = dir.join(unit.file.file_name().context("a file has a name")?);
        let (nothing, out) = (["-passes=verify".to_owned()], dir.join("after"));
        let arguments = [format!("-passes={}", unit.row)];
        let mut ended = self.opt(&nothing, &unit.file, &base)?;
        if ended.is_ok() {
            ended = self.opt(&arguments, &base, &out)?;
        }
        if let Err(why) = ended {
            return Ok(Self::done(unit, String::new(), Some(why), Vec::new()));
        }
        let code = |path: &Path| Ok::<_, anyhow::Error>(codes(&String::from_utf8_lossy(&fs::read(path)?)));
        let names = changed(&code(&base)?, &code(&out)?);
        self.judged(unit, &base, (&arguments, Some(&names)), dir)
    }

    /// The results of `backedge gate` with these arguments of `opt`, for the functions of these names.
    fn judged(
        &self,
        unit: &Unit,
        base: &Path,
        (arguments, after): (&[String], Option<&[String]>),
        dir: &Path,
    ) -> Result<Done> {
        let quoted = shlex::try_join(arguments.iter().map(String::as_str))?;
        let opt = self.opt.to_str().context("the name of opt is no text")?;
        let command = format!("{} {quoted} -S", shlex::try_quote(opt)?);
        let shown = format!("opt {quoted}");
        let (failure, records) = self.gate(base, &["--opt".to_owned(), command], dir)?;
        let tier = |function: &str| match unit.source {
            Source::Real => REAL.to_owned(),
            Source::Ours | Source::Llvm => self.tier(&unit.file, function),
        };
        let is_change = |record: &Value| match &after {
            Some(names) => record["function"].as_str().is_none_or(|name| names.iter().any(|n| n == name)),
            None => true,
        };
        let records = records.iter().filter(|r| r["kind"] != "validation" || is_change(r));
        let functions = records.filter_map(|r| FunctionResult::of_record(r, &tier)).collect();
        Ok(Self::done(unit, shown, failure, functions))
    }

    /// The arguments for `opt`, and the functions whose code they change; `None` if `opt` fails.
    fn arguments(
        &self,
        directory: &Directory,
        base: &Path,
        unit: &Unit,
        dir: &Path,
    ) -> Result<(Vec<String>, Option<Vec<String>>)> {
        let test = String::from_utf8_lossy(&fs::read(&unit.file)?).into_owned();
        let before = codes(&String::from_utf8_lossy(&fs::read(base)?));
        let out = dir.join("after");
        let mut last = None;
        for arguments in [directory.arguments(&test), directory.plain()] {
            // If LLVM 22 rejects the options of an older test, run only the pass.
            let ended = self.opt(&arguments, base, &out)?;
            if ended.is_ok() {
                let names = changed(&before, &codes(&String::from_utf8_lossy(&fs::read(&out)?)));
                return Ok((arguments, Some(names)));
            }
            last = Some(arguments);
        }
        Ok((last.unwrap_or_default(), None))
    }

    fn opt(&self, arguments: &[String], file: &Path, out: &Path) -> Result<Result<(), String>> {
        let mut command = Command::new(&self.opt);
        command.args(arguments).arg("-S").arg("-o").arg(out).arg(file);
        Ok(match process::run(&mut command, self.limits.optimizer)? {
            Ended::Done => Ok(()),
            Ended::Failed(said) => Err(said),
            Ended::Crashed(signal) => Err(format!("signal {signal}")),
            Ended::Time => Err("it takes too long".to_owned()),
        })
    }

    fn tier(&self, file: &Path, function: &str) -> String {
        let known = self.tests.as_ref().and_then(|(dir, table)| {
            let below = file.strip_prefix(dir).ok()?.to_str()?.to_owned();
            table.get(&(below, function.to_owned())).map(|row| row.tier.clone())
        });
        known.unwrap_or_else(|| tier::BEYOND.to_owned())
    }

    /// The records of `backedge gate`, and the reason if they are incomplete.
    fn gate(&self, file: &Path, what: &[String], dir: &Path) -> Result<(Option<String>, Vec<Value>)> {
        let json = dir.join("records");
        let mut command = Command::new(&self.backedge);
        command.arg("gate").arg(file).args(what).args(["-j", "1", "-q", "--max-inconclusive", "1", "--json"]);
        command.arg(&json).args(self.check);
        let failure = match process::run(&mut command, self.limits.file)? {
            Ended::Done => None,
            // A non-zero exit code may mean findings; the records then contain them.
            Ended::Failed(said) if !json.exists() => Some(said),
            Ended::Failed(_) => None,
            Ended::Crashed(signal) => Some(format!("the checker was ended by signal {signal}")),
            Ended::Time => Some(format!("the checker took more than {} s", self.limits.file.as_secs())),
        };
        let text = if json.exists() { fs::read_to_string(&json)? } else { String::new() };
        let records: Vec<Value> =
            text.lines().map(serde_json::from_str).collect::<Result<_, _>>().context("no record")?;
        ensure!(failure.is_some() || !records.is_empty(), "{} wrote no record", self.backedge.display());
        Ok((failure, records))
    }
}

/// The contents of `explained.toml`: tables `["LICM/file.ll @function"]` in short form, `key = "why"`.
pub(crate) fn explained() -> Result<Explained> {
    toml::from_str(include_str!("explained.toml")).context("explained.toml")
}

impl End {
    /// The verdict of a record.
    fn of(verdict: &Value) -> Self {
        match verdict["kind"].as_str().unwrap_or_default() {
            "refines-all" if verdict["method"] == "induction" || verdict["method"] == "simulation" => {
                Self::Proved
            }
            "refines-all" => Self::AllPaths,
            "refines-up-to" => Self::Bounded,
            "vacuous" => Self::Vacuous,
            "inconclusive" => Self::Inconclusive,
            "refuted" => Self::Refuted,
            _ => Self::InternalError,
        }
    }
}

impl FunctionResult {
    /// The result of a record for a function or for a whole file; `None` if the record has none.
    fn of_record(record: &Value, tier: &dyn Fn(&str) -> String) -> Option<Self> {
        let function = record["function"].as_str()?.to_owned();
        let kind = record["kind"].as_str()?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (end, reason) = match kind {
            "validation" => {
                let verdict = &record["verdict"];
                let end = End::of(verdict);
                let reason = match end {
                    End::Bounded => format!("bounded by {}", verdict["bound"]),
                    End::Inconclusive => words(&verdict["reason"]),
                    End::Refuted => text(&verdict["failure"]),
                    End::InternalError => text(&verdict["what"]),
                    End::Proved | End::AllPaths | End::Vacuous | End::Optimizer => String::new(),
                };
                (end, reason)
            }
            "crash" | "refused" | "hang" => (End::Optimizer, format!("{kind}: {}", text(&record["message"]))),
            _ => return None,
        };
        Some(Self {
            tier: tier(&function),
            function,
            end,
            assumes: record["verdict"]["assumed"].as_array().is_some_and(|list| !list.is_empty()),
            reason,
            unproved: record["unproved"].as_str().map(str::to_owned),
            milliseconds: record["time_ms"].as_u64().unwrap_or(0),
        })
    }
}

/// The kind of a reason with its details, without numeric limits.
fn words(reason: &Value) -> String {
    let details = reason.as_object().into_iter().flatten().filter(|(name, _)| *name != "why");
    let details: Vec<&str> = details.filter_map(|(_, value)| value.as_str()).collect();
    let why = reason["why"].as_str().unwrap_or("unknown");
    if details.is_empty() { why.to_owned() } else { format!("{why}: {}", details.join(", ")) }
}
