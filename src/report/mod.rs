//! Reports of a gate: for people, for continuous integration, and as data.
//!
//! A gate has one [`Outputs`], which gets every record in order and the summary at the end. Lines and JSON are written
//! as the records arrive; the other formats need all records.
//!
//! | file | contents |
//! |---|---|
//! | `format` | the formats, and where they go |
//! | `json`, `events` | JSON lines of all commands, and their schema |
//! | `outputs` | all outputs of a run |
//! | `row` | a record with its level and texts |
//! | `table`, `text` | text for people |
//! | `sarif`, `junit`, `github`, `markdown` | formats of tools for continuous integration |
//! | `demangle`, `places`, `terminal` | names, lines of definitions, width and colours |

pub(crate) mod demangle;
pub(crate) mod events;
pub(crate) mod format;
mod github;
pub(crate) mod json;
mod junit;
mod markdown;
pub(crate) mod outputs;
pub(crate) mod places;
pub(crate) mod row;
mod sarif;
mod table;
pub(crate) mod terminal;
mod text;

use backedge_validate::record::Summary;
use row::{Level, Row};
use std::fmt;

/// An entry of the baseline whose finding is not found any more.
#[derive(Clone, Debug)]
pub(crate) struct StaleEntry {
    /// The baseline's file.
    pub(crate) file: String,
    /// The line of the entry, from 1.
    pub(crate) line: usize,
    /// The bucket of the entry.
    pub(crate) bucket: String,
    /// The reason for which the finding was accepted.
    pub(crate) reason: String,
}

impl StaleEntry {
    /// The entry without its place.
    fn words(&self) -> String {
        format!("{} ({}) is not found any more", self.bucket, self.reason)
    }
}

impl fmt::Display for StaleEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.words())
    }
}

/// Everything that a report of a finished or interrupted run shows.
pub(crate) struct Report<'a> {
    /// One row for each record, in order.
    pub(crate) rows: Vec<Row<'a>>,
    /// The counts.
    pub(crate) summary: &'a Summary,
    /// The number of functions that ran through the passes, if no pass changed any and that is accepted.
    pub(crate) unchanged: usize,
    /// Entries of the baseline that no finding needs any more.
    pub(crate) stale: &'a [StaleEntry],
    /// Duration in milliseconds.
    pub(crate) time_ms: u64,
    /// Whether the run was interrupted.
    pub(crate) interrupted: bool,
    /// Whether proved changes are listed for people too.
    pub(crate) all: bool,
}

/// That no pass changed any of that number of functions, in words.
pub(crate) fn no_change(functions: usize) -> String {
    match functions {
        1 => "no pass changed the only function".to_owned(),
        several => format!("no pass changed any of the {several} functions"),
    }
}

impl Report<'_> {
    /// The rows that people are shown.
    fn listed(&self) -> Vec<&Row<'_>> {
        self.rows.iter().filter(|row| self.all || row.level > Level::Proved).collect()
    }

    /// The last lines of a text for people; `quiet` if the text does not list changes.
    fn conclusion(&self, quiet: bool) -> String {
        let mut text = String::new();
        let hidden = self.rows.len() - self.listed().len();
        if hidden > 0 && !quiet {
            let what =
                if hidden == 1 { "1 proved change is" } else { &format!("{hidden} proved changes are") };
            text.push_str(&format!("{what} not listed (--all lists all)\n"));
        }
        for entry in self.stale {
            text.push_str(&format!("stale: {entry}\n"));
        }
        if self.unchanged > 0 {
            text.push_str(&(no_change(self.unchanged) + "\n"));
        }
        text + &format!("{}; {}\n", self.summary, self.summary.on_runs())
    }
}
