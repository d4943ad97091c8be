//! `-stats`: counts of the changes that passes make, in the format of LLVM's statistics.
//!
//! Two kinds of counts exist, both exact: runs that changed the code, and remarks on applied transforms by their names
//! (those of `-pass-remarks-output`). A pass without such remarks has only the first. A run is one pass on one function,
//! or on one loop if its `loop(…)` has several passes.

use backedge_pipeline::PassRun;
use backedge_transform::remark::Outcome;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Counts by the name of the pass and the description of the count.
#[derive(Debug, Default)]
pub(crate) struct Statistics {
    counts: BTreeMap<(String, String), u64>,
}

impl Statistics {
    /// Counts a completed run.
    pub(crate) fn count(&mut self, run: &PassRun<'_>) {
        let pass = run.pass.split('<').next().unwrap_or(run.pass);
        if run.changed {
            self.add(pass, "Number of runs that changed the code".to_owned());
        }
        for remark in run.remarks {
            if matches!(remark.outcome, Outcome::Done(_)) {
                self.add(remark.pass, format!("Number of remarks '{}'", remark.outcome.name()));
            }
        }
    }

    fn add(&mut self, pass: &str, description: String) {
        *self.counts.entry((pass.to_owned(), description)).or_default() += 1;
    }

    /// The counts with LLVM's heading, sorted by pass.
    pub(crate) fn report(&self) -> String {
        let rule = format!("==={}===\n", "-".repeat(73));
        let mut text = format!("{rule}{:26}... Statistics Collected ...\n{rule}\n", "");
        let digits = self.counts.values().map(|n| n.to_string().len()).max().unwrap_or(0);
        let letters = self.counts.keys().map(|(pass, _)| pass.len()).max().unwrap_or(0);
        for ((pass, description), count) in &self.counts {
            let _ = writeln!(text, "{count:digits$} {pass:letters$} - {description}");
        }
        text
    }
}
