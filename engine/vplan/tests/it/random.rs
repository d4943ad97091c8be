//! Functions with random graphs: each step of each plan passes the verifier, and the executed plan behaves like the
//! original function, with each massaging alone and with all of them.

use crate::common;
use crate::common::{Tally, after, body, compare, in_form, module, named, plans};
use backedge_ir::module::{Code, Module};
use backedge_ir::print::function_to_string;
use backedge_testkit::graphs;
use backedge_vplan::build::Landing;
use backedge_vplan::massage::{Massaging, Massagings, NothingUniform};
use backedge_vplan::print::PlanPrinter;
use backedge_vplan::{hierarchy, verify};
use proptest::prelude::*;

proptest! {
    #![proptest_config(backedge_testkit::kept(backedge_testkit::number("BACKEDGE_CASES", 300)))]

    #[test]
    fn every_step_is_right(graph in graphs(3..=16), seed in any::<u64>()) {
        let module = in_form(&module(&common::graphs::text(&graph, seed)));
        let func = named(&module);
        for landing in [Landing::PostDominator, Landing::Pad] {
            for plan in plans(&module, func, landing) {
                for massagings in choices() {
                    let mut plan = plan.clone();
                    let mut done = Massagings::NONE;
                    prop_assert_eq!(verify::plain(&plan, body(&module, func)), vec![]);
                    for massaging in massagings.iter() {
                        massaging.run(&mut plan, &NothingUniform);
                        done = done.with(massaging);
                        let problems = verify::plain(&plan, body(&module, func));
                        let text = || PlanPrinter::new(&module.env, body(&module, func)).text(&plan);
                        prop_assert!(problems.is_empty(), "{:?}: {:?}\n{}", massaging, problems, text());
                        let problems = verify::massaged(&plan, done, &NothingUniform);
                        prop_assert!(problems.is_empty(), "{:?}: {:?}\n{}", done, problems, text());
                    }
                    hierarchy::build(&mut plan);
                    let problems = verify::hierarchy(&plan);
                    let text = || PlanPrinter::new(&module.env, body(&module, func)).text(&plan);
                    prop_assert!(problems.is_empty(), "{:?}: {:?}\n{}", massagings, problems, text());
                }
            }
        }
    }

    #[test]
    fn what_is_executed_is_the_same(graph in graphs(3..=16), seed in any::<u64>()) {
        let source = module(&common::graphs::text(&graph, seed));
        let func = named(&source);
        let mut tally = Tally::default();
        for pass in passes() {
            compare([&source, &after(&source, &pass)], func, 6, &mut tally);
        }
    }
}

proptest! {
    #![proptest_config(backedge_testkit::kept(backedge_testkit::number("BACKEDGE_CASES", 300)))]

    /// Blocks are created for shared exits exactly where they allow a region.
    #[test]
    fn every_new_exit_ends_a_region(graph in graphs(3..=16), seed in any::<u64>()) {
        let module = in_form(&module(&common::graphs::text(&graph, seed)));
        for mut plan in plans(&module, named(&module), Landing::default()) {
            let others = Massaging::ALL.into_iter().filter(|m| *m != Massaging::SharedExit);
            others.fold(Massagings::NONE, Massagings::with).run(&mut plan, &NothingUniform);
            let before = plan.blocks().len();
            Massaging::SharedExit.run(&mut plan, &NothingUniform);
            hierarchy::build(&mut plan);
            for made in plan.blocks().skip(before) {
                let is_exit = plan.region(plan.block(made).parent).exit == made;
                let text = PlanPrinter::new(&module.env, body(&module, named(&module))).text(&plan);
                prop_assert!(is_exit, "{:?} in\n{}", plan.block(made).label, text);
            }
        }
    }

    /// Planning and executing a second time changes only names.
    #[test]
    fn second_round_trip_changes_nothing(graph in graphs(3..=16), seed in any::<u64>()) {
        let source = module(&common::graphs::text(&graph, seed));
        let func = named(&source);
        let text = |module: &Module| {
            let mut module = module.clone();
            let nameless = body(&module, func).without_names();
            module.code[func] = Code::Body(Box::new(nameless));
            function_to_string(&module, func)
        };
        let once = after(&source, "vplan-roundtrip");
        let again = after(&once, "vplan-roundtrip");
        prop_assert_eq!(text(&once), text(&again));
    }
}

/// Each massaging alone, none, and all.
fn choices() -> impl Iterator<Item = Massagings> {
    let alone = Massaging::ALL.into_iter().map(|m| Massagings::NONE.with(m));
    alone.chain([Massagings::NONE, Massagings::ALL])
}

/// The passes that execute plans with these choices.
fn passes() -> impl Iterator<Item = String> {
    let alone = Massaging::ALL.into_iter().map(|m| format!("vplan-roundtrip<{}>", m.name()));
    let others = ["<plain>", "", "<landing-pad>", "<plain;landing-pad>"];
    alone.chain(others.into_iter().map(|params| format!("vplan-roundtrip{params}")))
}
