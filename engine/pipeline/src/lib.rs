//! The pass registry under LLVM's names, the `-passes=` syntax, and instrumented runs.
//!
//! [`registry::parse_pipeline`] converts a text to a [`pass::Pipeline`]. [`run::run`] runs it over a module and reports
//! each pass on each function to a [`run::Observer`], with the code before and after.

pub mod analyses;
mod banner;
pub mod compare;
mod defaults;
mod domtree;
pub mod error;
pub mod hir;
mod listing;
pub mod llvm;
pub mod name;
mod params;
pub mod pass;
pub mod passes;
pub mod registry;
pub mod run;
pub mod text;
pub mod vplan;

pub use error::{PipelineError, PipelineErrorKind, RunError, nearest};
pub use listing::listing;
pub use params::Defaults;
pub use pass::{Level, Pipeline};
pub use registry::{parse_pipeline, parse_pipeline_for, vectorizer};
pub use run::{Nobody, Observer, Options, PassRun, PrintAfter, PrintForm, Summary, run, run_on_function};
