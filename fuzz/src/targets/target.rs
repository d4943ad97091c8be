//! The interface of a fuzz target: the programs it asks the generator for, and what it checks on them.
//!
//! A target is a unit struct in a file of its own that implements [`FuzzTarget`].

use super::passes::Passes;
use super::subject::{Subject, TargetFinding};
use crate::generate::Knob;

/// A fuzz target.
pub(super) trait FuzzTarget: Sync {
    /// The checked property, in one line.
    fn property(&self) -> &'static str;
    /// Checks the input.
    fn check(&self, input: &TargetInput<'_>) -> Result<(), Box<TargetFinding>>;
    /// The pipelines that the target runs, which campaigns run too.
    fn pipelines(&self) -> Vec<&'static Passes> {
        Vec::new()
    }
    /// The knobs that the target favors when it generates a program; `number` is determined by the input bytes.
    fn favoured(&self, number: usize) -> &'static [Knob] {
        let _ = number;
        &[]
    }
    /// Whether the target also reads its input as IR.
    fn reads_text(&self) -> bool {
        false
    }
    /// Number of seeds in a test run of about a second.
    fn test_seeds(&self) -> u64 {
        1_000
    }
    /// Number of generated programs in the target's seed corpus.
    fn corpus_programs(&self) -> u64 {
        256
    }
}

/// The input of a target.
#[derive(Copy, Clone)]
pub(super) struct TargetInput<'a> {
    /// The bytes.
    pub(super) data: &'a [u8],
    pub(super) subject: &'a dyn Fn() -> Subject,
}

impl TargetInput<'_> {
    /// Generates the program that the bytes encode.
    pub(super) fn subject(&self) -> Subject {
        (self.subject)()
    }
}
