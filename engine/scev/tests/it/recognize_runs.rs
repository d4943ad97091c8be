//! Recognized expressions hold in executions (P3), and so do the learned facts (P1, P2 of docs/semantics.md): for
//! generated functions, and for LLVM's loop tests if `BACKEDGE_LLVM_TESTS` is set. `BACKEDGE_CASES` and `BACKEDGE_SEED`
//! set the number of generated functions and the first seed.

use crate::common::bodies::Text;
use crate::common::runs;
use crate::common::runs::{Order, watch, watch_function};
use backedge_analysis::Analyses;
use backedge_interp::{Machine, Program};
use backedge_ir::parse::read_module;
use backedge_scev::ScalarEvolution;
use backedge_testkit::generate::wild_module;
use backedge_testkit::llvm_tests;
use backedge_testkit::number;

#[test]
fn values_of_wild_functions() {
    let mut all = runs::Compared::default();
    let (first, count) = (number("BACKEDGE_SEED", 0), number("BACKEDGE_CASES", 400));
    for seed in first..first + count {
        let source = wild_module(seed);
        let text = Text::new(&source);
        let order = if seed % 2 == 0 { Order::Forwards } else { Order::Backwards };
        let (compared, violations) = watch(&text, order, 40);
        assert!(violations.is_empty(), "seed {seed}: {violations:#?}\n{source}");
        all.add(compared);
    }
    assert!(all.runs > 2 * count && all.values > 40 * count, "{all:?}");
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
        let module = parsed.module;
        let program = Program::new(&module, &runs::config());
        let mut machine = Machine::new(&program, runs::config());
        for (func, body) in module.bodies().filter(|(_, body)| body.inst_capacity() < 2000) {
            let analyses = Analyses::of(func);
            let mut se = ScalarEvolution::new(analyses.at(&module.env, body));
            let (compared, violations) = watch_function(&mut se, func, &mut machine, Order::Forwards, 4);
            all.add(compared);
            let name = &module.env.funcs[func].name;
            wrong.extend(violations.into_iter().map(|v| format!("{}: @{name}: {v}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "{} violations: {wrong:#?}", wrong.len());
    assert!(all.runs > 3000 && all.values > 50_000, "{all:?}");
}
