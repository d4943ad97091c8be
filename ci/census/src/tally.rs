//! Summary of the claims: by property and result, with the reasons of open claims, and all failures.

use crate::process::{Ended, How, Record};
use backedge_process::Limit;
use comfy_table::{Cell, CellAlignment, Table};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// The possible results of a claim, as columns of the table.
const ENDS: [&str; 6] = ["proved", "vacuous", "bounded", "inconclusive", "refuted", "internal error"];
/// The column of inconclusive results in [`ENDS`].
const INCONCLUSIVE: usize = 3;
/// The column of refuted results in [`ENDS`].
const REFUTED: usize = 4;

/// How many of the slowest files to list.
const SLOWEST: usize = 5;

/// The summary.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tally {
    files: usize,
    by_property: BTreeMap<String, [usize; ENDS.len()]>,
    proofs: BTreeMap<String, usize>,
    /// Reasons of bounded and inconclusive claims.
    reasons: BTreeMap<(String, String), usize>,
    refutations: Vec<String>,
    /// Files on which the process crashed or exceeded a limit.
    broken: Vec<String>,
    left_out: Vec<String>,
    times: Vec<(Duration, String)>,
}

impl Tally {
    /// Adds the results of the claims on `file`.
    pub(crate) fn add(&mut self, file: &Path, ended: &Ended) {
        self.files += 1;
        let file = file.display();
        self.times.push((ended.took, file.to_string()));
        match &ended.how {
            How::Checked => {}
            How::BadInput(message) => self.left_out.push(format!("{file}: {message}")),
            How::Crashed(words) => self.broken.push(format!("{file}: crashed: {words}")),
            How::Limit(limit) => {
                let what = match limit {
                    Limit::Time => "time (--file-timeout)",
                    Limit::Memory => "memory (--file-memory)",
                    Limit::Output => "output",
                };
                self.broken.push(format!("{file}: out of {what}"));
            }
        }
        for record in &ended.records {
            let end = end(record);
            self.by_property.entry(record.property.clone()).or_default()[end] += 1;
            if let Some(by) = &record.by {
                *self.proofs.entry(by.clone()).or_default() += 1;
            }
            if let Some(reason) = &record.reason {
                *self.reasons.entry((record.status.clone(), reason.clone())).or_default() += 1;
            }
            if end >= REFUTED {
                self.refutations.push(refutation(&file.to_string(), record));
            }
        }
    }
    fn sums(&self) -> [usize; ENDS.len()] {
        let mut sums = [0; ENDS.len()];
        for ends in self.by_property.values() {
            sums.iter_mut().zip(ends).for_each(|(sum, n)| *sum += n);
        }
        sums
    }
    /// The number of claims.
    pub(crate) fn claims(&self) -> usize {
        self.sums().iter().sum()
    }
    /// The fraction of inconclusive claims.
    pub(crate) fn inconclusive_share(&self) -> f64 {
        self.sums()[INCONCLUSIVE] as f64 / self.claims().max(1) as f64
    }
    /// Whether a claim is refuted, or a file was not checked completely.
    pub(crate) fn has_failed(&self) -> bool {
        !self.refutations.is_empty() || !self.broken.is_empty()
    }
    fn table(&self) -> Table {
        let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        let mut table = Table::new();
        table.set_header(["property", "claims"].into_iter().chain(ENDS));
        let row = |name: &str, ends: &[usize]| {
            let mut cells = vec![Cell::new(name), right(ends.iter().sum::<usize>().to_string())];
            cells.extend(ends.iter().map(|n| right(n.to_string())));
            cells
        };
        for (property, ends) in &self.by_property {
            table.add_row(row(property, ends));
        }
        table.add_row(row("all", &self.sums()));
        table
    }
}

/// The column index of a claim.
fn end(record: &Record) -> usize {
    let word = match record.by.as_deref() {
        Some("it says nothing") => "vacuous",
        _ => &record.status,
    };
    ENDS.iter().position(|e| *e == word).unwrap_or(ENDS.len() - 1)
}

fn refutation(file: &str, record: &Record) -> String {
    let Record { function, property, claim, detail, .. } = record;
    let mut text = format!("{file} @{function}: {property}: {detail}: {claim}");
    if let Some(args) = &record.args {
        text.push_str(&format!("\n    --args {args}"));
    }
    for answer in record.environment.iter().flatten() {
        text.push_str(&format!("\n    {answer}"));
    }
    if let Some(evidence) = &record.evidence {
        text.push_str(&format!("\n    {evidence}"));
    }
    text
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let section = |f: &mut fmt::Formatter<'_>, title: &str, lines: &[String]| {
            if !lines.is_empty() {
                writeln!(f, "{title}:")?;
            }
            lines.iter().try_for_each(|line| writeln!(f, "  {line}"))
        };
        section(f, "refuted", &self.refutations)?;
        section(f, "not checked to the end", &self.broken)?;
        section(f, "left out", &self.left_out)?;
        writeln!(f, "{}", self.table())?;
        let proofs: Vec<String> = self.proofs.iter().map(|(how, n)| format!("{n:6} {how}")).collect();
        section(f, "proved or vacuous", &proofs)?;
        for status in ["bounded", "inconclusive"] {
            let of_status = self.reasons.iter().filter(|((s, _), _)| s == status);
            let mut reasons: Vec<(usize, &str)> = of_status.map(|((_, r), n)| (*n, r.as_str())).collect();
            reasons.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
            let reasons: Vec<String> = reasons.iter().map(|(n, r)| format!("{n:6} {r}")).collect();
            section(f, &format!("{status}, since"), &reasons)?;
        }
        let mut times: Vec<&(Duration, String)> = self.times.iter().collect();
        times.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
        let slowest = times.iter().take(SLOWEST);
        let slowest: Vec<String> =
            slowest.map(|(time, file)| format!("{:6.1} s {file}", time.as_secs_f64())).collect();
        section(f, "the slowest", &slowest)?;
        write!(
            f,
            "{} claims on {} files; {} files left out, {} not checked to the end",
            self.claims(),
            self.files,
            self.left_out.len(),
            self.broken.len()
        )
    }
}
