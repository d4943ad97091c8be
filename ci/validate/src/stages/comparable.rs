//! Stage: whether the engines can compare the pair at all. Only a pair that passes is run and encoded.

use super::{Earlier, SoFar, Stage, Step};
use crate::admit::comparable::not_comparable;
use crate::pair::Sides;
use crate::verdict::{Options, Reason, Verdict};

/// The stage.
pub(crate) struct Comparable;

impl Stage for Comparable {
    /// Why the pair can't be compared.
    type Answer = Option<Reason>;

    fn name(&self) -> &'static str {
        "comparable"
    }
    fn wanted(&self, _: &SoFar, _: &Options) -> bool {
        true
    }
    fn run(&self, Sides { source, target }: Sides<'_>, _: &Earlier, _: &Options) -> Self::Answer {
        not_comparable(source, target)
    }
    fn fold(&self, so_far: SoFar, answer: Self::Answer) -> Step {
        match answer {
            Some(reason) => so_far.decided(Verdict::Inconclusive { reason }),
            None => Step::Continue(so_far),
        }
    }
}
