//! Guarantees of the canonicalization passes on random functions: the result is valid, in the guaranteed form, and
//! equivalent, and running the pass again changes nothing.

use crate::common::machine::{agree, run};
use crate::common::module_of;
use crate::common::{check_ssa, not_closed, not_rotated, not_simplified, run_loop_pass, run_pass};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_testkit::{Graph, graphs};
use backedge_transform::lcssa::Lcssa;
use backedge_transform::rotate::LoopRotate;
use backedge_transform::simplify::LoopSimplify;
use proptest::prelude::*;

const INPUTS: [(i32, i32); 7] = [(0, 0), (1, 0), (0, 1), (2, 3), (-1, 1), (7, -5), (100, 2)];

fn prepared(graph: &Graph, seed: u64) -> (Module, FuncId) {
    let module = module_of(&[(graph.clone(), seed)]);
    let func = module.bodies().map(|(f, _)| f).next().expect("a body");
    check_ssa(module.body(func).expect("a body")).expect("what is generated is valid");
    (module, func)
}

fn same_behaviour(before: &Body, after: &Body) -> Result<(), TestCaseError> {
    for (a, b) in INPUTS {
        let args = [a, b].map(|x| Int::new(32, i128::from(x) as u128));
        let (x, y) = (run(before, &args, 3000), run(after, &args, 3000));
        prop_assert!(agree(&x, &y), "inputs {a}, {b}: {x:?} became {y:?}");
    }
    Ok(())
}

fn check_step(before: &Body, after: &Body) -> Result<(), TestCaseError> {
    check_ssa(after).map_err(TestCaseError::fail)?;
    same_behaviour(before, after)
}

proptest! {
    #![proptest_config(backedge_testkit::kept(1500))]

    #[test]
    fn canonical_forms(graph in graphs(3..=14), seed in any::<u64>()) {
        let (mut module, func) = prepared(&graph, seed);
        let (env, body) = module.body_mut(func).expect("a body");
        let before = body.clone();
        run_pass(env, func, body, &LoopSimplify);
        check_step(&before, body)?;
        prop_assert_eq!(not_simplified(body), vec![]);
        let epoch = body.body_epoch();
        run_pass(env, func, body, &LoopSimplify);
        prop_assert_eq!(body.body_epoch(), epoch, "loop-simplify again changes nothing");

        let before = body.clone();
        run_pass(env, func, body, &Lcssa);
        check_step(&before, body)?;
        prop_assert_eq!(not_closed(body), vec![]);
        prop_assert_eq!(not_simplified(body), vec![]);
        let epoch = body.body_epoch();
        run_pass(env, func, body, &Lcssa);
        prop_assert_eq!(body.body_epoch(), epoch, "lcssa again changes nothing");

        let before = body.clone();
        run_loop_pass(env, func, body, &LoopRotate::default());
        check_step(&before, body)?;
        prop_assert_eq!(not_simplified(body), vec![]);
        prop_assert_eq!(not_closed(body), vec![]);
        prop_assert_eq!(not_rotated(body), vec![]);
    }

    #[test]
    fn lcssa_alone(graph in graphs(3..=14), seed in any::<u64>()) {
        let (mut module, func) = prepared(&graph, seed);
        let (env, body) = module.body_mut(func).expect("a body");
        let before = body.clone();
        run_pass(env, func, body, &Lcssa);
        check_step(&before, body)?;
        prop_assert_eq!(not_closed(body), vec![]);
    }

    #[test]
    fn rotate_alone(graph in graphs(3..=14), seed in any::<u64>()) {
        let (mut module, func) = prepared(&graph, seed);
        let (env, body) = module.body_mut(func).expect("a body");
        run_pass(env, func, body, &LoopSimplify);
        let before = body.clone();
        run_loop_pass(env, func, body, &LoopRotate::default());
        check_step(&before, body)?;
        prop_assert_eq!(not_simplified(body), vec![]);
    }
}
