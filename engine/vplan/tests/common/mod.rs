//! What tests of legality and cost share: a function's innermost loop, in form.

#![allow(dead_code, reason = "each test crate uses a part")]

use backedge_analysis::{Analyses, LoopId};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_scev::ScalarEvolution;

/// The module of that text, its loops in loop simplify form and LCSSA form.
pub(crate) fn module(text: &str) -> Module {
    let mut module = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
    let problems = backedge_ir::verify::verify_module(&module);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    let form = parse_pipeline("loop-simplify,lcssa").expect("a pipeline");
    run(&mut module, &form, Options::default(), &mut Nobody).expect("the form");
    module
}

/// What `ask` finds out about the first innermost loop of `@f`.
pub(crate) fn of_loop<T>(text: &str, ask: impl FnOnce(&mut ScalarEvolution<'_>, LoopId) -> T) -> T {
    let module = module(text);
    let func = module.env.func_named("f").expect("it has @f");
    let body = module.body(func).expect("it has code");
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(&module.env, body));
    let loops = scev.loops();
    let l = loops.ids().find(|l| loops.is_innermost(*l)).expect("it has a loop");
    ask(&mut scev, l)
}
