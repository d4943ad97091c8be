//! The comparison as tables: the number of loops, and Backedge's reasons for skipping loops that LLVM vectorizes.

use super::file::{FileResult, LeftOut, MODES};
use crate::passes::functions::LoopName;
use crate::table::right;
use comfy_table::{Cell, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// The number of loops that each side vectorizes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Tally {
    llvm: usize,
    ours: usize,
    both: usize,
}

impl Tally {
    fn add(
        &mut self,
        llvm: &BTreeSet<LoopName>,
        ours: &BTreeSet<LoopName>,
        counts: impl Fn(&LoopName) -> bool,
    ) {
        self.llvm += llvm.iter().filter(|p| counts(p)).count();
        self.ours += ours.iter().filter(|p| counts(p)).count();
        self.both += llvm.intersection(ours).filter(|p| counts(p)).count();
    }
}

/// The results so far.
#[derive(Default)]
pub(crate) struct Comparison {
    /// For each of LLVM's runs: all loops, and loops with several exits.
    tallies: [[Tally; 2]; 2],
    /// Backedge's reasons for skipping loops that LLVM vectorizes in some run, with the locations.
    missed: BTreeMap<(String, String), Vec<String>>,
    files: usize,
    loops: usize,
    unknown: usize,
    left_out: Vec<(String, bool)>,
}

/// A reason without the details of a particular loop.
fn general(text: &str) -> String {
    let text = text.split_once("; weighed").map_or(text, |(before, _)| before);
    text.chars().map(|c| if c.is_ascii_digit() { 'N' } else { c }).collect()
}

impl Comparison {
    /// Whether nothing has been compared.
    pub(crate) fn is_empty(&self) -> bool {
        self.files == 0
    }
    /// Whether Backedge vectorizes the required share of LLVM's loops and more loops with several exits (if LLVM
    /// vectorizes any), without a failure.
    pub(crate) fn reaches(&self, share: f64) -> bool {
        let fits = |[all, several]: &[Tally; 2]| {
            let more = several.ours > several.llvm || several.llvm == 0;
            all.both as f64 >= share * all.llvm as f64 && more
        };
        self.tallies.iter().all(fits) && !self.left_out.iter().any(|(_, fault)| *fault)
    }
    /// Adds the results for `file`.
    pub(crate) fn add(&mut self, file: &Path, found: Result<FileResult, LeftOut>) {
        let found = match found {
            Ok(found) => found,
            Err(LeftOut { why, fault }) => {
                self.left_out.push((format!("{}: {why:#}", file.display()), fault));
                return;
            }
        };
        self.files += 1;
        self.loops += found.exits.len();
        self.unknown += found.unknown;
        let several = |place: &LoopName| found.exits.get(place).is_some_and(|n| *n > 1);
        for ([all, of_several], llvm) in self.tallies.iter_mut().zip(&found.llvm) {
            all.add(llvm, &found.ours, |_| true);
            of_several.add(llvm, &found.ours, several);
        }
        for place in found.llvm.iter().flatten().collect::<BTreeSet<_>>() {
            if found.ours.contains(place) {
                continue;
            }
            let none = || ("none".to_owned(), "it is not looked at".to_owned());
            let (name, text) = found.missed.get(place).cloned().unwrap_or_else(none);
            let at = format!("{} @{} %{}: {text}", file.display(), place.0, place.1);
            self.missed.entry((name, general(&text))).or_default().push(at);
        }
    }
    /// The tables; with `list` also each loop that only LLVM vectorizes.
    pub(crate) fn render(&self, list: bool) -> String {
        let mut out = String::new();
        let mut reasons: Vec<_> = self.missed.iter().collect();
        reasons.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
        for ((name, _), places) in reasons.iter().filter(|_| list) {
            places.iter().for_each(|place| _ = writeln!(out, "{name}: {place}"));
        }
        for (text, fault) in &self.left_out {
            _ = writeln!(out, "left out{}: {text}", if *fault { ", a fault of ours" } else { "" });
        }
        let mut table = Table::new();
        table.set_header(["only LLVM: our reason", "", "loops"]);
        for ((name, text), places) in &reasons {
            table.add_row([Cell::new(name), Cell::new(text), right(places.len())]);
        }
        _ = writeln!(out, "{table}");
        let mut table = Table::new();
        table.set_header(["loops vectorized", "LLVM", "ours", "both", "share of LLVM's"]);
        for ((mode, _), tallies) in MODES.iter().zip(&self.tallies) {
            for (which, t) in ["", ", several exits"].iter().zip(tallies) {
                let share = 100.0 * t.both as f64 / (t.llvm.max(1)) as f64;
                table.add_row([
                    Cell::new(format!("{mode}{which}")),
                    right(t.llvm),
                    right(t.ours),
                    right(t.both),
                    right(format!("{share:.1} %")),
                ]);
            }
        }
        _ = writeln!(out, "{table}");
        let faults = self.left_out.iter().filter(|(_, fault)| *fault).count();
        _ = writeln!(
            out,
            "{} files, {} loops; {} remarks of LLVM's without a loop; left out {} files, {faults} of them a fault of ours",
            self.files,
            self.loops,
            self.unknown,
            self.left_out.len(),
        );
        out
    }
}
