//! A pipeline as a tree of passes: a module pipeline contains function pipelines, which contain loop pipelines, as in
//! LLVM's pass managers.

use backedge_transform::pass::{FunctionPass, LoopPass};
use std::fmt;
use std::sync::Arc;

/// The unit that a pass works on.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// The whole module.
    Module,
    /// One function.
    Function,
    /// One loop.
    Loop,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Module => "module",
            Self::Function => "function",
            Self::Loop => "loop",
        })
    }
}

/// A pipeline over a module: its steps in order.
#[derive(Clone, Debug, Default)]
pub struct Pipeline {
    /// The steps.
    pub steps: Vec<ModuleStep>,
}

/// A step over a module.
#[derive(Clone, Debug)]
pub enum ModuleStep {
    /// A pass over the whole module.
    Pass(ModulePass),
    /// `function(…)`: all of these steps run on one function before the next function.
    Functions(Vec<FunctionStep>),
}

/// A pass over a module.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ModulePass {
    /// `no-op-module`.
    NoOp,
    /// `verify`.
    Verify,
    /// `print`: prints the module.
    Print,
}

impl ModulePass {
    /// The spelling.
    pub fn text(self) -> &'static str {
        match self {
            Self::NoOp => "no-op-module",
            Self::Verify => "verify",
            Self::Print => "print",
        }
    }
}

/// A step over a function.
#[derive(Clone, Debug)]
pub enum FunctionStep {
    /// A transform or printing pass.
    Pass(Arc<dyn FunctionPass>),
    /// `verify`.
    Verify,
    /// `print`: prints the function.
    Print,
    /// `loop(…)` or `loop-mssa(…)`: brings the function into loop-simplify form and LCSSA form, then runs all of these
    /// passes on one loop before the next, inner loops first.
    Loops(LoopSteps),
}

/// The contents of `loop(…)`.
#[derive(Clone, Debug)]
pub struct LoopSteps {
    /// Whether it was spelled `loop-mssa`. Nothing here uses MemorySSA; only the spelling is kept.
    pub memory_ssa: bool,
    /// The passes.
    pub passes: Vec<Arc<dyn LoopPass>>,
}

impl fmt::Display for Pipeline {
    /// The text with all adaptors spelled out; parsing it yields the same pipeline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        comma_separated(f, &self.steps, |f, step| match step {
            ModuleStep::Pass(pass) => f.write_str(pass.text()),
            ModuleStep::Functions(steps) => {
                f.write_str("function(")?;
                comma_separated(f, steps, |f, step| write!(f, "{step}"))?;
                f.write_str(")")
            }
        })
    }
}

impl fmt::Display for FunctionStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass(pass) => f.write_str(&pass.text()),
            Self::Verify => f.write_str("verify"),
            Self::Print => f.write_str("print"),
            Self::Loops(steps) => {
                f.write_str(if steps.memory_ssa { "loop-mssa(" } else { "loop(" })?;
                comma_separated(f, &steps.passes, |f, pass| f.write_str(&pass.text()))?;
                f.write_str(")")
            }
        }
    }
}

fn comma_separated<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    mut each: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(",")?;
        }
        each(f, item)?;
    }
    Ok(())
}
