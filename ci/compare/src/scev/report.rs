//! The comparison as a table, and as a list of the differences.

use super::Pair;
use super::known::{FunctionKnown, LoopKnown};
use crate::table::right;
use backedge_claim::expr::Flags;
use comfy_table::{Cell, Table};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The number of facts that each side knows.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Tally {
    llvm: usize,
    ours: usize,
    both: usize,
}

impl Tally {
    fn add(&mut self, llvm: bool, ours: bool) {
        self.llvm += usize::from(llvm);
        self.ours += usize::from(ours);
        self.both += usize::from(llvm && ours);
    }
    /// The share of LLVM's facts that Backedge knows.
    fn share(self) -> f64 {
        if self.llvm == 0 { 1.0 } else { self.both as f64 / self.llvm as f64 }
    }
    fn reaches(self, share: f64) -> bool {
        self.share() >= share && self.ours >= self.llvm
    }
}

/// A file that was not compared, with the reason.
pub(crate) struct FileNote {
    pub(crate) file: PathBuf,
    pub(crate) text: String,
}

/// The kinds of facts that are compared.
const KINDS: [&str; 9] = [
    "exact count, loops",
    "exact count, exits",
    "constant max, loops",
    "constant max not above the other's",
    "symbolic max, loops",
    "symbolic max, exits",
    "recurrences: values",
    "recurrences: nuw, nsw",
    "recurrences: nw",
];

/// The results so far.
#[derive(Default)]
pub(crate) struct Comparison {
    tallies: [Tally; KINDS.len()],
    loops: usize,
    functions: usize,
    /// Lines on facts that only one side knows.
    only_llvm: Vec<String>,
    only_ours: Vec<String>,
    pub(crate) notes: Vec<FileNote>,
}

impl Comparison {
    /// Whether nothing has been compared.
    pub(crate) fn is_empty(&self) -> bool {
        self.functions == 0
    }
    /// Whether Backedge knows that share of LLVM's facts, and as many in total, for each kind.
    pub(crate) fn reaches(&self, share: f64) -> bool {
        self.tallies.iter().all(|t| t.reaches(share))
    }
    /// Adds a function of `file`.
    pub(crate) fn add(&mut self, file: &Path, pair: Pair) {
        self.functions += 1;
        let place = format!("{} @{}", file.display(), pair.name);
        let nothing = LoopKnown::default();
        for (header, llvm) in &pair.llvm.loops {
            self.loops += 1;
            let ours = pair.ours.loops.get(header).unwrap_or(&nothing);
            self.add_loop(&format!("{place} %{header}"), llvm, ours);
        }
        self.add_recurrences(&place, &pair.llvm, &pair.ours);
    }
    fn add_loop(&mut self, place: &str, llvm: &LoopKnown, ours: &LoopKnown) {
        self.note(0, place, llvm.exact, ours.exact);
        self.note(2, place, llvm.constant_max.is_some(), ours.constant_max.is_some());
        if let (Some(a), Some(b)) = (llvm.constant_max, ours.constant_max) {
            self.note(3, place, a.bits() <= b.bits(), b.bits() <= a.bits());
        }
        self.note(4, place, llvm.symbolic_max, ours.symbolic_max);
        for (block, exit) in &llvm.exits {
            let other = ours.exits.get(block).copied().unwrap_or_default();
            let place = format!("{place}, exit %{block}");
            self.note(1, &place, exit.0, other.0);
            self.note(5, &place, exit.1, other.1);
        }
    }
    fn add_recurrences(&mut self, place: &str, llvm: &FunctionKnown, ours: &FunctionKnown) {
        for name in llvm
            .recurrences
            .keys()
            .chain(ours.recurrences.keys().filter(|n| !llvm.recurrences.contains_key(*n)))
        {
            let place = format!("{place} %{name}");
            let (a, b) = (llvm.recurrences.get(name), ours.recurrences.get(name));
            self.note(6, &place, a.is_some(), b.is_some());
            let flags = |known: Option<&(String, Flags)>| known.map_or(Flags::NONE, |k| k.1);
            let (a, b) = (flags(a), flags(b));
            self.note(7, &format!("{place} nuw"), a.nuw, b.nuw);
            self.note(7, &format!("{place} nsw"), a.nsw, b.nsw);
            self.note(8, &place, a.nw, b.nw);
        }
    }
    fn note(&mut self, kind: usize, place: &str, llvm: bool, ours: bool) {
        self.tallies[kind].add(llvm, ours);
        let line = || format!("{}: {place}", KINDS[kind]);
        match (llvm, ours) {
            (true, false) => self.only_llvm.push(line()),
            (false, true) => self.only_ours.push(line()),
            _ => {}
        }
    }
    /// The table, and with `list` the differences.
    pub(crate) fn render(&self, list: bool, require: f64) -> String {
        let mut out = String::new();
        if list {
            for (title, lines) in [
                ("LLVM knows, ours does not", &self.only_llvm),
                ("ours knows, LLVM does not", &self.only_ours),
            ] {
                _ = writeln!(out, "{title}:");
                lines.iter().for_each(|line| _ = writeln!(out, "  {line}"));
            }
        }
        for note in &self.notes {
            _ = writeln!(
                out,
                "left out: {}: {}",
                note.file.display(),
                note.text.lines().next().unwrap_or_default()
            );
        }
        let mut table = Table::new();
        table.set_header(["known", "LLVM", "ours", "both", "of LLVM's", ""]);
        for (kind, tally) in KINDS.iter().zip(&self.tallies) {
            table.add_row([
                Cell::new(kind),
                right(tally.llvm.to_string()),
                right(tally.ours.to_string()),
                right(tally.both.to_string()),
                right(format!("{:.1} %", tally.share() * 100.0)),
                Cell::new(if tally.reaches(require) { "" } else { "short" }),
            ]);
        }
        _ = writeln!(out, "{table}");
        _ = writeln!(
            out,
            "{} functions, {} loops; {} files left out",
            self.functions,
            self.loops,
            self.notes.len()
        );
        out
    }
}
