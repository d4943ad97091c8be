//! Vector plans: compares plans with `[vectors]` of each `.toml` of the corpus, and verifies all plans of every
//! vectorizable loop of the corpus and of LLVM's loop tests.

use crate::common::{in_form_of, kind};
use backedge_analysis::Analyses;
use backedge_ir::module::Module;
use backedge_scev::ScalarEvolution;
use backedge_testkit::corpus::{Expectations, Printer};
use backedge_testkit::{corpus_files, llvm_tests};
use backedge_vplan::legality::{Limits, check};
use backedge_vplan::vectorize::LoopVectorize;
use backedge_vplan::vectorize::report::vector_plans_to_string;
use backedge_vplan::widen::plans;
use backedge_vplan::widen::verify::verify;
use std::collections::BTreeMap;
use std::path::Path;

/// The number of recipes of each kind in all plans.
type Tally = BTreeMap<String, u64>;

fn check_plans(path: &Path, module: &Module, tally: &mut Tally) {
    for (func, body) in module.bodies() {
        let analyses = Analyses::of(func);
        let mut scev = ScalarEvolution::new(analyses.at(&module.env, body));
        let loops = scev.loops();
        for l in loops.ids() {
            for fold_tail in [false, true] {
                let limits = Limits { fold_tail, ..Limits::default() };
                let Ok(legality) = check(&mut scev, l, limits) else { continue };
                let Some(plans) = plans(&mut scev, &legality, None) else { continue };
                for plan in &plans.all {
                    let found = verify(scev.body(), &legality, &plans.addresses, plan);
                    assert_eq!(found, Ok(()), "{}: {} lanes: {plan:?}", path.display(), plan.lanes);
                    plan.recipes().for_each(|recipe| *tally.entry(kind(recipe)).or_default() += 1);
                }
            }
        }
    }
}

#[test]
fn texts_and_plans_of_the_corpus() {
    let (mut compared, mut tally) = (0, Tally::default());
    for path in corpus_files() {
        let Some(module) = in_form_of(&path) else { panic!("{}", path.display()) };
        let expectations = Expectations::of(&path);
        check_plans(&path, &module, &mut tally);
        for (func, body) in module.bodies() {
            let name = &module.env.funcs[func].name;
            let text = || vector_plans_to_string(&module.env, func, body, &LoopVectorize::default());
            compared += u32::from(expectations.compare(Printer::Vectors, name, text));
        }
    }
    println!("{compared} texts compared; {tally:?}");
    assert!(compared >= 4, "{compared} texts compared");
    assert!(tally.len() > 16, "{tally:?}");
}

#[test]
fn plans_of_llvms_loop_tests() {
    let Some(tests) = llvm_tests("vector code of LLVM's loop tests") else { return };
    let mut tally = Tally::default();
    for path in tests.files() {
        if let Some(module) = in_form_of(&path) {
            check_plans(&path, &module, &mut tally);
        }
    }
    println!("{tally:?}");
    // All kinds of recipes occur.
    assert_eq!(tally.len(), 22, "{tally:?}");
    assert!(tally.values().sum::<u64>() > 20_000, "{tally:?}");
}
