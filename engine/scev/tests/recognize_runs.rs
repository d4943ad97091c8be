//! Whatever is found of a value holds on runs (P3), and so do the facts learned (P1, P2): of generated functions, and of
//! LLVM's loop tests if `BACKEDGE_LLVM_TESTS` is set. `BACKEDGE_SCEV_RUNS` multiplies the number of generated functions.

#[path = "common/bodies.rs"]
mod bodies;
#[path = "common/runs.rs"]
mod runs;
#[path = "common/watch.rs"]
mod watch;

use backedge_ir::parse::read_module;
use backedge_testkit::generate::wild_module;
use backedge_testkit::llvm_tests;
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
        all.add(compared);
    }
    assert!(all.runs > 1000 && all.values > 20_000, "{all:?}");
}

/// Every function of LLVM's loop tests, on a few inputs each.
#[test]
fn values_of_llvm_tests() {
    let Some(tests) = llvm_tests("values of LLVM's loop tests on runs") else { return };
    let mut all = runs::Compared::default();
    let mut wrong = Vec::new();
    for file in tests.files() {
        let source = std::fs::read(&file).expect("a file of the list");
        let Ok(parsed) = read_module(&source) else { continue };
        for (func, body) in parsed.module.bodies() {
            if body.inst_capacity() > 2000 {
                continue;
            }
            if std::env::var_os("TRACE_IT").is_some() { eprintln!("{} {}", file.display(), parsed.module.env.funcs[func].name); }
            let text = Text { module: parsed.module.clone(), func };
            let (compared, violations) = watch(&text, Order::Forwards, 6 * scale());
            all.add(compared);
            let name = &text.module.env.funcs[func].name;
            wrong.extend(violations.into_iter().map(|v| format!("{}: @{name}: {v}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "{} violations: {wrong:#?}", wrong.len());
    assert!(all.runs > 3000 && all.values > 50_000, "{all:?}");
}
