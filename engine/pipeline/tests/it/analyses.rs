//! Cached analyses equal recomputed ones: after each pass on each loop or function of the corpus, all results that
//! existed before the pass and were updated are compared with fresh ones.

use crate::common::{Watch, watch};
use backedge_analysis::conditions::Conditions;
use backedge_analysis::must_execute::{Executions, Stops};
use backedge_analysis::order::Order;
use backedge_ir::parse::parse_module;
use backedge_pipeline::parse_pipeline;
use backedge_testkit::corpus_files;
use backedge_transform::pass::Unit;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Requests all analyses that can be updated, so that they are cached.
fn ask(unit: &mut Unit<'_>) {
    let shape = unit.shape();
    let at = unit.at();
    let executions = at.get::<Executions>();
    at.get::<Conditions>();
    at.get::<Order>();
    at.get::<Stops>();
    for region in shape.loops.ids().map(Some).chain([None]) {
        executions.of(at, region);
    }
}

/// Counts the edits that were checked.
struct Checked<'a> {
    path: &'a Path,
    edits: usize,
}

impl Watch for Checked<'_> {
    fn step(&mut self, unit: &mut Unit<'_>, pass: &str, act: impl FnOnce(&mut Unit<'_>)) {
        ask(unit);
        let before = unit.body().body_epoch();
        act(unit);
        self.edits += usize::from(unit.body().body_epoch() != before);
        unit.shape();
        let verified = unit.verify_analyses();
        let name = &unit.env().funcs[unit.func].name;
        assert!(verified.is_ok(), "{} @{name} after {pass}: {verified:?}", self.path.display());
    }
}

#[test]
fn updated_analyses_equal_fresh_ones() {
    let pipeline = parse_pipeline("default<O3>").expect("a pipeline");
    let edits = AtomicUsize::new(0);
    corpus_files().par_iter().for_each(|path| {
        let text = std::fs::read(path).expect("a file of the corpus");
        let Ok(parsed) = parse_module(&text) else { return };
        let mut module = parsed.module;
        let mut checked = Checked { path, edits: 0 };
        watch(&mut module, &pipeline, &mut checked);
        edits.fetch_add(checked.edits, Ordering::Relaxed);
    });
    let edits = edits.into_inner();
    println!("{edits} edits checked");
    assert!(edits > 1000, "{edits} edits are too few to say anything");
}
