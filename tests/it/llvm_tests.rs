//! The canonicalization passes over a sample of LLVM's loop tests, judged with a small budget: no change is refuted, no check
//! fails internally, and in functions of the tiers core and must none stays open because of an unmodelled feature.

use crate::common::Files;
use backedge_testkit::llvm_tests;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

#[test]
fn no_change_to_llvms_loop_tests_is_refuted() {
    let Some(tests) = llvm_tests("the canonical passes over LLVM's loop tests") else { return };
    let tier: HashMap<(String, String), String> = tests
        .rows()
        .iter()
        .map(|r| ((r.get("file").to_owned(), r.get("function").to_owned()), r.get("tier").to_owned()))
        .collect();
    let files = Files::new(&[]);
    let dir = tests.dir().display();
    let sample: Vec<String> = tests.sample().iter().map(|file| file.display().to_string()).collect();
    let limits =
        "--bound 1 --no-induction --rlimit 300000 --timeout 600 --runs 20 --fuel 2000 --max-inconclusive 1";
    files.backedge(&format!("gate {} {limits} --quiet --json records.jsonl", sample.join(" "))).exits(0);
    let (mut judged, mut unsupported) = (0, BTreeSet::new());
    for line in files.read("records.jsonl").lines() {
        let record: Value = serde_json::from_str(line).expect("a record");
        let Some(kind) = record["verdict"]["kind"].as_str() else { continue };
        judged += 1;
        assert!(!["refuted", "internal-error", "crashed"].contains(&kind), "{line}");
        let path = record["file"].as_str().expect("a file");
        let file = path.strip_prefix(&format!("{dir}/")).unwrap_or(path).to_owned();
        let function = record["function"].as_str().expect("a function").to_owned();
        let tier = tier.get(&(file.clone(), function.clone())).map_or("", String::as_str);
        if record["verdict"]["reason"]["why"] == "unsupported" && ["core", "must"].contains(&tier) {
            let feature = record["verdict"]["reason"]["feature"].as_str().unwrap_or_default();
            // LangRef leaves the first to the target for a defined function, and no engine models several threads.
            let is_open = feature == "a call with another type than its callee's"
                || feature.starts_with("a `convergent` call");
            if !is_open {
                unsupported.insert(format!("{feature} ({file} @{function})"));
            }
        }
    }
    assert!(judged > tests.part(1000), "{judged} changes were judged");
    assert!(unsupported.is_empty(), "{unsupported:#?}");
}
