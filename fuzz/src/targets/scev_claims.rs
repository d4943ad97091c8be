//! Claims of scalar evolution.

use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::oracles::OracleId;

/// The target.
pub(super) struct ScevClaims;

impl FuzzTarget for ScevClaims {
    fn property(&self) -> &'static str {
        "claims of scalar evolution hold on runs"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        input.subject().ask(OracleId::Claims, &[])
    }
    fn test_seeds(&self) -> u64 {
        500
    }
}
