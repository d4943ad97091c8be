//! Round trips of loop nests through HIR, and the analyses on HIR.

use super::passes::Passes;
use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::oracles::OracleId;
use std::sync::LazyLock;

/// HIR round trips of nests in their original form, and of rotated nests.
static TREES: LazyLock<[Passes; 2]> = LazyLock::new(|| {
    ["loop-simplify,loop-rotate,lcssa,hir-roundtrip", "loop-simplify,lcssa,hir-roundtrip"].map(Passes::new)
});

/// The target.
pub(super) struct HirRoundtrip;

impl FuzzTarget for HirRoundtrip {
    fn property(&self) -> &'static str {
        "lifting loop nests to HIR and lowering them back preserves behavior; dependence graphs and closed forms match runs"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        let subject = input.subject();
        subject.ask(OracleId::Runs, &[subject.pick(&*TREES)])?;
        subject.ask(OracleId::Dependences, &[])?;
        subject.ask(OracleId::Forms, &[])
    }
    fn pipelines(&self) -> Vec<&'static Passes> {
        TREES.iter().collect()
    }
}
