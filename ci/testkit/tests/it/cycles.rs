//! No modules of a crate import each other in a cycle, except where code or data is recursive.

use backedge_testkit::ImportGraph;
use std::collections::BTreeSet;
use std::path::Path;

/// The crates of the workspace by the folders of their sources.
const CRATES: [&str; 19] = [
    "engine/ir/src",
    "engine/claim/src",
    "engine/analysis/src",
    "engine/scev/src",
    "engine/transform/src",
    "engine/hir/src",
    "engine/vplan/src",
    "engine/pipeline/src",
    "interp/src",
    "smt/src",
    "smt/z3-path/src",
    "ci/census/src",
    "ci/compare/src",
    "ci/faults/src",
    "ci/process/src",
    "ci/testkit/src",
    "ci/validate/src",
    "fuzz/src",
    "src",
];

/// The cycles that are true recursion: the crate, the files of the cycle, and why they import each other.
const RECURSION: [(&str, &[&str], &str); 3] = [
    (
        "engine/hir/src",
        &["ddg/mod.rs", "node/flow.rs", "node/order.rs", "node/tree.rs", "node/visit.rs"],
        "the tree caches its dependence graphs, its order and its flow, which are computed from the tree",
    ),
    (
        "engine/pipeline/src",
        &["name.rs", "params.rs"],
        "a name holds the function that makes its pass, which takes the parameters that are given to the name",
    ),
    (
        "fuzz/src",
        &[
            "gen/counter.rs",
            "gen/exits.rs",
            "gen/frame.rs",
            "gen/memory.rs",
            "gen/metadata.rs",
            "gen/nest.rs",
            "gen/recurrence.rs",
            "gen/region.rs",
            "gen/writer.rs",
        ],
        "the parts of a program write themselves to the writer, which holds the loops and objects in scope",
    ),
];

#[test]
fn imports_have_no_cycles_but_those_of_recursion() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut wrong = String::new();
    let mut imports = 0;
    for name in CRATES {
        let graph = ImportGraph::of(&root.join(name));
        imports += graph.len();
        let known: BTreeSet<Vec<String>> = RECURSION
            .iter()
            .filter(|(of, ..)| *of == name)
            .map(|(_, files, _)| files.iter().map(|file| (*file).to_owned()).collect())
            .collect();
        let found: BTreeSet<Vec<String>> = graph.cycles().into_iter().collect();
        for cycle in found.difference(&known) {
            wrong += &format!("{name}: a new cycle\n{}", graph.imports_between(cycle));
        }
        for cycle in known.difference(&found) {
            wrong += &format!("{name}: {} are no cycle any more\n", cycle.join(", "));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(imports > 1000, "the imports are misread");
}

#[test]
fn every_crate_of_the_workspace_is_checked() {
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml"));
    let manifest = manifest.expect("the manifest of the workspace");
    let (_, members) = manifest.split_once("members = [").expect("the members");
    let (members, _) = members.split_once(']').expect("their end");
    for member in members.split('"').skip(1).step_by(2) {
        let src = if member.ends_with("src") { member.to_owned() } else { format!("{member}/src") };
        assert!(CRATES.contains(&src.as_str()), "{member} is not checked");
    }
}
