//! Configuration of property tests: failing cases are stored next to the test's file, and are tried first in later
//! runs.

use proptest::test_runner::{Config, FileFailurePersistence};

/// `cases` random cases, after those stored in the test's `.regressions` file. A failure adds one to that file;
/// commit it with the fix.
pub fn kept(cases: u32) -> Config {
    let persistence = FileFailurePersistence::WithSource("regressions");
    Config { cases, failure_persistence: Some(Box::new(persistence)), ..Config::default() }
}
