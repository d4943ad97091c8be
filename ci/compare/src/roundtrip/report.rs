//! The shares by tier, the reasons against other loops, and the rejections of LLVM's verifier.

use super::{ASKED, Made, Verdict};
use crate::table::{right, row};
use anyhow::Result;
use comfy_table::Table;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The counts for the functions of a tier.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Tally {
    functions: usize,
    taken: usize,
    missed: usize,
}

impl Tally {
    /// The share in percent, rounded down so that the printed share is reached.
    fn percent(&self) -> String {
        let share = (self.taken * 1000).checked_div(self.taken + self.missed);
        share.map_or("-".to_owned(), |share| format!("{:.1} %", share as f64 / 10.0))
    }
}

/// The results so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    tiers: BTreeMap<String, Tally>,
    /// The frequency of each reason in the tiers with a required share, and in the others.
    reasons: BTreeMap<String, [usize; 2]>,
    /// The loops that are not taken, in the tiers with a required share.
    loops: Vec<String>,
    verified: usize,
    refused: Vec<String>,
    left_out: Vec<String>,
}

impl Report {
    /// Adds the results for `file`, or the reason why there are none.
    pub(super) fn add(&mut self, file: &Path, made: Result<Made>) {
        let shown = file.display();
        let made = match made {
            Ok(made) => made,
            Err(error) => return self.left_out.push(format!("{shown}: {error:#}")),
        };
        match made.verdict {
            Verdict::Taken => self.verified += 1,
            Verdict::Refused(why) => self.refused.push(format!("{shown}: {why}")),
            Verdict::NotAsked(why) => self.left_out.push(format!("{shown}: not verified: {why}")),
        }
        for function in made.functions {
            let is_asked = ASKED.contains(&&*function.tier);
            for (header, why) in &function.missed {
                self.reasons.entry(why.clone()).or_default()[usize::from(!is_asked)] += 1;
                if is_asked {
                    self.loops.push(format!("{shown} @{} %{header}: {why}", function.name));
                }
            }
            let tally = self.tiers.entry(function.tier).or_default();
            tally.functions += 1;
            tally.taken += function.taken;
            tally.missed += function.missed.len();
        }
    }
    /// The counts for the tiers with a required share.
    fn asked(&self) -> Tally {
        let mut sum = Tally::default();
        for tally in ASKED.iter().filter_map(|tier| self.tiers.get(*tier)) {
            sum.functions += tally.functions;
            sum.taken += tally.taken;
            sum.missed += tally.missed;
        }
        sum
    }
    /// Whether that share of loops is taken, and LLVM's verifier rejects nothing.
    pub(super) fn holds(&self, share: f64) -> bool {
        let Tally { taken, missed, .. } = self.asked();
        self.refused.is_empty() && taken as f64 >= share * (taken + missed) as f64
    }
    /// The table and lists.
    pub(super) fn render(&self, title: &str, lists: bool) -> String {
        let mut out = String::new();
        let mut table = Table::new();
        table.set_header([title, "functions", "loops", "taken", "share"]);
        let asked = self.asked();
        let rows = self.tiers.iter().map(|(tier, tally)| (tier.as_str(), tally));
        for (tier, tally) in rows.chain([("core and must", &asked)]) {
            let mut cells = row(tier, [tally.functions, tally.taken + tally.missed, tally.taken]);
            cells.push(right(tally.percent()));
            table.add_row(cells);
        }
        _ = writeln!(out, "{table}");
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(why, counts)| (Reverse(**counts), *why));
        for (why, [asked, others]) in reasons {
            _ = writeln!(out, "not taken, {asked} of core and must, {others} of others: {why}");
        }
        if lists {
            self.loops.iter().for_each(|line| _ = writeln!(out, "  {line}"));
        }
        for (what, lines) in [("LLVM's verifier refuses", &self.refused), ("left out", &self.left_out)] {
            for line in lines {
                _ = writeln!(out, "{what}: {}", line.lines().next().unwrap_or_default());
            }
        }
        _ = writeln!(
            out,
            "LLVM's verifier takes {} results and refuses {}; it was not asked of {} files",
            self.verified,
            self.refused.len(),
            self.left_out.len()
        );
        out
    }
}
