//! Transforms of loop nests.

use super::passes::Passes;
use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::generate::Knob;
use crate::oracles::OracleId;
use std::sync::LazyLock;

/// Each HIR transform, after the canonicalization that it requires.
static TRANSFORMED: LazyLock<[Passes; 12]> = LazyLock::new(|| {
    [
        "loop-simplify,loop-rotate,lcssa,hir-strip-mine<2>",
        "loop-simplify,loop-rotate,lcssa,hir-strip-mine<3>",
        "loop-simplify,loop-rotate,lcssa,hir-interchange",
        "loop-simplify,loop-rotate,lcssa,hir-tile<2>",
        "loop-simplify,loop-rotate,lcssa,hir-tile<3>",
        "loop-simplify,loop-rotate,lcssa,hir-unroll-and-jam<2>",
        "loop-simplify,loop-rotate,lcssa,hir-unroll-and-jam<3>",
        "loop-simplify,loop-rotate,lcssa,hir-distribute",
        "loop-simplify,loop-rotate,lcssa,hir-fuse",
        "loop-simplify,loop-rotate,lcssa,hir-fuse<force>,hir-interchange<force>,hir-unroll-and-jam<2;force>,hir-distribute<force>",
        "loop-simplify,lcssa,hir-strip-mine<3>,hir-distribute",
        "loop-simplify,lcssa,hir-fuse,hir-interchange,hir-tile<2>",
    ]
    .map(Passes::new)
});

/// The target.
pub(super) struct HirTransforms;

impl FuzzTarget for HirTransforms {
    fn property(&self) -> &'static str {
        "HIR loop transforms preserve behavior"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        let subject = input.subject();
        subject.ask(OracleId::Runs, &[subject.pick(&*TRANSFORMED)])
    }
    fn pipelines(&self) -> Vec<&'static Passes> {
        TRANSFORMED.iter().collect()
    }
    fn favoured(&self, _: usize) -> &'static [Knob] {
        &[Knob::AffineNests]
    }
}
