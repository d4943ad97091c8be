//! The search for certificates. Nothing here is trusted; [`check`](super::check) decides.

mod align;
mod candidates;
mod columns;
mod comparisons;
mod equations;
mod houdini;
mod measures;
mod narrow;
mod needed;
mod recurrence;
mod reductions;
mod rescale;
mod runs;
mod samples;
mod sampling;
mod search;
mod steering;
pub(super) mod strategy;
