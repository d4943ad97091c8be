//! Output of `opt` during a run, selected by the flags of LLVM's `opt`: remarks, functions before and after passes,
//! the names of passes as they start, and their times.

use super::dot_changes::DotChanges;
use crate::output;
use crate::remarks::{Places, Wanted};
use crate::statistics::Statistics;
use backedge_ir::entity::{EntityId, FuncId};
use backedge_ir::module::Module;
use backedge_pipeline::run::{Observer, PassRun, PrintTime};
use backedge_transform::remark::{DebugLoc, Remark};
use regex::bytes::Regex;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Selection of the output.
pub(crate) struct Shown {
    /// The remarks to show.
    pub(crate) remarks: Wanted,
    /// If set: only remarks of passes whose names match are written.
    pub(crate) kept: Option<Regex>,
    /// If not empty: the passes before which functions are printed.
    pub(crate) print_before: Vec<String>,
    /// If not empty: the passes after which functions are printed.
    pub(crate) print_after: Vec<String>,
    /// If not empty: the functions that are printed, without `@`.
    pub(crate) print_functions: Vec<String>,
    /// Whether to print the name of each pass as it starts.
    pub(crate) log: bool,
    /// Whether changes are counted.
    pub(crate) statistics: bool,
}

/// Observer that prints to standard error.
pub(crate) struct Watcher {
    shown: Shown,
    /// Remarks as YAML documents, if they are written.
    pub(crate) yaml: Option<String>,
    places: Places,
    functions: Vec<String>,
    began: Option<Instant>,
    times: BTreeMap<String, (Duration, u64)>,
    /// The counts of the run, if they are requested.
    pub(crate) statistics: Statistics,
    /// The graphs of changes, if they are requested.
    pub(super) graphs: Option<DotChanges>,
}

impl Watcher {
    /// A watcher of passes over `module`; `yaml` enables written remarks.
    pub(crate) fn new(module: &Module, shown: Shown, yaml: bool) -> Self {
        Self {
            shown,
            yaml: yaml.then(String::new),
            places: Places::new(&module.env.metadata),
            functions: module.env.funcs.values().map(|f| f.name.to_string()).collect(),
            began: None,
            times: BTreeMap::new(),
            statistics: Statistics::default(),
            graphs: None,
        }
    }

    /// A table of the passes' times, longest first.
    pub(crate) fn timing_report(&self) -> String {
        let total: Duration = self.times.values().map(|(time, _)| *time).sum();
        let mut rows: Vec<_> = self.times.iter().collect();
        rows.sort_by_key(|(_, (time, _))| std::cmp::Reverse(*time));
        let mut text = format!("Pass execution timing report\n  Total: {:.4} seconds\n", total.as_secs_f64());
        text.push_str("   Wall time         Runs  Name\n");
        for (pass, (time, runs)) in rows {
            let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(f64::MIN_POSITIVE);
            text.push_str(&format!("  {:8.4} ({share:5.1} %) {runs:6}  {pass}\n", time.as_secs_f64()));
        }
        text
    }
}

impl Watcher {
    /// Shows and writes a remark as requested.
    fn remark(&mut self, remark: &Remark, place: Option<&DebugLoc>) {
        if self.shown.remarks.shows(remark) {
            let place = place.map_or_else(|| "<unknown>:0:0".to_owned(), ToString::to_string);
            output::to_stderr(&format!("remark: {place}: {remark}"));
        }
        let kept = self.shown.kept.as_ref().is_none_or(|p| p.is_match(remark.pass.as_bytes()));
        if let Some(yaml) = self.yaml.as_mut().filter(|_| kept) {
            yaml.push_str(&remark.to_yaml(place));
        }
    }
}

impl Observer for Watcher {
    fn wants_code_before(&self) -> bool {
        // For the locations of remarks, and to count only real changes.
        let wanted = &self.shown.remarks;
        self.shown.statistics
            || self.graphs.is_some()
            || self.yaml.is_some()
            || wanted.all
            || wanted.passed.is_some()
            || wanted.missed.is_some()
    }
    fn before_pass(&mut self, pass: &str, func: FuncId) {
        if self.shown.log {
            let name = self.functions.get(func.index()).map_or("", String::as_str);
            output::to_stderr(&format!("Running pass: {pass} on {name}"));
        }
        self.began = Some(Instant::now());
    }
    fn after_pass(&mut self, run: &PassRun<'_>) {
        if let Some(began) = self.began.take() {
            let (time, runs) = self.times.entry(run.pass.to_owned()).or_default();
            *time += began.elapsed();
            *runs += 1;
        }
        if self.shown.statistics {
            self.statistics.count(run);
        }
        let name = self.functions.get(run.func.index()).map_or("", String::as_str);
        if let Some(graphs) = &mut self.graphs {
            graphs.add(run, name);
        }
        for remark in run.remarks {
            if !self.shown.remarks.shows(remark) && self.yaml.is_none() {
                continue;
            }
            let metadata = &run.env.metadata;
            let of_loop = |body| self.places.of_loop(metadata, body, &remark.header);
            let place = match &remark.location {
                Some(location) => self.places.of_location(metadata, location),
                None => of_loop(run.before).or_else(|| of_loop(run.after)),
            };
            self.remark(remark, place.as_ref());
        }
    }
    fn left(&mut self, remark: &Remark) {
        self.remark(remark, None);
    }
    fn wants_print(&mut self, side: PrintTime, pass: &str, function: &str) -> bool {
        // `loop-rotate<…>` matches `loop-rotate`.
        let pass = pass.split('<').next().unwrap_or(pass);
        let holds = |list: &[String], name: &str| list.is_empty() || list.iter().any(|n| n == name);
        let passes = match side {
            PrintTime::Before => &self.shown.print_before,
            PrintTime::After => &self.shown.print_after,
        };
        holds(passes, pass) && holds(&self.shown.print_functions, function)
    }
    fn output(&mut self, text: &str) {
        output::to_stderr(text.trim_end_matches('\n'));
    }
}
