//! Proofs of the solver.

use super::pipeline::drawn;
use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::oracles::OracleId;

/// The target.
pub(super) struct ProofVsRuns;

impl FuzzTarget for ProofVsRuns {
    fn property(&self) -> &'static str {
        "pairs that the solver proves correct agree on runs"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        let subject = input.subject();
        subject.ask(OracleId::Proof, &drawn(subject.number)[..1])
    }
    /// A proof takes a hundred times as long as the other oracles.
    fn test_seeds(&self) -> u64 {
        12
    }
    fn corpus_programs(&self) -> u64 {
        8
    }
}
