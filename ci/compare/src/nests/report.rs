//! The comparison as a list of functions that only LLVM transforms, and as a table with one row per transform.

use super::Function;
use super::cases::CASES;
use crate::table::row;
use anyhow::Result;
use comfy_table::Table;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The number of functions for each side.
#[derive(Clone, Debug, Default)]
struct Tally {
    functions: usize,
    both: usize,
    only_ours: usize,
    only_llvm: Vec<String>,
    /// The number of functions that Backedge transforms, not only may transform.
    done: usize,
    /// The frequency of each reason among the functions that only LLVM transforms.
    reasons: BTreeMap<String, usize>,
}

/// The results so far.
#[derive(Default)]
pub(crate) struct Comparison {
    tallies: BTreeMap<&'static str, Tally>,
    files: usize,
    left_out: Vec<String>,
}

impl Comparison {
    /// Whether nothing has been compared.
    pub(crate) fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }
    /// Adds the results for `file`, or the reason why there are none.
    pub(crate) fn add(&mut self, file: &Path, found: Result<Vec<Function>>) {
        let functions = match found {
            Ok(functions) => functions,
            Err(error) => return self.left_out.push(format!("{}: {error:#}", file.display())),
        };
        self.files += 1;
        for Function { case, name, llvm, ours } in functions {
            let tally = self.tallies.entry(case).or_default();
            let is_legal = ours.as_ref().is_some_and(|o| o.is_legal);
            tally.functions += 1;
            tally.both += usize::from(llvm && is_legal);
            tally.only_ours += usize::from(!llvm && is_legal);
            tally.done += usize::from(ours.as_ref().is_some_and(|o| o.is_done));
            if !llvm || is_legal {
                continue;
            }
            let reasons: Vec<(String, String)> = match ours {
                None => vec![(String::new(), "no such pass of ours".to_owned())],
                Some(found) if found.missed.is_empty() => {
                    vec![(String::new(), "there is no loop of which ours says anything".to_owned())]
                }
                Some(found) => found.missed,
            };
            let listed: Vec<String> = reasons
                .iter()
                .map(
                    |(header, why)| if header.is_empty() { why.clone() } else { format!("%{header}: {why}") },
                )
                .collect();
            tally.only_llvm.push(format!("{} @{name}: {}", file.display(), listed.join("; ")));
            let distinct: std::collections::BTreeSet<String> =
                reasons.into_iter().map(|(_, why)| why).collect();
            distinct.into_iter().for_each(|why| *tally.reasons.entry(why).or_default() += 1);
        }
    }
    /// The list, and the table.
    pub(crate) fn render(&self) -> String {
        let mut out = String::new();
        let rows = || CASES.iter().filter_map(|case| Some((case.name, self.tallies.get(case.name)?)));
        for (name, tally) in rows().filter(|(_, tally)| !tally.only_llvm.is_empty()) {
            _ = writeln!(out, "{name}: only LLVM, and why not ours:");
            tally.only_llvm.iter().for_each(|line| _ = writeln!(out, "  {line}"));
            let mut reasons: Vec<_> = tally.reasons.iter().collect();
            reasons.sort_by_key(|(why, count)| (std::cmp::Reverse(**count), *why));
            for (why, count) in reasons {
                _ = writeln!(out, "  in {count} of {}: {why}", tally.only_llvm.len());
            }
        }
        self.left_out.iter().for_each(|line| {
            _ = writeln!(out, "left out: {}", line.lines().next().unwrap_or_default());
        });
        let mut table = Table::new();
        table.set_header([
            "functions",
            "LLVM",
            "ours",
            "both",
            "only LLVM",
            "only ours",
            "neither",
            "done by ours",
        ]);
        for (name, tally) in rows() {
            let Tally { functions, both, only_ours, done, .. } = *tally;
            let only_llvm = tally.only_llvm.len();
            let neither = functions - both - only_ours - only_llvm;
            let numbers = [both + only_llvm, both + only_ours, both, only_llvm, only_ours, neither, done];
            table.add_row(row(name, numbers));
        }
        _ = writeln!(out, "{table}");
        _ = writeln!(
            out,
            "{} files, {} functions; {} files left out",
            self.files,
            self.tallies.values().map(|t| t.functions).max().unwrap_or_default(),
            self.left_out.len()
        );
        out
    }
}
