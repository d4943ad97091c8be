//! Loop canonicalization.

use super::passes::Passes;
use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::oracles::OracleId;
use std::sync::LazyLock;

/// The canonical form of loops.
static CANONICAL: LazyLock<[Passes; 1]> =
    LazyLock::new(|| ["loop-simplify,lcssa,loop-rotate"].map(Passes::new));

/// The target.
pub(super) struct Canonicalize;

impl FuzzTarget for Canonicalize {
    fn property(&self) -> &'static str {
        "loop canonicalization preserves behavior"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        let subject = input.subject();
        subject.ask(OracleId::Runs, &[subject.pick(&*CANONICAL)])
    }
    fn pipelines(&self) -> Vec<&'static Passes> {
        CANONICAL.iter().collect()
    }
}
