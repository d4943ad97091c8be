//! Functions with random graphs: each step of each plan passes the verifier, and the executed plan behaves like the
//! original function, with each massaging alone and with all of them.

use crate::common::{Tally, after, body, compare, in_form, module, named, of_graph, plans};
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
        check_steps(&of_graph(&graph, seed))?;
    }

    #[test]
    fn what_is_executed_is_the_same(graph in graphs(3..=16), seed in any::<u64>()) {
        compare_runs(&of_graph(&graph, seed));
    }
}

proptest! {
    #![proptest_config(backedge_testkit::kept(backedge_testkit::number("BACKEDGE_CASES", 300)))]

    /// Blocks are created for shared exits exactly where they allow a region.
    #[test]
    fn every_new_exit_ends_a_region(graph in graphs(3..=16), seed in any::<u64>()) {
        check_new_exits(&of_graph(&graph, seed))?;
    }

    /// Planning and executing a second time changes only names.
    #[test]
    fn second_round_trip_changes_nothing(graph in graphs(3..=16), seed in any::<u64>()) {
        check_second_round_trip(&of_graph(&graph, seed))?;
    }
}

/// A random function that one of the laws did not hold for: its cycle is irreducible.
const IRREDUCIBLE: &str = "
declare void @show(i32)

define i32 @f(i32 %a, i32 %b) {
b0:
  call void @show(i32 %a)
  %m0 = and i32 %a, 8
  %c0 = icmp eq i32 %m0, 0
  br i1 %c0, label %b2, label %b2
b1:
  %p1.0 = phi i32 [ %p1.0, %b1 ], [ %p3.0, %b3 ]
  %p1.1 = phi i32 [ %p1.1, %b1 ], [ %v3.1, %b3 ]
  %p1.2 = phi i32 [ %p1.2, %b1 ], [ %p3.2, %b3 ]
  %m1 = and i32 %p1.2, 3
  switch i32 %m1, label %b2 [ i32 0, label %b1 i32 1, label %b3 ]
b2:
  %p2.0 = phi i32 [ %a, %b0 ], [ %a, %b0 ], [ %p1.0, %b1 ], [ %p3.0, %b3 ]
  %p2.1 = phi i32 [ %b, %b0 ], [ %b, %b0 ], [ %p1.1, %b1 ], [ %v3.1, %b3 ]
  %p2.2 = phi i32 [ 7, %b0 ], [ 7, %b0 ], [ %p1.2, %b1 ], [ %p3.2, %b3 ]
  %v2.0 = mul i32 %p2.0, %p2.0
  %v2.1 = xor i32 %p2.1, 8
  %m2 = and i32 %v2.1, 4
  %c2 = icmp eq i32 %m2, 0
  br i1 %c2, label %b3, label %b3
b3:
  %p3.0 = phi i32 [ %p1.0, %b1 ], [ %v2.0, %b2 ], [ %v2.0, %b2 ]
  %p3.1 = phi i32 [ %p1.1, %b1 ], [ %v2.1, %b2 ], [ %v2.1, %b2 ]
  %p3.2 = phi i32 [ %p1.2, %b1 ], [ %p2.2, %b2 ], [ %p2.2, %b2 ]
  %v3.1 = xor i32 %p3.1, %p3.0
  %m3 = and i32 %p3.0, 8
  %c3 = icmp eq i32 %m3, 0
  br i1 %c3, label %b1, label %b2
}
";

#[test]
fn an_irreducible_cycle() {
    let source = module(IRREDUCIBLE);
    compare_runs(&source);
    let laws = [check_steps, check_new_exits, check_second_round_trip];
    laws.into_iter().try_for_each(|law| law(&source)).unwrap_or_else(|e| panic!("{e}"));
}

fn check_steps(source: &Module) -> Result<(), TestCaseError> {
    let module = in_form(source);
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
    Ok(())
}

fn compare_runs(source: &Module) {
    let mut tally = Tally::default();
    for pass in passes() {
        compare([source, &after(source, &pass)], named(source), 6, &mut tally);
    }
}

fn check_new_exits(source: &Module) -> Result<(), TestCaseError> {
    let module = in_form(source);
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
    Ok(())
}

fn check_second_round_trip(source: &Module) -> Result<(), TestCaseError> {
    let func = named(source);
    let text = |module: &Module| {
        let mut module = module.clone();
        let nameless = body(&module, func).without_names();
        module.code[func] = Code::Body(Box::new(nameless));
        function_to_string(&module, func)
    };
    let once = after(source, "vplan-roundtrip");
    let again = after(&once, "vplan-roundtrip");
    prop_assert_eq!(text(&once), text(&again));
    Ok(())
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
