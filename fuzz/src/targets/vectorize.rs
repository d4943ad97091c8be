//! The vectorizer.

use super::passes::Passes;
use super::subject::TargetFinding;
use super::target::{FuzzTarget, TargetInput};
use crate::generate::Knob;
use crate::oracles::OracleId;
use std::sync::LazyLock;

/// Vectorization at several vector widths and interleave counts, independent of cost.
static VECTORIZED: LazyLock<[Passes; 12]> = LazyLock::new(|| {
    [
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;force-vector-interleave=1>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=4;force-vector-interleave=1>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;force-vector-interleave=2>",
        "loop-simplify,lcssa,loop-vectorize<force-vector-width=4;force-vector-interleave=2>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=4;\
         prefer-predicate-over-epilogue=predicate-dont-vectorize>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=8;force-vector-interleave=1>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=16;force-vector-interleave=1>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;force-vector-interleave=3>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;force-vector-interleave=4>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;enable-vplan-native-path>",
        "loop-simplify,lcssa,loop-vectorize<force-vector-width=4;force-vector-interleave=1;enable-vplan-native-path>",
    ]
    .map(Passes::new)
});
/// Index of the first entry of [`VECTORIZED`] that also vectorizes outer loops.
const FIRST_OF_NESTS: usize = 10;

/// The target.
pub(super) struct Vectorize;

impl FuzzTarget for Vectorize {
    fn property(&self) -> &'static str {
        "vectorized loops behave like the scalar loops"
    }
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>> {
        let subject = input.subject();
        subject.ask(OracleId::Runs, &[subject.pick(&*VECTORIZED)])
    }
    fn pipelines(&self) -> Vec<&'static Passes> {
        VECTORIZED.iter().collect()
    }
    /// Nests for transforms that apply to nests only; long-running loops for the rest.
    fn favoured(&self, number: usize) -> &'static [Knob] {
        match number % VECTORIZED.len() {
            FIRST_OF_NESTS.. => &[Knob::AffineNests],
            _ => &[Knob::AffineNests, Knob::LongLoops],
        }
    }
}
