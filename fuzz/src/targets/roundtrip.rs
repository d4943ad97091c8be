//! Printing and parsing, for generated modules and for any input that parses.

use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::oracles::{OracleId, text};
use backedge_ir::parse::parse_module;

/// The target.
pub(super) struct Roundtrip;

impl FuzzTarget for Roundtrip {
    fn property(&self) -> &'static str {
        "printed modules parse to themselves"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        if let Ok(parsed) = parse_module(input.data)
            && let Err(misread) = text::check(&parsed.module)
        {
            let input = String::from_utf8_lossy(input.data).into_owned();
            return Err(Box::new(TargetFinding { finding: misread.into(), input, pipeline: None }));
        }
        input.subject().ask(OracleId::Text, &[])
    }
    fn reads_text(&self) -> bool {
        true
    }
}
