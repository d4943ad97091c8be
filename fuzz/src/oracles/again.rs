//! Idempotence: a pass that promises it changes nothing in a second run.

use super::{Evidence, FunctionCase, Judge, Label, Oracle};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::print::function_to_string;
use backedge_pipeline::pass::Pipeline;
use backedge_pipeline::registry::parse_pipeline;
use backedge_pipeline::run::{Observer, Options, PassRun, run};
use backedge_pipeline::{PipelineError, RunError};
use std::fmt;
use std::sync::LazyLock;

/// The oracle.
pub struct Again;

impl Oracle for Again {
    fn question(&self) -> &'static str {
        "does a pass that promises idempotence change nothing in a second run?"
    }
    fn judge(&self) -> Judge {
        Judge::OwnPasses(|case| check_promised(case).map(Into::into).collect())
    }
    fn suits_commands(&self) -> bool {
        true
    }
}

/// The kind of failure.
pub const UNFINISHED: &str = "unfinished";

/// Passes that promise idempotence.
pub const PROMISED: [&str; 5] = ["loop-simplify", "lcssa", "dce", "instsimplify", "simplifycfg"];

/// A pass that was not finished after its first run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// The pass.
    pub pass: String,
    /// The function after the first run.
    pub first: String,
    /// The function after the second run.
    pub second: String,
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' changes its own output:\n{}\n{}", self.pass, self.first, self.second)
    }
}

impl Evidence for Unfinished {
    fn label(&self) -> Label {
        Label::of(UNFINISHED).with_pass(&self.pass)
    }
}

/// Parses [`PROMISED`].
pub fn promised() -> Result<Vec<(&'static str, Pipeline)>, PipelineError> {
    PROMISED.into_iter().map(|text| Ok((text, parse_pipeline(text)?))).collect()
}

/// Records whether the code changed, by comparison and independent of the pass's own report.
#[derive(Default)]
struct Changed(bool);

impl Observer for Changed {
    fn after_pass(&mut self, run: &PassRun<'_>) {
        self.0 |= run.changed;
    }
}

/// Runs `pass` twice over `module` and compares the results.
pub fn check(
    mut module: Module,
    func: FuncId,
    (name, pass): (&str, &Pipeline),
) -> Result<Result<(), Unfinished>, RunError> {
    run(&mut module, pass, Options::default(), &mut Changed::default())?;
    let mut second = module.clone();
    let mut changed = Changed::default();
    run(&mut second, pass, Options::default(), &mut changed)?;
    let text = |module: &Module| function_to_string(module, func);
    Ok(match changed.0 {
        false => Ok(()),
        true => Err(Unfinished { pass: name.to_owned(), first: text(&module), second: text(&second) }),
    })
}

/// Checks all passes of [`PROMISED`].
fn check_promised(case: &FunctionCase<'_>) -> impl Iterator<Item = Unfinished> {
    static PIPELINES: LazyLock<Vec<(&str, Pipeline)>> =
        LazyLock::new(|| promised().unwrap_or_else(|e| panic!("{e:?}")));
    let (module, func) = (case.module, case.func);
    PIPELINES.iter().filter_map(move |(name, pass)| check(module.clone(), func, (name, pass)).ok()?.err())
}
