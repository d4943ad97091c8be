//! Whatever is found of a value holds on runs (P3), and so do the facts learned (P1, P2): of generated functions, and of
//! LLVM's loop tests if `BACKEDGE_LLVM_TESTS` is set. `BACKEDGE_SCEV_RUNS` multiplies the number of generated functions.

#[path = "common/bodies.rs"]
mod bodies;
#[path = "common/runs.rs"]
mod runs;
#[path = "common/watch.rs"]
mod watch;

use backedge_testkit::generate::wild_module;
use bodies::Text;
use runs::{Order, watch};

fn scale() -> u64 {
    std::env::var("BACKEDGE_SCEV_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

#[test]
fn values_of_wild_functions() {
    let mut all = runs::Compared::default();
    for seed in 0..400 * scale() {
        let source = wild_module(seed);
        let text = Text::new(&source);
        let order = if seed % 2 == 0 { Order::Forwards } else { Order::Backwards };
        let (compared, violations) = watch(&text, order, 40);
        assert!(violations.is_empty(), "seed {seed}: {violations:#?}\n{source}");
        all.runs += compared.runs;
        all.values += compared.values;
        all.facts += compared.facts;
    }
    assert!(all.runs > 1000 && all.values > 20_000, "{all:?}");
    println!("{all:?}");
}
