//! A pipeline as a tree of passes: modules hold functions, functions hold loops, as in LLVM's pass managers.

use backedge_transform::pass::{FunctionPass, LoopPass};
use std::fmt;
use std::sync::Arc;

/// What a pass works on.
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

/// What to do with a module, in order.
#[derive(Clone, Debug, Default)]
pub struct Pipeline {
    /// The steps.
    pub steps: Vec<ModuleStep>,
}

/// A step over a module.
#[derive(Clone, Debug)]
pub enum ModuleStep {
    /// Something about the whole module.
    Pass(ModulePass),
    /// `function(…)`: each function goes through all of these steps before the next one.
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
    /// How it is spelled.
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
    /// A pass that transforms or prints.
    Pass(Arc<dyn FunctionPass>),
    /// `verify`.
    Verify,
    /// `print`: prints the function.
    Print,
    /// `loop(…)` or `loop-mssa(…)`: the function is brought into loop simplify form and LCSSA form, then each loop,
    /// inner ones first, goes through all of these passes before the next one.
    Loops(LoopSteps),
}

/// The contents of `loop(…)`.
#[derive(Clone, Debug)]
pub struct LoopSteps {
    /// Whether it was `loop-mssa`. Nothing here uses MemorySSA; the spelling is kept.
    pub memory_ssa: bool,
    /// The passes.
    pub passes: Vec<Arc<dyn LoopPass>>,
}

impl fmt::Display for Pipeline {
    /// The text with all adaptors spelled out; reading it gives the same pipeline.
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
