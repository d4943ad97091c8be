//! The comparison as a table with one row per directory, and as a list of the pairs that only LLVM shows to be
//! independent.

use super::Function;
use super::llvm::NONE;
use crate::table::row;
use anyhow::Result;
use comfy_table::Table;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::AddAssign;
use std::path::Path;

/// The number of pairs that each side shows to be independent.
#[derive(Copy, Clone, Debug, Default)]
struct Tally {
    pairs: usize,
    both: usize,
    only_ours: usize,
    only_llvm: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Self) {
        self.pairs += more.pairs;
        self.both += more.both;
        self.only_ours += more.only_ours;
        self.only_llvm += more.only_llvm;
    }
}

/// The results so far.
#[derive(Default)]
pub(crate) struct Comparison {
    directories: BTreeMap<String, Tally>,
    functions: usize,
    files: usize,
    only_llvm: Vec<String>,
    left_out: Vec<String>,
}

impl Comparison {
    /// Whether nothing has been compared.
    pub(crate) fn is_empty(&self) -> bool {
        self.functions == 0
    }
    fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.directories.values().for_each(|tally| total += *tally);
        total
    }
    /// Whether Backedge shows at least as many pairs to be independent as LLVM.
    pub(crate) fn reaches(&self) -> bool {
        self.total().only_ours >= self.total().only_llvm
    }
    /// Adds the results for `file`, or the reason why there are none.
    pub(crate) fn add(&mut self, file: &Path, found: Result<Vec<Function>>) {
        let functions = match found {
            Ok(functions) => functions,
            Err(error) => return self.left_out.push(format!("{}: {error:#}", file.display())),
        };
        self.files += 1;
        self.functions += functions.len();
        let directory = file.parent().unwrap_or(file).display().to_string();
        let tally = self.directories.entry(directory).or_default();
        for Function { name, pairs } in functions {
            for pair in pairs {
                let llvm = pair.llvm == NONE;
                tally.pairs += 1;
                tally.both += usize::from(llvm && pair.ours.is_ok());
                tally.only_ours += usize::from(!llvm && pair.ours.is_ok());
                tally.only_llvm += usize::from(llvm && pair.ours.is_err());
                if let (true, Err(ours)) = (llvm, &pair.ours) {
                    let [a, b] = &pair.accesses;
                    let assumes = if pair.assumes { ", under assumptions" } else { "" };
                    self.only_llvm.push(format!(
                        "{} @{name}: {a} --> {b}\n    LLVM: {}{assumes}\n    ours: {ours}",
                        file.display(),
                        pair.llvm
                    ));
                }
            }
        }
    }
    /// The table, and with `list` the pairs that only LLVM shows to be independent.
    pub(crate) fn render(&self, list: bool) -> String {
        let mut out = String::new();
        if list {
            out += "LLVM alone shows them to be independent:\n";
            self.only_llvm.iter().for_each(|line| _ = writeln!(out, "  {line}"));
        }
        self.left_out.iter().for_each(|line| {
            _ = writeln!(out, "left out: {}", line.lines().next().unwrap_or_default());
        });
        let mut table = Table::new();
        table.set_header([
            "independent",
            "pairs",
            "LLVM",
            "ours",
            "both",
            "only LLVM",
            "only ours",
            "neither",
        ]);
        let mut add = |name: &str, tally: Tally| {
            let Tally { pairs, both, only_ours, only_llvm } = tally;
            let neither = pairs - both - only_ours - only_llvm;
            let numbers = [pairs, both + only_llvm, both + only_ours, both, only_llvm, only_ours, neither];
            table.add_row(row(name, numbers));
        };
        for (directory, tally) in self.directories.iter().filter(|(_, tally)| tally.pairs > 0) {
            add(directory, *tally);
        }
        add("all", self.total());
        _ = writeln!(out, "{table}");
        _ = writeln!(
            out,
            "{} files, {} functions; {} files left out{}",
            self.files,
            self.functions,
            self.left_out.len(),
            if self.reaches() { "" } else { "; short" }
        );
        out
    }
}
