//! Tests transforms by execution: builds the trees of a function, transforms and lowers them, and compares the result
//! with the original function on inputs.

use backedge_analysis::Analyses;
use backedge_hir::build::build;
use backedge_hir::transform::TransformMissed;
use backedge_hir::{Hir, Node, lower};
use backedge_interp::input::Input;
use backedge_interp::refine::{Budget, Refinement, Side, refine};
use backedge_interp::{Config, Machine, Program};
use backedge_ir::editor::Editor;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_scev::ScalarEvolution;
pub(crate) use backedge_testkit::module;
use std::collections::BTreeMap;

/// Counts of the tests.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    /// Loops that were transformed.
    pub(crate) done: u64,
    /// Functions that were run before and after, and inputs on which refinement was shown.
    pub(crate) compared: u64,
    pub(crate) refined: u64,
    /// Inputs on which nothing was shown.
    pub(crate) nothing: u64,
    /// Reasons why loops were not transformed.
    pub(crate) missed: BTreeMap<&'static str, u64>,
}

impl Tally {
    pub(crate) fn missed(&mut self, missed: TransformMissed) {
        *self.missed.entry(missed.name()).or_default() += 1;
    }
}

/// Brings a module into the form from which nests are built.
pub(crate) fn in_form(module: &mut Module) {
    let form = parse_pipeline("loop-simplify,lcssa").expect("a pipeline");
    run(module, &form, Options::default(), &mut Nobody).expect("the form");
}

/// The module, which is in that form, with a function lowered from its trees after `change`; `None` if `change` did
/// nothing. `change` is called with each nest and returns whether it changed the nest. Also returns the trees before
/// and after, as text.
pub(crate) fn transformed(
    module: &Module,
    func: FuncId,
    change: &mut dyn FnMut(&mut Hir, Node) -> bool,
) -> Option<(Module, String)> {
    let mut result = module.clone();
    let body = module.body(func).expect("it has code");
    let analyses = Analyses::of(func);
    let at = analyses.at(&module.env, body);
    let mut built = build(&mut ScalarEvolution::new(at));
    let mut text = built.hir.text();
    let mut changed = false;
    for taken in &built.taken {
        changed |= change(&mut built.hir, taken.region);
    }
    if !changed {
        return None;
    }
    text += &built.hir.text();
    let mut plans = Vec::new();
    for taken in &built.taken {
        let problems = built.hir.check(taken.region);
        assert!(problems.is_empty(), "{problems:?}\n{text}");
        match lower::check(at, &built.hir, taken) {
            Ok(plan) => plans.push(plan),
            Err(obstacle) => panic!("{obstacle}\n{text}"),
        }
    }
    let (_, body) = result.body_mut(func).expect("it has code");
    for plan in &plans {
        lower::lower(&mut Editor::new(body), &mut built.hir, plan);
    }
    let problems = backedge_ir::verify::verify_module(&result);
    assert!(problems.is_empty(), "{problems:?}\n{text}\n{}", module_to_string(&result));
    Some((result, text))
}

/// The function `@f`.
pub(crate) fn named(module: &Module) -> FuncId {
    module.env.func_named("f").expect("it has @f")
}

/// Checks that a function of `target` refines that of `source` on inputs, in runs of at most `fuel` steps.
pub(crate) fn compare(
    [source, target]: [&Module; 2],
    func: FuncId,
    inputs: &mut dyn Iterator<Item = Input>,
    tally: &mut Tally,
    what: &dyn Fn() -> String,
    fuel: u64,
) {
    tally.compared += 1;
    let config = Config { fuel, max_bytes: 1 << 20, ..Config::default() };
    let programs = (Program::new(source, &config), Program::new(target, &config));
    let mut source_machine = Machine::new(&programs.0, config.clone());
    let mut target_machine = Machine::new(&programs.1, config);
    for input in inputs {
        let budget = Budget { target_runs: 2, source_runs: 16 };
        let mut s = Side { machine: &mut source_machine, func };
        let mut t = Side { machine: &mut target_machine, func };
        match refine(&mut s, &mut t, &input, budget) {
            Ok(Refinement::Violates(v)) => panic!(
                "{} at {:?} on {:?}\n{}\n{}\n{}",
                v.mismatch,
                v.point,
                input.args,
                what(),
                module_to_string(source),
                module_to_string(target)
            ),
            Ok(Refinement::Refines { source_ub: false, .. }) => tally.refined += 1,
            _ => tally.nothing += 1,
        }
    }
}
