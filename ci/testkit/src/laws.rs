//! How property tests are run: what once failed is kept beside the test's file, and tried first from then on.

use proptest::test_runner::{Config, FileFailurePersistence};

/// So many cases, before them those that the file of the test's name with the ending `regressions` holds. A failure adds
/// one, to be committed with what mends it.
pub fn kept(cases: u32) -> Config {
    let persistence = FileFailurePersistence::WithSource("regressions");
    Config { cases, failure_persistence: Some(Box::new(persistence)), ..Config::default() }
}
