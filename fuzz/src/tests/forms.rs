//! Closed forms of trees against runs: operands, results, addresses, strides and bounds are what runs compute.
//! `BACKEDGE_CASES` sets how many programs are made, `BACKEDGE_SEED` the first.

mod nests;

use backedge_fuzz::generate::Generated;
use backedge_fuzz::oracle::dependences::in_form;
use backedge_fuzz::oracle::forms::{Seen, check, check_on};
use backedge_interp::claims::inputs::Inputs;
use backedge_ir::parse::parse_module;
use backedge_testkit::{corpus_files, llvm_tests, seeds};

#[test]
fn generated_nests() {
    let mut seen = Seen::default();
    for seed in seeds(600) {
        let text = nests::nest(seed);
        let mut module = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
        assert!(in_form(&mut module), "seed {seed}");
        let func = module.env.func_named("f").expect("it has @f");
        let mut inputs = (0..8).map(|run| nests::input(seed * 8 + run));
        if let Err(wrong) = check_on(&module, func, &mut inputs, &mut seen) {
            panic!("{wrong}\nseed {seed}\n{text}");
        }
    }
    println!("{seen:?}");
    assert!(seen.defined * 4 > seen.runs, "{seen:?}");
    assert!(seen.scalars.min(seen.addresses).min(seen.strides).min(seen.bounds) > 500, "{seen:?}");
}

#[test]
fn generated_programs() {
    let mut all = Seen::default();
    for seed in seeds(2_000) {
        let program = Generated::from_seed(seed);
        for (func, _) in program.module.bodies() {
            match check(&program.module, func, seed) {
                Ok(seen) => {
                    all.runs += seen.runs;
                    all.defined += seen.defined;
                    all.scalars += seen.scalars;
                    all.addresses += seen.addresses;
                    all.strides += seen.strides;
                    all.bounds += seen.bounds;
                }
                Err(wrong) => {
                    panic!("{wrong}\nseed {seed}\n{}", backedge_ir::print::module_to_string(&program.module))
                }
            }
        }
    }
    println!("{all:?}");
    assert!(all.scalars.min(all.addresses).min(all.strides).min(all.bounds) > 500, "{all:?}");
}

/// The functions of the corpus and of LLVM's loop tests.
#[test]
fn files() {
    let mut seen = Seen::default();
    let mut files = corpus_files();
    files.extend(llvm_tests("closed forms of LLVM's loop tests").into_iter().flat_map(|t| t.files()));
    for path in files {
        let text = std::fs::read(&path).expect("to read a file");
        let Ok(parsed) = parse_module(&text) else { continue };
        let mut module = parsed.module;
        assert!(in_form(&mut module), "{}", path.display());
        for (func, _) in module.bodies() {
            let Some(inputs) = Inputs::new(&module, func, 64, 12, 1) else { continue };
            if let Err(wrong) = check_on(&module, func, &mut inputs.first(5), &mut seen) {
                panic!("{wrong}\n{}, @{}", path.display(), module.env.funcs[func].name);
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.scalars.min(seen.addresses).min(seen.bounds) > 500, "{seen:?}");
}
