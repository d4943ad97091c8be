//! Accepted findings of `gate`: a baseline file in the format of campaigns (`backedge_fuzz::campaign::baseline`).
//!
//! A finding's bucket names the pass, the kind of failure and, by a hash, the function and its file: the file by its name
//! and that of its directory as they were given, so that the bucket does not depend on where a checkout lies, nor on the
//! function's code. An
//! entry with an `example`, the path of a file, accepts findings in that file only. Contradictions between this project's
//! engines and unreadable files are never accepted.
//!
//! An entry is stale if the run judged its file and did not find its bucket. Without an `example` this holds for any run
//! that is not limited to changed files.

use crate::report::StaleEntry;
use crate::shown::{shown, visible};
use backedge_fuzz::campaign::baseline::{Accepted, Baseline, Day, Standing};
use backedge_fuzz::campaign::bucket::bucket;
use backedge_fuzz::oracles::label::BY_UNDEF;
use backedge_validate::record::{Finding, Record};
use backedge_validate::verdict::{Verdict, VerdictKind};
use miette::IntoDiagnostic;
use std::path::{Path, PathBuf};

/// A baseline on a given day.
pub(crate) struct Acceptance {
    baseline: Baseline,
    /// The baseline's file as messages name it; empty without one.
    file: String,
    today: Day,
}

impl Acceptance {
    /// The baseline in the file `path`, today; without a file, one without entries.
    pub(crate) fn read(path: Option<&Path>) -> miette::Result<Self> {
        let baseline = path.map(Baseline::read).transpose().into_diagnostic()?.unwrap_or_default();
        Ok(Self { baseline, file: path.map(shown).unwrap_or_default(), today: Day::today() })
    }

    /// Adds the bucket of a finding to its record, and the reason if the finding is accepted.
    pub(crate) fn mark(&self, record: &mut Record) {
        record.bucket = bucket_of(record);
        let Some(bucket) = &record.bucket else { return };
        if let Standing::Accepted(entry) = self.baseline.standing(bucket, self.today)
            && is_of(entry, &record.file)
        {
            record.accepted = Some(entry.reason.clone());
        }
    }

    /// The stale entries. `files` were judged; `is_whole` says that the run was not limited to changed files.
    pub(crate) fn stale(&self, records: &[Record], files: &[PathBuf], is_whole: bool) -> Vec<StaleEntry> {
        let is_judged = |entry: &&Accepted| match &entry.example {
            Some(example) => files.iter().any(|file| same_file(file, example)),
            None => is_whole,
        };
        let is_found = |entry: &Accepted| {
            let is_it = |record: &Record| record.bucket.as_ref() == Some(&entry.bucket);
            records.iter().any(|record| is_it(record) && is_of(entry, &record.file))
        };
        let stale = self.baseline.accepted.iter().filter(is_judged).filter(|entry| !is_found(entry));
        stale
            .map(|entry| StaleEntry {
                file: self.file.clone(),
                line: entry.line,
                bucket: visible(&entry.bucket),
                reason: visible(&entry.reason),
            })
            .collect()
    }
}

/// Whether an entry may accept findings in the file.
fn is_of(entry: &Accepted, file: &str) -> bool {
    entry.example.as_ref().is_none_or(|example| same_file(Path::new(file), example))
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The bucket of a finding that a baseline may accept.
fn bucket_of(record: &Record) -> Option<String> {
    let (pass, kind) = match &record.finding {
        Finding::Validation { pass, verdict, .. } => (pass.as_str(), kind_of(verdict)?),
        Finding::Crash { pass, .. } => (pass.as_str(), "crash".to_owned()),
        Finding::Refused { pass, .. } => (pass.as_str(), "refused".to_owned()),
        Finding::Hang { pass, .. } => (pass.as_str(), "hang".to_owned()),
        Finding::BadInput { .. } | Finding::Opaque { .. } => return None,
    };
    let path = Path::new(&record.file);
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let place = [name(path.parent()), name(Some(path)), record.function.clone()].join("\0");
    Some(bucket(Some(pass), &kind, &place))
}

/// The kind of a verdict that a baseline may accept.
fn kind_of(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Refuted(refutation) => Some(refutation.failure.words().to_owned()),
        Verdict::RefutedByUndef { refutation, .. } => {
            Some(format!("{}{BY_UNDEF}", refutation.failure.words()))
        }
        Verdict::Inconclusive { .. } => Some("inconclusive".to_owned()),
        Verdict::RefinesAll { .. } | Verdict::RefinesUpTo { .. } => {
            (verdict.kind() == VerdictKind::RefinesIfClaims).then(|| "refines-if-claims".to_owned())
        }
        Verdict::Vacuous { .. } | Verdict::InternalError(_) => None,
    }
}
