//! Speed of value facts, known conditions, must-execute and alias queries over many functions: the corpus, repeated up
//! to about 4 MB of text.
//!
//! Run with `cargo bench -p backedge-analysis`. If `BACKEDGE_BENCH_FILE` names a file, measures that module instead.

use backedge_analysis::cache::Analyses;
use backedge_analysis::conditions::Conditions;
use backedge_analysis::must_execute::MustExecute;
use backedge_analysis::print::count_aliases;
use backedge_analysis::values::{Demanded, ValueFacts};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::corpus_files;
use divan::Bencher;
use divan::counter::ItemsCount;
use std::sync::LazyLock;

/// Bytes of text in all modules; the corpus repeats until the total reaches this.
const SIZE: usize = 4 << 20;

fn main() {
    divan::main();
}

/// The modules, repeated until the total size is reached.
static MODULES: LazyLock<Vec<Module>> = LazyLock::new(|| {
    if let Some(path) = std::env::var_os("BACKEDGE_BENCH_FILE") {
        let text = std::fs::read(path).expect("the file that BACKEDGE_BENCH_FILE names");
        return vec![parse_module(&text).expect("a module").module];
    }
    let texts: Vec<Vec<u8>> =
        corpus_files().iter().map(|p| std::fs::read(p).expect("a file of the corpus")).collect();
    let mut size = 0;
    let rounds = texts.iter().cycle().take_while(|t| {
        size += t.len();
        size < SIZE
    });
    rounds.map(|t| parse_module(t).expect("a module of the corpus").module).collect()
});

fn instructions() -> usize {
    MODULES.iter().flat_map(Module::bodies).map(|(_, b)| b.all_insts().count()).sum()
}

/// Runs `each` on every body with an empty cache; counts instructions.
fn over_all(bencher: Bencher<'_, '_>, each: impl Fn(backedge_analysis::cache::At<'_>) + Sync) {
    bencher.counter(ItemsCount::new(instructions())).bench(|| {
        for module in MODULES.iter() {
            for (func, body) in module.bodies() {
                let analyses = Analyses::of(func);
                each(analyses.at(&module.env, body));
            }
        }
    });
}

/// The baseline: only graph, dominators and loops, which the other benchmarks compute too.
#[divan::bench(sample_count = 10)]
fn graph_and_loops(bencher: Bencher<'_, '_>) {
    over_all(bencher, |at| {
        divan::black_box(at.loops().len());
    });
}

#[divan::bench(sample_count = 10)]
fn conditions(bencher: Bencher<'_, '_>) {
    over_all(bencher, |at| {
        let conditions = at.get::<Conditions>();
        divan::black_box(at.body.blocks().map(|b| conditions.of_block(b).len()).sum::<usize>());
    });
}

#[divan::bench(sample_count = 10)]
fn known_bits_and_ranges(bencher: Bencher<'_, '_>) {
    over_all(bencher, |at| {
        let facts = at.get::<ValueFacts>();
        at.body.all_insts().for_each(|i| {
            divan::black_box(facts.of(at, i.into()));
        });
    });
}

/// The operands of terminators, on demand, with an empty cache. Counts all instructions, as the other benchmarks do.
#[divan::bench(sample_count = 10)]
fn demanded_of_branches(bencher: Bencher<'_, '_>) {
    over_all(bencher, |at| {
        let facts = at.get::<Demanded>();
        let blocks = at.body.blocks().filter_map(|b| at.body.terminator(b));
        blocks.flat_map(|t| at.body.inst(t).operands.iter()).for_each(|v| {
            divan::black_box(facts.of(at, *v));
        });
    });
}

/// Every value on demand.
#[divan::bench(sample_count = 10)]
fn demanded_of_all(bencher: Bencher<'_, '_>) {
    over_all(bencher, |at| {
        let facts = at.get::<Demanded>();
        at.body.all_insts().for_each(|i| {
            divan::black_box(facts.of(at, i.into()));
        });
    });
}

#[divan::bench(sample_count = 10)]
fn must_execute(bencher: Bencher<'_, '_>) {
    over_all(bencher, |at| {
        let loops = at.loops();
        loops.ids().for_each(|l| {
            divan::black_box(MustExecute::of_loop(at, l).blocks().len());
        });
    });
}

/// All pairs of accessed pointers of each function.
#[divan::bench(sample_count = 10)]
fn alias_pairs(bencher: Bencher<'_, '_>) {
    over_all(bencher, |at| {
        divan::black_box(count_aliases(at));
    });
}
