//! Graphs of dependences against runs: no two accesses conflict that no edge covers with a direction and distance that
//! allows it. `BACKEDGE_CASES` sets how many nests are made (600 without), `BACKEDGE_SEED` the first.

mod nests;

use backedge_fuzz::oracle::dependences::{Seen, check_on, in_form};
use backedge_interp::claims::inputs::Inputs;
use backedge_interp::input::Input;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::{corpus_files, llvm_tests, seeds};

fn check(
    module: &Module,
    func: FuncId,
    inputs: &mut dyn Iterator<Item = Input>,
    seen: &mut Seen,
    what: &str,
) {
    if let Err(uncovered) = check_on(module, func, inputs, seen) {
        panic!("{uncovered}\n{what}");
    }
}

#[test]
fn generated_nests() {
    let mut seen = Seen::default();
    for seed in seeds(600) {
        let text = nests::nest(seed);
        let mut module = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
        let problems = backedge_ir::verify::verify_module(&module);
        assert!(problems.is_empty(), "{problems:?}\n{text}");
        assert!(in_form(&mut module), "seed {seed}");
        let func = module.env.func_named("f").expect("it has @f");
        let mut inputs = (0..8).map(|run| nests::input(seed * 8 + run));
        check(&module, func, &mut inputs, &mut seen, &format!("seed {seed}\n{text}"));
    }
    println!("{seen:?}");
    assert!(seen.defined * 4 > seen.runs, "{seen:?}");
    assert!(seen.conflicts > 100 && seen.said.independent > 10, "{seen:?}");
}

/// The functions of the corpus and of LLVM's loop tests.
#[test]
fn files() {
    let mut seen = Seen::default();
    let mut files = corpus_files();
    files.extend(llvm_tests("dependences on LLVM's loop tests").into_iter().flat_map(|t| t.files()));
    for path in files {
        let text = std::fs::read(&path).expect("to read a file");
        let Ok(parsed) = parse_module(&text) else { continue };
        let mut module = parsed.module;
        assert!(in_form(&mut module), "{}", path.display());
        for (func, _) in module.bodies() {
            let Some(inputs) = Inputs::new(&module, func, 64, 12, 1) else { continue };
            let what = format!("{}, @{}", path.display(), module.env.funcs[func].name);
            check(&module, func, &mut inputs.first(5), &mut seen, &what);
        }
    }
    println!("{seen:?}");
    assert!(seen.defined > 100 && seen.said.all > 100, "{seen:?}");
}
