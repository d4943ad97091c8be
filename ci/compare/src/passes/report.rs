//! The comparison as a table, and as a list of the differences.

use super::cases::{self, Row};
use super::file::{Acts, FileResult, Tested};
use crate::table::right;
use comfy_table::{Cell, Table};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The number of functions on which each side acted, and the number of actions.
#[derive(Clone, Debug, Default)]
struct Tally {
    llvm: usize,
    ours: usize,
    both: usize,
    times: [usize; 2],
    only_llvm: Vec<String>,
    only_ours: Vec<String>,
}

impl Tally {
    fn add(&mut self, file: &Path, [llvm, ours]: &[Acts; 2]) {
        let place = |name: &String| format!("{} @{name}", file.display());
        self.llvm += llvm.len();
        self.ours += ours.len();
        self.both += llvm.keys().filter(|f| ours.contains_key(*f)).count();
        self.times[0] += llvm.values().sum::<usize>();
        self.times[1] += ours.values().sum::<usize>();
        self.only_llvm.extend(llvm.keys().filter(|f| !ours.contains_key(*f)).map(place));
        self.only_ours.extend(ours.keys().filter(|f| !llvm.contains_key(*f)).map(place));
    }
}

/// The results so far.
#[derive(Default)]
pub(crate) struct Comparison {
    tallies: BTreeMap<&'static str, Tally>,
    tested: Tested,
    functions: [usize; 2],
    files: usize,
    left_out: Vec<(String, bool)>,
}

impl Comparison {
    /// Whether nothing has been compared.
    pub(crate) fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }
    /// Whether Backedge reaches the required share of LLVM's functions in all required rows, without a failure of its
    /// own.
    pub(crate) fn reaches(&self, share: f64) -> bool {
        cases::rows().all(|row| self.fits(row, share)) && !self.left_out.iter().any(|(_, fault)| *fault)
    }
    fn fits(&self, row: &Row, share: f64) -> bool {
        let of = |t: &Tally| !row.required || t.ours as f64 >= share * t.llvm as f64;
        self.tallies.get(row.name).is_none_or(of)
    }
    /// Adds the results for `file`.
    pub(crate) fn add(&mut self, file: &Path, found: FileResult) {
        self.files += 1;
        for (row, acts) in &found.rows {
            self.tallies.entry(row).or_default().add(file, acts);
        }
        for (sum, more) in self.functions.iter_mut().zip(found.functions) {
            *sum += more;
        }
        self.tested.loops += found.tested.loops;
        self.tested.exits += found.tested.exits;
        for (sum, more) in self.tested.in_main.iter_mut().zip(found.tested.in_main) {
            *sum += more;
        }
        let left = found.left_out.into_iter();
        self.left_out.extend(left.map(|(text, fault)| (format!("{}: {text}", file.display()), fault)));
    }
    /// The table, and the differences for the rows that `list` selects.
    pub(crate) fn render(&self, list: Option<&str>, require: f64) -> String {
        let mut out = String::new();
        let rows = || cases::rows().filter_map(|row| Some((row, self.tallies.get(row.name)?)));
        for (row, tally) in rows().filter(|(row, _)| list.is_some_and(|l| l == "all" || l == row.name)) {
            for (title, lines) in [("only LLVM", &tally.only_llvm), ("only ours", &tally.only_ours)] {
                _ = writeln!(out, "{}: {title}:", row.name);
                lines.iter().for_each(|line| _ = writeln!(out, "  {line}"));
            }
        }
        for (text, fault) in &self.left_out {
            _ = writeln!(out, "left out{}: {text}", if *fault { ", a fault of ours" } else { "" });
        }
        let mut table = Table::new();
        table.set_header([
            "functions",
            "LLVM",
            "ours",
            "both",
            "only LLVM",
            "only ours",
            "times: LLVM",
            "ours",
            "",
        ]);
        for (row, tally) in rows() {
            let times = |side: usize| match row.llvm {
                cases::Sign::Changed => Cell::new(""),
                cases::Sign::Remark(_) => right(tally.times[side]),
            };
            table.add_row([
                Cell::new(row.name),
                right(tally.llvm),
                right(tally.ours),
                right(tally.both),
                right(tally.only_llvm.len()),
                right(tally.only_ours.len()),
                times(0),
                times(1),
                Cell::new(if self.fits(row, require) { "" } else { "short" }),
            ]);
        }
        _ = writeln!(out, "{table}");
        let Tested { loops, exits, in_main: [llvm, ours] } = self.tested;
        _ = writeln!(
            out,
            "{loops} loops with several exits, {exits} in all, are unrolled at run time by both: LLVM's main loops \
             test {llvm} exits a round of 4 iterations, ours {ours}"
        );
        let faults = self.left_out.iter().filter(|(_, fault)| *fault).count();
        _ = writeln!(
            out,
            "{} files, {} functions, {} of them with a loop of several exits; left out {} times, {faults} of them a \
             fault of ours",
            self.files,
            self.functions[0],
            self.functions[1],
            self.left_out.len(),
        );
        out
    }
}
