//! Common code of the tests: normalized modules, functions from graphs, comparison of runs before and after a pass.

#![allow(dead_code, reason = "each test program uses a part")]

use backedge_analysis::{Analyses, LoopId};
use backedge_interp::claims::inputs::Inputs;
use backedge_interp::input::Input;
use backedge_interp::refine::{Budget, Refinement, Side, refine};
use backedge_interp::{Config, Machine, Program};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_scev::ScalarEvolution;
use backedge_testkit::Graph;
use backedge_testkit::generate::{TRACE, graph_function};
pub(crate) use backedge_testkit::module;
use backedge_vplan::VPlan;
use backedge_vplan::build::{Landing, Taken, build};
use backedge_vplan::widen::Recipe;
use std::path::Path;

/// A module with a random function `@f` that has this graph.
pub(crate) fn of_graph(graph: &Graph, seed: u64) -> Module {
    module(&format!("{TRACE}{}", graph_function("f", graph, seed)))
}

/// Runs passes on a copy of the module and verifies the result after each; panics on errors.
pub(crate) fn after(module: &Module, passes: &str) -> Module {
    let mut module = module.clone();
    let pipeline = parse_pipeline(passes).expect("a pipeline");
    let checked = Options { verify_each: true, ..Options::default() };
    if let Err(error) = run(&mut module, &pipeline, checked, &mut Nobody) {
        panic!("{passes}: {error}\n{}", module_to_string(&module));
    }
    module
}

/// Runs loop-simplify and LCSSA, the form that plans require.
pub(crate) fn in_form(module: &Module) -> Module {
    after(module, "loop-simplify,lcssa")
}

/// Parses a module and runs loop-simplify and LCSSA.
pub(crate) fn formed(text: &str) -> Module {
    in_form(&module(text))
}

/// Parses a file and runs loop-simplify and LCSSA; `None` if either fails.
pub(crate) fn in_form_of(path: &Path) -> Option<Module> {
    let source = std::fs::read(path).expect("to read a file");
    let mut module = parse_module(&source).ok()?.module;
    let form = parse_pipeline("loop-simplify,lcssa").expect("a pipeline");
    run(&mut module, &form, Options::default(), &mut Nobody).ok()?;
    Some(module)
}

/// Applies `ask` to the first innermost loop of `@f`.
pub(crate) fn of_loop<T>(text: &str, ask: impl FnOnce(&mut ScalarEvolution<'_>, LoopId) -> T) -> T {
    let module = formed(text);
    let func = named(&module);
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(&module.env, body(&module, func)));
    let loops = scev.loops();
    let l = loops.ids().find(|l| loops.is_innermost(*l)).expect("it has a loop");
    ask(&mut scev, l)
}

/// The variant name of a recipe.
pub(crate) fn kind(recipe: &Recipe) -> String {
    let text = format!("{recipe:?}");
    text.split('(').next().unwrap_or_default().to_owned()
}

/// The plans of one function of a normalized module.
pub(crate) fn plans(module: &Module, func: FuncId, landing: Landing) -> Vec<VPlan> {
    let body = body(module, func);
    let analyses = Analyses::of(func);
    let built = build(analyses.at(&module.env, body), landing);
    built.taken.into_iter().map(|Taken { plan, .. }| plan).collect()
}

pub(crate) fn body(module: &Module, func: FuncId) -> &Body {
    module.body(func).expect("it has code")
}

/// The function `@f`.
pub(crate) fn named(module: &Module) -> FuncId {
    module.env.func_named("f").expect("it has @f")
}

/// The function `@f` of two modules, to compare their runs.
pub(crate) struct Pair<'m> {
    programs: [Program<'m>; 2],
    funcs: [FuncId; 2],
    configs: [Config; 2],
}

impl<'m> Pair<'m> {
    /// Creates a pair of source and target.
    pub(crate) fn new(modules: [&'m Module; 2], config: &Config) -> Self {
        let configs = [config.clone(), config.clone().of_target()];
        let programs = [Program::new(modules[0], &configs[0]), Program::new(modules[1], &configs[1])];
        Self { programs, funcs: modules.map(named), configs }
    }
    /// Runs both on an input: the verdict if the target refines the source, otherwise a description of the mismatch.
    pub(crate) fn run(&self, input: &Input) -> Result<&'static str, String> {
        let [a, b] = &self.programs;
        let [of_a, of_b] = self.configs.clone();
        let (mut a, mut b) = (Machine::new(a, of_a), Machine::new(b, of_b));
        let mut from = Side { machine: &mut a, func: self.funcs[0] };
        let mut to = Side { machine: &mut b, func: self.funcs[1] };
        match refine(&mut from, &mut to, input, Budget::default()).expect("a fit input") {
            Refinement::Refines { source_ub: true, .. } => Ok("undefined"),
            Refinement::Refines { .. } => Ok("refines"),
            Refinement::Inconclusive(_) => Ok("inconclusive"),
            Refinement::Unmatched(_) => Ok("unmatched"),
            Refinement::Violates(violation) => {
                Err(format!("{:?} at {:?}", violation.mismatch, violation.point))
            }
        }
    }
}

/// Statistics of the comparisons.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    /// The number of changed functions, and of inputs for which refinement was shown.
    pub(crate) changed: u64,
    pub(crate) refined: u64,
    /// The number of inputs without a verdict.
    pub(crate) nothing: u64,
}

/// Compares a function of `target` with that of `source` on `count` inputs.
pub(crate) fn compare([source, target]: [&Module; 2], func: FuncId, count: usize, tally: &mut Tally) {
    let Some(inputs) = Inputs::new(source, func, 64, 12, 1) else { return };
    let config = Config { fuel: 4000, max_bytes: 1 << 20, ..Config::default() };
    let programs = (Program::new(source, &config), Program::new(target, &config));
    let mut source_machine = Machine::new(&programs.0, config.clone());
    let mut target_machine = Machine::new(&programs.1, config);
    tally.changed += 1;
    for input in inputs.first(count) {
        let budget = Budget { target_runs: 2, source_runs: 16 };
        let mut s = Side { machine: &mut source_machine, func };
        let mut t = Side { machine: &mut target_machine, func };
        match refine(&mut s, &mut t, &input, budget) {
            Ok(Refinement::Violates(v)) => panic!(
                "{} at {:?} on {:?}\n{}\n{}",
                v.mismatch,
                v.point,
                input.args,
                module_to_string(source),
                module_to_string(target)
            ),
            Ok(Refinement::Refines { source_ub: false, .. }) => tally.refined += 1,
            _ => tally.nothing += 1,
        }
    }
}
