//! Round trips of loop nests through VPlans.

use super::passes::Passes;
use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::oracles::OracleId;
use std::sync::LazyLock;

/// VPlan round trips of nests in their original form and of rotated nests, one iteration at a time.
static PLANNED: LazyLock<[Passes; 4]> = LazyLock::new(|| {
    [
        "loop-simplify,lcssa,vplan-roundtrip",
        "loop-simplify,loop-rotate,lcssa,vplan-roundtrip",
        "loop-simplify,loop-rotate,lcssa,vplan-roundtrip<landing-pad>",
        "loop-simplify,loop-rotate,lcssa,vplan-roundtrip<uniform>",
    ]
    .map(Passes::new)
});

/// The target.
pub(super) struct VPlanRoundtrip;

impl FuzzTarget for VPlanRoundtrip {
    fn property(&self) -> &'static str {
        "VPlans of loop nests, executed one iteration at a time, behave like the nests"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        let subject = input.subject();
        subject.ask(OracleId::Runs, &[subject.pick(&*PLANNED)])
    }
    fn pipelines(&self) -> Vec<&'static Passes> {
        PLANNED.iter().collect()
    }
}
