//! JSON records of commands other than `gate` and `tv`: one object per line, of the kinds below.
//!
//! Every record has `"schema"`, `"kind"` and `"file"`, the command's input as the user named it (empty if it has none).

use super::json::JsonLines;
use backedge_fuzz::reduce::{Ended, Reduced, Size};
use backedge_validate::record::{LastRecord, Record, SCHEMA, without_line_breaks};
use backedge_validate::verdict::Verdict;
use backedge_validate::witness::Refutation;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde::Serialize;
use std::path::Path;

/// A record of a command.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Line {
    /// The version of this schema.
    schema: u32,
    /// The command's input as the user named it; empty if it has none.
    file: String,
    /// What happened.
    #[serde(flatten)]
    event: Event,
}

impl Line {
    /// The record of `event` about `file`.
    pub(crate) fn new(file: &str, event: Event) -> Self {
        Self { schema: SCHEMA, file: file.to_owned(), event }
    }

    /// The record as a line of JSON, without the line end.
    pub(crate) fn to_json(&self) -> String {
        // All keys are strings, so that this does not fail.
        without_line_breaks(&serde_json::to_string(self).unwrap_or_default())
    }
}

/// What happened.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Event {
    /// `recheck` checked a certificate.
    Rechecked {
        /// The source's name, without `@`.
        source: String,
        /// The target's name, without `@`.
        target: String,
        /// The verdict that the certificate proves; `null` if it is no proof, or about other functions.
        verdict: Option<Verdict>,
        /// Why it proves nothing.
        why: Option<String>,
    },
    /// `replay` reran a reproducer.
    Replayed {
        /// The refutation that its runs show; `null` if they show none.
        refutation: Option<Box<Refutation>>,
        /// Why they show none.
        why: Option<String>,
    },
    /// `reduce` found a smaller file. These records are a stream: the last one is the smallest so far.
    Smaller {
        /// The size.
        size: SizeRecord,
    },
    /// `reduce` is done.
    Reduced {
        /// The size of the input.
        from: SizeRecord,
        /// The size of the result.
        to: SizeRecord,
        /// The number of tested files.
        tries: u64,
        /// Why it ended: `smallest`, `tries`, `time`, `interrupted` or `failed`.
        ended: &'static str,
        /// The guilty pass of a command, if known.
        guilty: Option<String>,
    },
    /// `bisect` found the guilty pass.
    Guilty {
        /// The pass; `null` if the file is broken before any pass runs.
        pass: Option<String>,
        /// The number of the pass, from 1; 0 if the file is broken before any pass runs.
        number: u64,
        /// The number of passes.
        total: u64,
        /// The unit of IR that the pass ran on.
        on: String,
        /// The function, without `@`; empty for the module.
        function: String,
        /// The failure.
        failure: String,
        /// The refutation, if it is one.
        refutation: Option<Box<Refutation>>,
        /// The command whose result is good, if there is one.
        good: Option<String>,
        /// The command whose result is bad.
        bad: String,
    },
    /// `bisect` found nothing wrong.
    NothingWrong {
        /// Changed functions that are not known to be right, with reasons.
        open: Vec<String>,
    },
    /// `fuzz` found a failure.
    Found {
        /// The bucket.
        bucket: String,
        /// The guilty pass, if known.
        pass: Option<String>,
        /// The kind of failure.
        failure: String,
        /// The oracle.
        oracle: String,
        /// The seed.
        seed: u64,
        /// A message.
        message: String,
        /// The instructions of the program.
        instructions: usize,
        /// The instructions of the reduced program.
        reduced_instructions: usize,
        /// The file of the program, if the bucket is new; `null` for a known bucket.
        program: Option<String>,
        /// Whether the baseline accepts the bucket.
        accepted: bool,
    },
    /// A failure that `fuzz` found does not show again.
    Lost {
        /// The seed.
        seed: u64,
        /// The pass and the kind of failure.
        failure: String,
        /// Why it is lost.
        why: String,
    },
    /// `fuzz` is done.
    Campaign {
        /// Programs examined.
        programs: u64,
        /// Programs that the passes changed.
        changed: u64,
        /// Pairs of runs.
        runs: u64,
        /// Pairs of runs whose source is defined.
        defined_runs: u64,
        /// Changed functions that are not decided.
        inconclusive: u64,
        /// Programs with a time-out.
        timeouts: u64,
        /// Buckets that this run has found, each with whether it is new.
        buckets: std::collections::BTreeMap<String, bool>,
        /// Failures that do not show again.
        lost: u64,
        /// Whether the campaign was interrupted.
        interrupted: bool,
    },
    /// `scev check` checked a claim, or could not read one.
    Claim(ClaimRecord),
}

/// A checked claim of scalar evolution.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ClaimRecord {
    /// The function, without `@`.
    pub(crate) function: String,
    /// The claim.
    pub(crate) claim: String,
    /// The line of the claim in its file; `null` for claims of this project's analysis.
    pub(crate) line: Option<u64>,
    /// What is claimed.
    pub(crate) property: String,
    /// The result: `proved`, `bounded`, `refuted` or another word.
    pub(crate) status: String,
    /// Why it is not decided.
    pub(crate) reason: Option<String>,
    /// The result in words.
    pub(crate) detail: String,
    /// Further data, which depends on the result.
    #[serde(flatten)]
    pub(crate) more: serde_json::Map<String, serde_json::Value>,
}

/// The size of a module.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SizeRecord {
    /// Instructions without debug records.
    instructions: usize,
    /// Blocks.
    blocks: usize,
    /// Length of the text in bytes.
    bytes: usize,
}

impl From<&Size> for SizeRecord {
    fn from(size: &Size) -> Self {
        Self { instructions: size.instructions, blocks: size.blocks, bytes: size.bytes }
    }
}

impl Event {
    /// The record of a reduction.
    pub(crate) fn reduced(reduced: &Reduced, guilty: Option<String>) -> Self {
        let ended = match &reduced.ended {
            Ended::Smallest => "smallest",
            Ended::Tries => "tries",
            Ended::Time => "time",
            Ended::Interrupted => "interrupted",
            Ended::Failed(_) => "failed",
        };
        Self::Reduced {
            from: (&reduced.first).into(),
            to: (&reduced.size).into(),
            tries: reduced.tries,
            ended,
            guilty,
        }
    }
}

/// Writes the record of `event` about `file` as the only line of `path`, if given.
pub(crate) fn write_only(path: Option<&Path>, file: &str, event: Event) -> miette::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let mut lines = JsonLines::open(path, &[])?;
    lines.line(&Line::new(file, event).to_json())?;
    lines.finish()
}

/// Any line of JSON that a command writes with `--json`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema of the type is used")]
enum AnyLine {
    /// A record of `gate` or `tv`.
    Record(Box<Record>),
    /// The last line of `gate` and `tv`.
    Last(Box<LastRecord>),
    /// A record of another command.
    Other(Box<Line>),
}

/// The JSON schema of all records.
pub(crate) fn schema() -> Schema {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.untagged_enum_variant_titles = true;
    let mut schema = settings.into_generator().into_root_schema_for::<AnyLine>();
    schema.insert("title".to_owned(), "Records of backedge".into());
    schema
}
