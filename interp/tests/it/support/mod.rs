//! Running snippets of IR in tests.

#![allow(dead_code, unused_imports, unused_macros, reason = "each test program uses a part of this")]

pub(crate) mod table;

use backedge_interp::chooser::{Chooser, ZeroChooser};
use backedge_interp::input::Input;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::NoObserver;
use backedge_interp::{Config, Machine, Program, Run, text};
use backedge_ir::module::Module;
pub(crate) use backedge_testkit::module;

/// Runs `func` of `module`.
pub(crate) fn run_with(
    module: &Module,
    func: &str,
    args: &[&str],
    config: Config,
    chooser: &mut dyn Chooser,
) -> Run {
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let id = module.env.func_named(func).unwrap_or_else(|| panic!("no function @{func}"));
    let input = Input::parse(args).unwrap_or_else(|e| panic!("{e}"));
    machine.run(id, &input, chooser, &mut NoObserver).unwrap_or_else(|e| panic!("@{func}: {e}"))
}

/// Runs `func` with the default configuration and zero for every choice.
pub(crate) fn run(module: &Module, func: &str, args: &[&str]) -> Run {
    run_with(module, func, args, Config::default(), &mut ZeroChooser)
}

/// The outcome as a word or value in the corpus's spelling: `i32 3`, `void`, `ub out-of-bounds`, `out-of-fuel`.
pub(crate) fn describe(module: &Module, func: &str, run: &Run) -> String {
    match &run.outcome {
        Outcome::Returned(None) => "void".to_owned(),
        Outcome::Returned(Some(value)) => {
            let id = module.env.func_named(func).expect("the function ran");
            let (ret, _, _) =
                module.env.types.signature(module.env.funcs[id].ty).expect("functions have types");
            text::typed_value(&module.env, ret, value)
        }
        Outcome::Ub { kind, .. } => format!("ub {}", kind.name()),
        Outcome::Unsupported { feature, .. } => format!("unsupported {feature}"),
        Outcome::DidNotReturn { .. }
        | Outcome::OutOfFuel
        | Outcome::Diverges { .. }
        | Outcome::LimitExceeded(_) => run.outcome.name().to_owned(),
    }
}

/// Parses `source`, runs `@f` and describes the outcome.
pub(crate) fn outcome(source: &str, args: &[&str]) -> String {
    let module = module(source);
    describe(&module, "f", &run(&module, "f", args))
}
