//! Arbitrary bytes for the parser.

use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use backedge_ir::parse::parse_module;

/// The target.
pub(super) struct Parse;

impl FuzzTarget for Parse {
    fn property(&self) -> &'static str {
        "the parser accepts arbitrary bytes without a panic or a hang"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        // Both results are acceptable; the target looks for panics and hangs.
        _ = parse_module(input.data);
        Ok(())
    }
    fn reads_text(&self) -> bool {
        true
    }
    fn corpus_programs(&self) -> u64 {
        0
    }
}
