//! Runs the functions of LLVM's loop tests on a few inputs each: no run panics, each run has an outcome, and every
//! function refines itself. Requires `BACKEDGE_LLVM_TESTS`.

use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::layout::Shape;
use backedge_interp::memory::Contents;
use backedge_interp::outcome::Outcome;
use backedge_interp::refine::{Budget, Reason, Refinement, Side, refine};
use backedge_interp::{Config, Machine, Program};
use backedge_ir::module::Module;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn files(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut pending) = (Vec::new(), vec![root.to_owned()]);
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).expect("the folder can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "ll") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// An argument of that shape; `variant` distinguishes inputs.
fn argument(shape: &Shape, variant: i128) -> ArgSpec {
    match shape {
        Shape::Int(1..=5) => ArgSpec::Int(variant & 1),
        Shape::Int(_) => ArgSpec::Int([3, 0, 17][variant as usize % 3]),
        Shape::Float(_) => ArgSpec::Bits(0),
        Shape::Ptr(_) => ArgSpec::Buffer(Box::new(Contents::zeroed(256))),
        Shape::Vector { len, elem } | Shape::Array { len, elem, .. } => {
            ArgSpec::Members(vec![argument(elem, variant); *len as usize])
        }
        Shape::Struct { fields, .. } => {
            ArgSpec::Members(fields.iter().map(|(_, f)| argument(f, variant)).collect())
        }
    }
}

#[test]
fn every_function_runs_and_refines_itself() {
    let Some(root) = std::env::var_os("BACKEDGE_LLVM_TESTS") else {
        println!("skipped: BACKEDGE_LLVM_TESTS is not set");
        return;
    };
    let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
    let mut features: BTreeMap<String, u32> = BTreeMap::new();
    for path in files(Path::new(&root)) {
        let source = std::fs::read(&path).expect("the file can be read");
        let Ok(parsed) = backedge_ir::parse::read_module(&source) else { continue };
        check_module(&path, &parsed.module, &mut outcomes, &mut features);
    }
    println!("{outcomes:#?}\n{features:#?}");
    let total: u32 = outcomes.values().sum();
    let unsupported = outcomes.get("unsupported").copied().unwrap_or(0);
    assert!(unsupported * 20 < total, "{unsupported} of {total} runs meet what is not modelled");
}

fn check_module(
    path: &Path,
    module: &Module,
    outcomes: &mut BTreeMap<String, u32>,
    features: &mut BTreeMap<String, u32>,
) {
    let config = Config { fuel: 3000, max_bytes: 1 << 24, ..Config::default() };
    let program = Program::new(module, &config);
    let (mut a, mut b) = (Machine::new(&program, config.clone()), Machine::new(&program, config.clone()));
    for (func, body) in module.bodies() {
        let shapes: Result<Vec<_>, _> =
            body.args().map(|arg| Shape::of(&module.env, body.ty(arg.into()))).collect();
        let Ok(shapes) = shapes else { continue };
        for variant in 0..3 {
            let input = Input::new(shapes.iter().map(|s| argument(s, variant)).collect());
            let mut source = Side { machine: &mut a, func };
            let mut target = Side { machine: &mut b, func };
            let budget = Budget { target_runs: 4, source_runs: 16 };
            let name = &module.env.funcs[func].name;
            let outcome = match refine(&mut source, &mut target, &input, budget) {
                Ok(Refinement::Refines { source_ub, .. }) => {
                    if source_ub { "refines, ub" } else { "refines" }.to_owned()
                }
                Ok(Refinement::Violates(violation)) => {
                    panic!("{}: @{name} {input:?}: {violation:#?}", path.display())
                }
                Ok(Refinement::Inconclusive(
                    Reason::SourceCutShort(outcome)
                    | Reason::TargetCutShort(outcome)
                    | Reason::BothCutShort(outcome),
                )) => {
                    if let Outcome::Unsupported { feature, .. } = &*outcome {
                        *features.entry(feature.to_string()).or_default() += 1;
                    }
                    outcome.name().to_owned()
                }
                Ok(Refinement::Unmatched(_)) => format!("{:?}", Reason::SourceChoices),
                Ok(Refinement::Inconclusive(reason)) => format!("{reason:?}"),
                Err(error) => format!("{error}"),
            };
            *outcomes.entry(outcome).or_default() += 1;
        }
    }
}
