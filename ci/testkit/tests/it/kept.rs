//! Failing cases of a property test are stored next to it, and are tried first in later runs.

use backedge_testkit::kept;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

#[test]
fn failing_cases_are_stored_and_tried_first() {
    let dir = tempfile::tempdir().expect("a directory");
    let source = dir.path().join("law.rs");
    std::fs::write(&source, "").expect("it can be written");
    let source: &'static str = Box::leak(source.display().to_string().into_boxed_str());
    let run = |cases| {
        let mut runner = TestRunner::new(Config { source_file: Some(source), ..kept(cases) });
        runner.run(&any::<u64>(), |number| {
            prop_assert!(number % 16 != 3);
            Ok(())
        })
    };
    assert_eq!(run(0), Ok(()));
    assert!(run(2_000).is_err(), "one in sixteen fails");
    let text = std::fs::read_to_string(dir.path().join("law.regressions")).expect("it was kept");
    assert!(text.contains("\ncc "), "{text}");
    // No new case is drawn.
    assert!(run(0).is_err(), "what was kept was not tried:\n{text}");
}
