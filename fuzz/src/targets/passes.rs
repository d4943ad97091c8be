//! Parsed pipelines of the targets.

use backedge_pipeline::pass::Pipeline;
use backedge_pipeline::registry::parse_pipeline;

/// A parsed pipeline and its text.
pub(super) struct Passes {
    pub(super) text: &'static str,
    pub(super) pipeline: Pipeline,
}

impl Passes {
    pub(super) fn new(text: &'static str) -> Self {
        let pipeline = parse_pipeline(text).unwrap_or_else(|e| panic!("'{text}': {e:?}"));
        Self { text, pipeline }
    }
}
