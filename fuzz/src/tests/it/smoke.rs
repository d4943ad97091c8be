//! Runs each fuzz target on a fixed number of seeds, and on arbitrary bytes. `BACKEDGE_CASES` sets the number of
//! seeds, `BACKEDGE_SEED` the first one, `BACKEDGE_TARGET` selects a single target.

use backedge_fuzz::targets::Target;
use backedge_testkit::number;
use rayon::prelude::*;

#[test]
fn targets_find_nothing() {
    let only = std::env::var("BACKEDGE_TARGET").ok();
    let mut found = Vec::new();
    for target in Target::ALL.iter().filter(|t| only.as_deref().is_none_or(|o| o == t.name())) {
        let first = number("BACKEDGE_SEED", 0);
        let last = first + number("BACKEDGE_CASES", target.test_seeds());
        let findings = (first..last).into_par_iter().filter_map(|seed| target.check_seed(seed).err());
        let findings: Vec<String> = findings.map(|f| format!("{}: {f}", target.name())).collect();
        println!("{}: {} findings in {} seeds", target.name(), findings.len(), last - first);
        found.extend(findings.into_iter().take(3));
    }
    assert!(found.is_empty(), "{}", found.join("\n=====\n"));
}

#[test]
fn targets_take_any_bytes() {
    let texts: [&[u8]; 4] = [b"", b"\0", b"define void @f() {\n  ret void\n}\n", &[0xff; 100]];
    // A proof takes too long.
    for target in Target::ALL.iter().filter(|t| **t != Target::ProofVsRuns) {
        for text in texts {
            assert!(target.check(text).is_ok(), "{} on {text:?}", target.name());
        }
    }
}
