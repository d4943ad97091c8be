//! Plans of the corpus: compares plans with `[vplan]` of each `.toml`, and verifies each step of each plan of all
//! corpus files and of LLVM's loop tests.

use crate::common::{body, in_form_of, plans};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_testkit::corpus::{Expectations, Printer};
use backedge_testkit::{corpus_files, llvm_tests};
use backedge_vplan::build::Landing;
use backedge_vplan::massage::{Massaging, Massagings, NothingUniform};
use backedge_vplan::print::PlanPrinter;
use backedge_vplan::report::{VPlanText, vplan_to_string};
use backedge_vplan::{VPlan, hierarchy, verify};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Default, Debug)]
struct Tally {
    plans: u64,
    blocks: u64,
    /// For each massaging, the number of plans that it changed.
    massaged: BTreeMap<&'static str, u64>,
    loops: u64,
    loop_regions: u64,
    other_regions: u64,
}

fn check_steps(path: &Path, module: &Module, tally: &mut Tally) {
    for (func, _) in module.bodies() {
        let printer = PlanPrinter::new(&module.env, body(module, func));
        for landing in [Landing::PostDominator, Landing::Pad] {
            for mut plan in plans(module, func, landing) {
                let mut done = Massagings::NONE;
                let right = |problems: Vec<verify::Problem>, what: &str, plan: &VPlan| {
                    let text = || printer.text(plan);
                    assert!(problems.is_empty(), "{}, {what}: {problems:?}\n{}", path.display(), text());
                };
                right(verify::plain(&plan, body(module, func)), "plain CFG", &plan);
                for massaging in Massaging::ALL {
                    let changed = massaging.run(&mut plan, &NothingUniform);
                    *tally.massaged.entry(massaging.name()).or_default() += u64::from(changed);
                    done = done.with(massaging);
                    right(verify::plain(&plan, body(module, func)), massaging.name(), &plan);
                    if plan.blocks().len() < 200 {
                        right(verify::massaged(&plan, done, &NothingUniform), massaging.name(), &plan);
                    }
                }
                hierarchy::build(&mut plan);
                right(verify::hierarchy(&plan), "hierarchical CFG", &plan);
                let graph = backedge_vplan::plan::Graph::new(&plan);
                let of_loops = plan.regions().filter(|r| plan.region(*r).as_loop().is_some()).count();
                // All loops are massaged, so each has a region.
                assert_eq!(of_loops, graph.loops().len(), "{}\n{}", path.display(), printer.text(&plan));
                tally.plans += 1;
                tally.blocks += plan.blocks().len() as u64;
                tally.loops += graph.loops().len() as u64;
                tally.loop_regions += of_loops as u64;
                tally.other_regions += (plan.regions().len() - 1 - of_loops) as u64;
            }
        }
    }
}

#[test]
fn texts_and_steps_of_the_corpus() {
    let mut compared = 0;
    let mut tally = Tally::default();
    for path in corpus_files() {
        let Some(module) = in_form_of(&path) else { panic!("{}", path.display()) };
        let expectations = Expectations::of(&path);
        check_steps(&path, &module, &mut tally);
        for (func, body) in module.bodies() {
            let name = &module.env.funcs[func].name;
            let options = VPlanText { steps: true, ..VPlanText::default() };
            compared += u32::from(
                expectations
                    .compare(Printer::Vplan, name, || vplan_to_string(&module.env, func, body, options)),
            );
        }
    }
    println!("{compared} texts compared; {tally:?}");
    assert!(compared >= 17, "{compared} texts compared");
    assert!(tally.plans > 200, "{tally:?}");
}

#[test]
fn steps_of_llvms_loop_tests() {
    let Some(tests) = llvm_tests("plans of LLVM's loop tests") else { return };
    let mut tally = Tally::default();
    for path in tests.files() {
        if let Some(module) = in_form_of(&path) {
            check_steps(&path, &module, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.plans > 2000, "{tally:?}");
}

/// Executing the plans of every function of the corpus yields valid IR.
#[test]
fn round_trips_are_valid() {
    for passes in ["vplan-roundtrip", "vplan-roundtrip<plain>", "vplan-roundtrip<landing-pad>"] {
        let pipeline = parse_pipeline(passes).expect("a pipeline");
        for path in corpus_files() {
            let source = std::fs::read(&path).expect("a file of the corpus");
            let mut module = parse_module(&source).expect("a module").module;
            let checked = Options { verify_each: true, ..Options::default() };
            if let Err(error) = run(&mut module, &pipeline, checked, &mut Nobody) {
                let text = backedge_ir::print::module_to_string(&module);
                panic!("{passes}: {}: {error}\n{text}", path.display());
            }
        }
    }
}
