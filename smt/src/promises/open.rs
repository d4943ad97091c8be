//! Promises of a source about memory, or about functions that it reaches, that their code is not known to keep. A run
//! that violates such a promise is UB although the engines give it a meaning, and refutes nothing.
//!
//! Most of these promises are violated by single instructions: a run that executes none of them keeps the promise. For
//! the others, the runs do not decide.

use super::kept::Kept;
use super::suspects::Open;
use super::{attributes, callees};
use crate::refinement::FunctionRef;
use backedge_ir::entity::FuncId;

/// All such promises: of `source` itself, of `callees` by their definitions and by calls of them, and of calls in
/// `source`.
pub fn open(source: FunctionRef<'_>, callees: &[FuncId]) -> Vec<Open> {
    let kept = Kept::new(None, source);
    let mut found = attributes::open(source, &kept);
    found.extend(callees::open(source, callees));
    found
}
