//! `backedge schema`: prints the JSON schema of the records that commands write with `--json`.

use crate::exit::Exit;
use crate::output;
use crate::report::events;
use miette::IntoDiagnostic;

/// Arguments of `schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The schema (JSON Schema, draft 2020-12) describes every line of --json of gate, tv, recheck, replay, reduce, bisect,
fuzz and scev check. The field schema of a record is the version of the format.

Example:
  backedge schema > records.schema.json")]
pub(crate) struct Args {}

/// Runs the command.
pub(crate) fn run(_: &Args) -> miette::Result<Exit> {
    let text = serde_json::to_string_pretty(&events::schema()).into_diagnostic()?;
    output::to_stdout(&format!("{text}\n"))?;
    Ok(Exit::Accepted)
}
