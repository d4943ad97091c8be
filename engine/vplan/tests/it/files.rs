//! Executes the plans of all nests of the corpus and of LLVM's loop tests. The functions must behave the same on inputs
//! before and after, with each massaging alone, with none, with all, and with a landing pad.

use crate::common::{Tally, compare};
use backedge_ir::parse::parse_module;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_testkit::{corpus_files, llvm_tests};

/// Executes all plans of all files with the given passes.
fn all(passes: &str, least: [u64; 2]) {
    let pipeline = parse_pipeline(passes).expect("a pipeline");
    let mut tally = Tally::default();
    let mut files = corpus_files();
    let of_llvm = llvm_tests("plans of LLVM's loop tests, executed");
    let with_llvm = of_llvm.is_some();
    files.extend(of_llvm.into_iter().flat_map(|t| t.files()));
    for path in files {
        let text = std::fs::read(&path).expect("to read a file");
        let Ok(parsed) = parse_module(&text) else { continue };
        let source = parsed.module;
        let mut target = source.clone();
        if !backedge_ir::verify::verify_module(&source).is_empty() {
            continue;
        }
        let checked = Options { verify_each: true, ..Options::default() };
        if let Err(error) = run(&mut target, &pipeline, checked, &mut Nobody) {
            panic!("{passes}: {}: {error}", path.display());
        }
        for (func, body) in source.bodies() {
            let is_same = target.body(func).is_some_and(|b| b.body_epoch() == body.body_epoch());
            if !is_same {
                compare([&source, &target], func, 4, &mut tally);
            }
        }
    }
    println!("{passes}: {tally:?}");
    let least = least[usize::from(with_llvm)];
    assert!(tally.changed >= least && tally.refined >= 2 * least, "{tally:?}");
}

#[test]
fn plain() {
    all("vplan-roundtrip<plain>", [300, 2000]);
}

#[test]
fn preheaders() {
    all("vplan-roundtrip<preheaders>", [300, 2000]);
}

#[test]
fn multi_exit() {
    all("vplan-roundtrip<multi-exit>", [300, 2000]);
}

#[test]
fn non_uniform() {
    all("vplan-roundtrip<non-uniform>", [300, 2000]);
}

#[test]
fn single_exit() {
    all("vplan-roundtrip<single-exit>", [300, 2000]);
}

#[test]
fn entry_exit() {
    all("vplan-roundtrip<entry-exit>", [300, 2000]);
}

#[test]
fn shared_exit() {
    all("vplan-roundtrip<shared-exit>", [300, 2000]);
}

/// Uniform control flow is left unchanged.
#[test]
fn uniform_control_flow_is_unchanged() {
    all("vplan-roundtrip<uniform>", [300, 2000]);
}

#[test]
fn everything() {
    all("vplan-roundtrip", [300, 2000]);
}

#[test]
fn with_a_landing_pad() {
    all("vplan-roundtrip<landing-pad>", [300, 2000]);
}
