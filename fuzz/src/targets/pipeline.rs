//! Random sequences of passes.

use super::passes::Passes;
use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::oracles::OracleId;
use std::sync::LazyLock;

/// The pipelines that users run.
static WHOLE: LazyLock<[Passes; 3]> =
    LazyLock::new(|| ["default<O3>", "default<O2>", "default<O1>"].map(Passes::new));
/// Every pass, each after the canonicalization that it requires.
static SINGLE: LazyLock<[Passes; 25]> = LazyLock::new(|| {
    [
        "function(loop(loop-rotate,licm,simple-loop-unswitch<nontrivial>),simplifycfg,instsimplify,early-cse)",
        "function(loop(indvars,loop-deletion),loop-unroll<runtime>)",
        "function(loop(loop-rotate))",
        "function(loop(loop-rotate,licm))",
        "function(loop(licm))",
        "function(lnicm)",
        "function(loop(simple-loop-unswitch))",
        "function(loop(simple-loop-unswitch<nontrivial>))",
        "function(loop(indvars))",
        "function(loop(loop-rotate,indvars))",
        "function(loop(loop-deletion))",
        "function(loop(loop-rotate,loop-idiom))",
        "function(loop(early-exit-inversion))",
        "function(loop(bound-restriction))",
        "function(loop(iteration-set-split))",
        "function(loop(iteration-set-split<multiple=2>))",
        "function(loop(loop-peel))",
        "function(loop(loop-peel<count=1>))",
        "function(loop(loop-peel<last>))",
        "function(loop-unroll<runtime>)",
        "function(loop(loop-instsimplify,loop-simplifycfg),dce)",
        "function(early-cse)",
        "function(instsimplify)",
        "function(simplifycfg)",
        "function(loop-unroll-full<threshold=1000>)",
    ]
    .map(Passes::new)
});
/// Maximum number of passes in a random sequence: bounds the time for one program.
const MAX_PASSES: usize = 4;
/// One draw in this many is a whole pipeline, which takes as long as ten single passes.
const WHOLE_PART: usize = 16;

/// A random sequence of passes, determined by `number`.
pub(super) fn drawn(number: usize) -> Vec<&'static Passes> {
    let mut rest = number;
    let mut next = |below: usize| {
        let drawn = rest % below;
        rest /= below;
        drawn
    };
    let count = next(MAX_PASSES) + 1;
    let mut one = || match next(WHOLE_PART) {
        0 => &WHOLE[next(WHOLE.len())],
        _ => &SINGLE[next(SINGLE.len())],
    };
    (0..count).map(|_| one()).collect()
}

/// The target.
pub(super) struct Pipeline;

impl FuzzTarget for Pipeline {
    fn property(&self) -> &'static str {
        "random sequences of passes preserve behavior, and settle"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        let subject = input.subject();
        let passes = drawn(subject.number);
        subject.ask(OracleId::Runs, &passes)?;
        // The other oracles are many times as expensive.
        if subject.number.is_multiple_of(29) {
            subject.ask(OracleId::Settling, &passes[..1])?;
            subject.ask(OracleId::Again, &[])?;
        }
        Ok(())
    }
    fn pipelines(&self) -> Vec<&'static Passes> {
        WHOLE.iter().chain(&*SINGLE).collect()
    }
    fn test_seeds(&self) -> u64 {
        300
    }
}
