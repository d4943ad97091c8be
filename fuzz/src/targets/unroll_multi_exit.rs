//! Unrolling of loops with several exits.

use super::passes::Passes;
use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::oracles::OracleId;
use std::sync::LazyLock;

/// Ways to unroll.
static UNROLLED: LazyLock<[Passes; 9]> = LazyLock::new(|| {
    [
        "loop-unroll<runtime;count=2;threshold=1000>",
        "loop-unroll<runtime;count=3;threshold=1000>",
        "loop-unroll<runtime;count=2;rest=prologue;threshold=1000>",
        "loop-unroll<runtime;count=4;rest=epilogue;threshold=1000>",
        "loop-unroll<partial;count=3;threshold=1000>",
        "function(loop(loop-rotate),loop-unroll<runtime;count=4;threshold=1000>)",
        "function(loop(loop-rotate),loop-unroll<runtime;count=3;rest=prologue;threshold=1000>)",
        "function(loop(loop-rotate),loop-unroll<partial;count=4;threshold=1000>)",
        "loop-unroll<count=20;threshold=2000>",
    ]
    .map(Passes::new)
});

/// The target.
pub(super) struct UnrollMultiExit;

impl FuzzTarget for UnrollMultiExit {
    fn property(&self) -> &'static str {
        "unrolling of multi-exit loops preserves behavior"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        let subject = input.subject();
        subject.ask(OracleId::Runs, &[subject.pick(&*UNROLLED)])
    }
    fn pipelines(&self) -> Vec<&'static Passes> {
        UNROLLED.iter().collect()
    }
}
