//! The two engines that execute IR.

use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::oracles::OracleId;

/// The target.
pub(super) struct EncoderVsInterp;

impl FuzzTarget for EncoderVsInterp {
    fn property(&self) -> &'static str {
        "the interpreter and the SMT encoding agree"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        input.subject().ask(OracleId::Encoder, &[])
    }
}
