//! Cost and benefit of propagating later facts to values: eagerly, on demand, or never.
//!
//! Run with `cargo bench -p backedge-scev`. The functions are those of the corpus or, if `BACKEDGE_LLVM_TESTS` names a
//! directory, of the files below it. The benefit is printed first: the number of values with a better expression, and
//! the numbers of wrap flags and exact counts known at the end.

use backedge_analysis::Analyses;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_scev::ScalarEvolution;
use backedge_scev::refine::Mode;
use backedge_testkit::{corpus_files, llvm_tests};
use divan::Bencher;
use std::path::PathBuf;
use std::sync::LazyLock;

const MODES: [Mode; 3] = [Mode::Eager, Mode::OnDemand, Mode::Never];
/// Limit on the size of a file in bytes: a few larger files would dominate the measurement.
const LONGEST: usize = 200_000;

static MODULES: LazyLock<Vec<Module>> = LazyLock::new(|| {
    let files: Vec<PathBuf> =
        llvm_tests("what refinement costs").map_or_else(corpus_files, |tests| tests.files());
    let texts = files.iter().filter_map(|p| std::fs::read(p).ok()).filter(|t| t.len() <= LONGEST);
    texts.filter_map(|t| parse_module(&t).ok()).map(|p| p.module).collect()
});

fn settled(module: &Module, func: FuncId, mode: Mode) -> Option<[u64; 4]> {
    let body = module.body(func)?;
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(&module.env, body));
    scev.set_refinement(mode);
    scev.settle();
    let effort = scev.refinement_effort();
    let flags =
        scev.arena().iter().map(|e| u64::from(scev.flags(e).nuw()) + u64::from(scev.flags(e).nsw())).sum();
    let mut exact = 0;
    for l in scev.loops().ids() {
        let count = scev.backedge_taken(l);
        exact += u64::from(!scev.is_could_not_compute(count));
    }
    Some([effort.rebuilt, effort.improved, flags, exact])
}

fn over_all(mode: Mode) -> [u64; 4] {
    let mut sum = [0; 4];
    for module in MODULES.iter() {
        for (func, _) in module.bodies() {
            let of = settled(module, func, mode).unwrap_or_default();
            sum.iter_mut().zip(of).for_each(|(s, o)| *s += o);
        }
    }
    sum
}

#[divan::bench(args = MODES, sample_count = 10)]
fn settle(bencher: Bencher<'_, '_>, mode: Mode) {
    bencher.bench(|| over_all(mode));
}

fn main() {
    println!("{:>10} {:>10} {:>10} {:>10} {:>10}", "mode", "rebuilt", "improved", "flags", "exact");
    for mode in MODES {
        let [rebuilt, improved, flags, exact] = over_all(mode);
        println!("{:>10} {rebuilt:>10} {improved:>10} {flags:>10} {exact:>10}", format!("{mode:?}"));
    }
    divan::main();
}
