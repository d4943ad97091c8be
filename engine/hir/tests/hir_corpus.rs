//! The corpus's nests as trees: what `[hir]` of each `.toml` says, and `[ddg]` of their dependences, and of every file that
//! trees are right by their own check, whatever they say.

use backedge_analysis::Analyses;
use backedge_hir::build::{Taken, build};
use backedge_hir::ddg::Pairs;
use backedge_hir::print::{HirText, hir_to_string};
use backedge_ir::parse::parse_module;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_scev::ScalarEvolution;
use std::path::Path;

#[test]
fn texts_and_checks() {
    let mut compared = 0;
    let (mut taken, mut missed) = (0, 0);
    let (mut graphs, mut pairs) = (0, [0; 4]);
    for path in backedge_testkit::corpus_files() {
        let source = std::fs::read(&path).expect("a file of the corpus");
        let mut module = parse_module(&source).expect("a module").module;
        let form = parse_pipeline("loop-simplify,lcssa").expect("a pipeline");
        run(&mut module, &form, Options::default(), &mut Nobody).expect("the form");
        for (func, body) in module.bodies() {
            let analyses = Analyses::of(func);
            let mut scev = ScalarEvolution::new(analyses.at(&module.env, body));
            let built = build(&mut scev);
            for of in &built.taken {
                let problems = built.hir.check(of.region);
                assert!(problems.is_empty(), "{}: {problems:?}\n{}", path.display(), built.hir.text());
                if let Ok(graph) = built.hir.ddg(of.region) {
                    let Pairs { all, apart, independent, assumed } = graph.pairs;
                    pairs = [pairs[0] + all, pairs[1] + apart, pairs[2] + independent, pairs[3] + assumed];
                    graphs += 1;
                }
            }
            taken += built.taken.len();
            missed += built.missed.len();
            let text = || hir_to_string(&module.env, func, body, HirText { symbases: true });
            let name = &module.env.funcs[func].name;
            compared += u32::from(text_is_as_expected(&path, "hir", name, text));
            let dependences = || {
                let graph = |of: &Taken| built.hir.ddg(of.region).map(|graph| graph.text(&built.hir));
                built.taken.iter().filter_map(|of| graph(of).ok()).collect()
            };
            compared += u32::from(text_is_as_expected(&path, "ddg", name, dependences));
        }
    }
    println!("{compared} texts compared; {taken} nests taken, {missed} not");
    let [all, apart, independent, assumed] = pairs;
    println!(
        "{graphs} graphs; of {all} pairs {apart} in other memory, {independent} independent, {assumed} assumed"
    );
    assert!(compared >= 10, "{compared} texts compared");
    assert!(taken > 4 * missed, "{taken} nests taken, {missed} not");
}

/// Every function of the corpus, taken apart and put together again, is right by the IR's own checks.
#[test]
fn round_trips_are_valid() {
    let pipeline = parse_pipeline("hir-roundtrip,verify").expect("a pipeline");
    for path in backedge_testkit::corpus_files() {
        let source = std::fs::read(&path).expect("a file of the corpus");
        let mut module = parse_module(&source).expect("a module").module;
        let checked = Options { verify_each: true, ..Options::default() };
        if let Err(error) = run(&mut module, &pipeline, checked, &mut Nobody) {
            panic!("{}: {error}\n{}", path.display(), backedge_ir::print::module_to_string(&module));
        }
    }
}

/// Compares with the text beside the file, if there is one.
fn text_is_as_expected(path: &Path, what: &str, function: &str, found: impl FnOnce() -> String) -> bool {
    let Ok(toml) = std::fs::read_to_string(path.with_extension("toml")) else { return false };
    let toml: toml::Table = toml.parse().expect("expectations");
    let Some(expected) = toml.get(what).and_then(|all| all.get(function)) else { return false };
    let expected = expected.as_str().expect("a text");
    let found = found();
    assert_eq!(found.trim_end(), expected.trim(), "{}: @{function} is now\n{found}", path.display());
    true
}
