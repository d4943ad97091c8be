//! The name of a pass or pipeline, and how to construct the pass.

use crate::error::PipelineError;
use crate::params::Given;
use crate::pass::{FunctionStep, Level, ModulePass};
use backedge_transform::pass::LoopPass;
use std::sync::Arc;

/// The name of a pass or pipeline.
#[derive(Copy, Clone, Debug)]
pub struct Name {
    /// The name as spelled, with parameters in angle brackets if they are part of it (`print<loops>`).
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// The parameters, for help and messages; empty if there are none.
    pub params: &'static str,
    /// The level, and how to construct the pass.
    pub(crate) make: Make,
}

/// The level of a pass, and how to construct it from its parameters.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Make {
    /// A whole pipeline, given as text.
    Pipeline(&'static str),
    Module(ModulePass),
    Function(fn(Given<'_>) -> Result<FunctionStep, PipelineError>),
    Loop(fn(Given<'_>) -> Result<Arc<dyn LoopPass>, PipelineError>),
}

impl Name {
    /// The level of the pass.
    pub fn level(&self) -> Level {
        match self.make {
            Make::Pipeline(_) | Make::Module(_) => Level::Module,
            Make::Function(_) => Level::Function,
            Make::Loop(_) => Level::Loop,
        }
    }
    /// The text of the pipeline that the name abbreviates.
    pub fn pipeline(&self) -> Option<&'static str> {
        if let Make::Pipeline(text) = self.make { Some(text) } else { None }
    }
    pub(crate) const fn new(name: &'static str, summary: &'static str, make: Make) -> Self {
        Self { name, summary, params: "", make }
    }
    pub(crate) const fn with(self, params: &'static str) -> Self {
        Self { params, ..self }
    }
}
