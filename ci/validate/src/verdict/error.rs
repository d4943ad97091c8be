//! Contradictions between the engines, and panics: bugs in this program.

use crate::pair::Side;
use backedge_ir::print::module_to_string;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A contradiction between two engines or a panic in one: a bug in this program, with the data needed to reproduce it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InternalError {
    /// The error.
    pub what: String,
    /// The solver's description of the unconfirmed refutation, if any.
    pub claimed: Option<String>,
    /// The source's module as text.
    pub source: String,
    /// The target's module as text.
    pub target: String,
    /// The functions compared, without `@`.
    pub functions: [String; 2],
}

impl InternalError {
    /// The error `what` in comparing `source` and `target`.
    pub fn new(what: String, claimed: Option<String>, source: Side<'_>, target: Side<'_>) -> Self {
        Self {
            what,
            claimed,
            source: module_to_string(source.module),
            target: module_to_string(target.module),
            functions: [source, target].map(|side| side.name().to_owned()),
        }
    }
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "INTERNAL ERROR: {}", self.what)?;
        if let Some(claimed) = &self.claimed {
            writeln!(f, "unconfirmed refutation:\n{claimed}")?;
        }
        let [source, target] = &self.functions;
        writeln!(
            f,
            "to reproduce it, compare @{source} of\n{}\nwith @{target} of\n{}",
            self.source, self.target
        )
    }
}
