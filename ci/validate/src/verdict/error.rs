//! Contradictions between the engines, and panics: bugs in this program.

use crate::pair::Side;
use backedge_ir::print::module_to_string;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A contradiction between two engines or a panic in one: a bug in this program, with the data needed to reproduce it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct InternalError {
    /// The error.
    pub what: String,
    /// The solver's description of the unconfirmed refutation, if any.
    pub claimed: Option<String>,
    /// The source's module as text; serialized as a list of lines.
    #[serde(with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub source: String,
    /// The target's module as text; serialized as a list of lines.
    #[serde(with = "lines")]
    #[schemars(with = "Vec<String>")]
    pub target: String,
    /// The functions compared, without `@`.
    pub functions: [String; 2],
}

/// Text as a list of lines.
mod lines {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(text.split('\n'))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.join("\n"))
    }
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
