//! Judges many changes in parallel; records keep a stable order.

use super::record::{Finding, Record};
use super::{Judge, Judged};
use crate::pair::Side;
use crate::verdict::{Options, Report};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_smt::proof::Certificate;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The effect of one pass on one function.
#[derive(Clone, Debug)]
pub struct Change {
    /// The file as named by the user.
    pub file: Arc<str>,
    /// The module of the function; its own code for the function is ignored.
    pub module: Arc<Module>,
    /// The function.
    pub func: FuncId,
    /// The pass, by LLVM's name.
    pub pass: String,
    /// Position in the pipeline, from 0.
    pub step: usize,
    /// The code before.
    pub before: Arc<Body>,
    /// The code after.
    pub after: Arc<Body>,
    /// Remarks of the pass.
    pub remarks: Vec<String>,
}

/// A function of a file as rewritten by an optimizer that emitted a separate module.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// The file as named by the user.
    pub file: Arc<str>,
    /// Name of the optimizer.
    pub pass: String,
    /// The input module, and the function in it.
    pub source: (Arc<Module>, FuncId),
    /// The output module, and the function in it.
    pub target: (Arc<Module>, FuncId),
}

/// An entry of the report: a change to judge, or a known record.
#[derive(Clone, Debug)]
pub enum Item {
    /// A pass's change to judge.
    Change(Change),
    /// An optimizer's rewrite to judge.
    Rewrite(Rewrite),
    /// A known record.
    Known(Box<Record>),
}

/// Judges all items in parallel (in rayon's current pool) and returns the records in the order of the items. `each` is
/// called with an item's position and its record as soon as the record exists, in any order and from any thread. After
/// `stop` is set, changes not yet begun are skipped.
pub fn judge(
    items: &[Item],
    judge: &Judge,
    stop: &AtomicBool,
    each: &(dyn Fn(usize, &Record) + Sync),
) -> Vec<Record> {
    let one = |(index, item): (usize, &Item)| {
        let record = match item {
            Item::Known(record) => (**record).clone(),
            Item::Change(_) | Item::Rewrite(_) if stop.load(Ordering::SeqCst) => return None,
            Item::Change(change) => judge_change(change, judge),
            Item::Rewrite(rewrite) => judge_rewrite(rewrite, judge),
        };
        each(index, &record);
        Some(record)
    };
    let records: Vec<_> = items.par_iter().enumerate().map(one).collect();
    records.into_iter().flatten().collect()
}

/// The verdict on one change.
pub fn judge_change(change: &Change, judge: &Judge) -> Record {
    let start = Instant::now();
    let module_with = |body: &Body| {
        let mut module = Module::clone(&change.module);
        module.code[change.func] = Code::Body(Box::new(body.clone()));
        module
    };
    let (source, target) = (module_with(&change.before), module_with(&change.after));
    let side = |module| Side { module, func: change.func };
    let Change { file, pass, step, remarks, .. } = change;
    judge_pair(side(&source), side(&target), judge, Origin { file, pass, step: *step, remarks, start }).0
}

/// The verdict on one rewrite.
pub fn judge_rewrite(rewrite: &Rewrite, judge: &Judge) -> Record {
    let start = Instant::now();
    let [source, target] =
        [&rewrite.source, &rewrite.target].map(|(module, func)| Side { module, func: *func });
    let Rewrite { file, pass, .. } = rewrite;
    judge_pair(source, target, judge, Origin { file, pass, step: 0, remarks: &[], start }).0
}

/// Where a pair comes from, for its record.
#[derive(Copy, Clone, Debug)]
pub struct Origin<'a> {
    /// The file.
    pub file: &'a str,
    /// The pass that made the target.
    pub pass: &'a str,
    /// Position of the pass in its pipeline, from 0.
    pub step: usize,
    /// Remarks of the pass.
    pub remarks: &'a [String],
    /// The start of the work on the pair.
    pub start: Instant,
}

/// The record of a pair, and the certificate of its verdict.
pub fn judge_pair(
    source: Side<'_>,
    target: Side<'_>,
    judge: &Judge,
    origin: Origin<'_>,
) -> (Record, Option<Box<Certificate>>) {
    let judged = judge.judge(source, target);
    let reproducer = judged.reproducer(source, target, judge.options());
    let Judged { report, cached } = judged;
    let finding = Finding::Validation {
        pass: origin.pass.to_owned(),
        step: origin.step,
        verdict: report.verdict,
        rlimit: report.rlimit,
        runs: report.runs,
        cached,
        defined: report.defined,
        unproved: report.unproved,
        loops: source.has_loop() || target.has_loop(),
        remarks: origin.remarks.to_vec(),
    };
    let record = Record::new(origin.file, source.name(), millis(origin.start), finding);
    (Record { reproducer, ..record }, report.certificate)
}

/// [`super::check::check`] with panics reported as internal errors.
pub fn check_caught(source: Side<'_>, target: Side<'_>, options: &Options) -> Report {
    Judge::new(options.clone()).judge(source, target).report
}

/// Milliseconds since `start`.
pub fn millis(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}
