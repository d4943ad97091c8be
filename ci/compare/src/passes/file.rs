//! Runs all pipelines of both sides on one file.

use super::cases::{self, Base, CASES, RUNTIME, Row, Sign};
use super::functions::{self, Exits};
use super::side::{Made, Optimizer};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The number of actions per function.
pub(crate) type Acts = BTreeMap<String, usize>;

/// The results for one file.
#[derive(Debug, Default)]
pub(crate) struct FileResult {
    /// By row name: actions of LLVM, actions of Backedge.
    pub(crate) rows: BTreeMap<&'static str, [Acts; 2]>,
    pub(crate) tested: Tested,
    /// The skipped pipelines, and whether Backedge is at fault.
    pub(crate) left_out: Vec<(String, bool)>,
    /// The number of functions, and of those that have a loop with several exits.
    pub(crate) functions: [usize; 2],
}

/// The exit tests in main loops, for loops with several exits that both sides unroll at run time.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Tested {
    pub(crate) loops: usize,
    /// The number of exiting edges of the original loops.
    pub(crate) exits: usize,
    /// The number of exiting edges of the main loops: LLVM's, Backedge's.
    pub(crate) in_main: [usize; 2],
}

/// Runs both sides on `file`. An error concerns the environment of this program, not the file.
pub(crate) fn compare(file: &Path, ours: &Optimizer, llvm: &Optimizer) -> Result<FileResult> {
    let mut found = FileResult::default();
    let bases: Vec<_> =
        Base::ALL.iter().map(|base| [llvm, ours].map(|side| side.run(base.pipeline(), &[], file))).collect();
    let mut exits = functions::exits(&fs::read(file)?).unwrap_or_default();
    exits.retain(|_, exits| *exits > 1);
    let several: BTreeSet<&str> = exits.keys().map(|(function, _)| &**function).collect();
    for (base, [of_llvm, of_ours]) in Base::ALL.iter().zip(&bases) {
        let (a, b) = match (of_llvm, of_ours) {
            (Ok(a), Ok(b)) => (a, b),
            (a, b) => {
                found.leave_out(base.pipeline(), a.as_ref().err(), b.as_ref().err());
                continue;
            }
        };
        if *base == Base::Function {
            let of_both = |name: &&String| b.codes.contains_key(*name);
            found.functions = [a.codes.keys().filter(of_both).count(), several.len()];
        }
        for case in CASES.iter().filter(|c| c.base == *base) {
            match (llvm.run(case.llvm, case.options, file), ours.run(case.ours, &[], file)) {
                (Ok(after_llvm), Ok(after_ours)) => {
                    for row in case.rows {
                        found.rows.insert(
                            row.name,
                            [
                                acts(row, row.llvm, a, &after_llvm, &several),
                                acts(row, row.ours, b, &after_ours, &several),
                            ],
                        );
                    }
                    if case.rows.iter().any(|r| r.name == RUNTIME) {
                        found.tested = tested(&found.rows[RUNTIME], [a, b], [&after_llvm, &after_ours]);
                    }
                }
                (a, b) => found.leave_out(case.rows[0].name, a.err().as_ref(), b.err().as_ref()),
            }
        }
    }
    Ok(found)
}

impl FileResult {
    fn leave_out(&mut self, what: &str, llvm: Option<&anyhow::Error>, ours: Option<&anyhow::Error>) {
        let fault = llvm.is_none();
        for error in [llvm, ours].into_iter().flatten() {
            self.left_out.push((format!("{what}: {error:#}"), fault));
        }
    }
}

/// The functions on which a side acted, with the number of actions.
fn acts(row: &Row, sign: Sign, before: &Made, after: &Made, several: &BTreeSet<&str>) -> Acts {
    let mut acts = Acts::new();
    match sign {
        Sign::Changed => {
            acts.extend(functions::changed(&before.codes, &after.codes).into_iter().map(|name| (name, 1)));
        }
        Sign::Remark(says) => {
            for remark in after.remarks.iter().filter(|r| says(r)) {
                *acts.entry(remark.function.clone()).or_default() += 1;
            }
        }
    }
    if row.several_exits {
        acts.retain(|name, _| several.contains(&**name));
    }
    acts
}

/// Counts the exits of the main loops that both sides created from the same loop. The main loop keeps the name of the
/// header on both sides. LLVM's remarks do not identify the loop; it has unrolled this one if the loop has more exits
/// than before.
fn tested(unrolled: &[Acts; 2], rotated: [&Made; 2], after: [&Made; 2]) -> Tested {
    let exits = |made: &Made| functions::exits(&made.text).unwrap_or_default();
    let mut all = Tested::default();
    let in_both = |name: &String| unrolled.iter().all(|acts| acts.contains_key(name));
    if !unrolled[0].keys().any(in_both) {
        return all;
    }
    let [before_llvm, before_ours]: [Exits; 2] = rotated.map(exits);
    let [after_llvm, after_ours]: [Exits; 2] = after.map(exits);
    for (place, exits) in before_llvm.iter().filter(|((function, _), exits)| **exits > 1 && in_both(function))
    {
        let ours = after[1]
            .remarks
            .iter()
            .any(|r| cases::is_runtime(r) && r.function == place.0 && r.header.as_deref() == Some(&*place.1));
        let (Some(in_llvm), Some(in_ours)) = (after_llvm.get(place), after_ours.get(place)) else { continue };
        if ours && before_ours.contains_key(place) && in_llvm > exits {
            all.loops += 1;
            all.exits += exits;
            all.in_main[0] += in_llvm;
            all.in_main[1] += in_ours;
        }
    }
    all
}
