//! Runs each fuzz target on a fixed number of seeds, and on arbitrary bytes. `BACKEDGE_CASES` sets the number of
//! seeds, `BACKEDGE_SEED` the first one, `BACKEDGE_TARGET` selects a single target.

use backedge_fuzz::targets::Target;
use backedge_testkit::number;
use rayon::prelude::*;

/// Number of seeds per target, for a run of about a second.
fn seeds(target: Target) -> u64 {
    match target {
        Target::Parse | Target::Roundtrip | Target::Canonicalize | Target::EncoderVsInterp => 1_000,
        Target::UnrollMultiExit | Target::HirRoundtrip | Target::HirTransforms => 1_000,
        Target::VPlanRoundtrip | Target::Vectorize => 1_000,
        Target::Pipeline => 300,
        Target::ScevClaims => 500,
        Target::ProofVsRuns => 12,
    }
}

#[test]
fn targets_find_nothing() {
    let only = std::env::var("BACKEDGE_TARGET").ok();
    let mut found = Vec::new();
    for target in Target::ALL.into_iter().filter(|t| only.as_deref().is_none_or(|o| o == t.name())) {
        let first = number("BACKEDGE_SEED", 0);
        let last = first + number("BACKEDGE_CASES", seeds(target));
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
    for target in Target::ALL.into_iter().filter(|t| *t != Target::ProofVsRuns) {
        for text in texts {
            assert!(target.check(text).is_ok(), "{} on {text:?}", target.name());
        }
    }
}

#[test]
fn each_target_has_a_file() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz_targets");
    let manifest = std::fs::read_to_string(folder.join("../Cargo.toml")).expect("a manifest");
    for target in Target::ALL {
        let file = folder.join(format!("{}.rs", target.name()));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        assert!(text.contains(&format!("Target::{target:?}.fuzz")), "{}", file.display());
        assert!(manifest.contains(&format!("name = \"{}\"", target.name())), "{}", target.name());
    }
    let files = std::fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(files, Target::ALL.len());
}
