//! The corpus's nests as trees: compares with `[hir]` (trees), `[ddg]` (dependences) and `[queries]` (references) of
//! each `.toml`, and checks the tree invariants for every file.

use backedge_analysis::Analyses;
use backedge_hir::build::{Taken, build};
use backedge_hir::ddg::Pairs;
use backedge_hir::node::{Kind, LoopKind};
use backedge_hir::print::{HirText, hir_to_string};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_scev::ScalarEvolution;
use backedge_testkit::corpus::{Expectations, Printer};

/// Limit on the files in which a round trip loses information: after a loaded pointer is frozen, its target is
/// unknown.
const MOST_LOST: usize = 4;

#[test]
fn texts_and_checks() {
    let mut compared = 0;
    let (mut taken, mut missed) = (0, 0);
    let (mut graphs, mut pairs) = (0, [0; 4]);
    for path in backedge_testkit::corpus_files() {
        let expectations = Expectations::of(&path);
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
            let text =
                || hir_to_string(&module.env, func, body, HirText { symbases: true, ..HirText::default() });
            let name = &module.env.funcs[func].name;
            compared += u32::from(expectations.compare(Printer::Hir, name, text));
            let queries = || {
                let mut hir = built.hir.clone();
                built.taken.iter().map(|of| hir.queries_text(of.region)).collect()
            };
            compared += u32::from(expectations.compare(Printer::Queries, name, queries));
            let dependences = || {
                let graph = |of: &Taken| built.hir.ddg(of.region).map(|graph| graph.text(&built.hir));
                built.taken.iter().filter_map(|of| graph(of).ok()).collect()
            };
            compared += u32::from(expectations.compare(Printer::Ddg, name, dependences));
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

/// Every function of the corpus passes the IR verifier after a round trip through trees.
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

/// Counts of the information in a module's trees: loops, counted loops, dimensions of accesses, accesses whose
/// address does not wrap, and pairs of accesses known to be independent.
fn knowledge(module: &Module) -> [usize; 5] {
    let mut known = [0; 5];
    for (func, body) in module.bodies() {
        let analyses = Analyses::of(func);
        let built = build(&mut ScalarEvolution::new(analyses.at(&module.env, body)));
        for of in &built.taken {
            for node in built.hir.nodes_in(of.region) {
                if let Kind::Loop(l) = built.hir.kind(node) {
                    known[0] += 1;
                    known[1] += usize::from(matches!(l.kind, LoopKind::Do { .. }));
                }
                let refs = built.hir.kind(node).refs();
                for memory in refs.iter().filter_map(|r| r.as_memory()).filter(|m| m.is_access()) {
                    known[2] += memory.dims.len();
                    known[3] += usize::from(memory.flags.nusw);
                }
            }
            if let Ok(graph) = built.hir.ddg(of.region) {
                known[4] += graph.pairs.apart + graph.pairs.independent;
            }
        }
    }
    known
}

/// Round trips keep all information: for each file, each count after a round trip is at least the count before.
#[test]
fn round_trips_lose_nothing() {
    let form = parse_pipeline("loop-simplify,lcssa").expect("a pipeline");
    let pipeline = parse_pipeline("hir-roundtrip").expect("a pipeline");
    let (mut sums, mut lost) = ([[0; 5]; 3], Vec::new());
    for path in backedge_testkit::corpus_files() {
        let source = std::fs::read(&path).expect("a file of the corpus");
        let mut module = parse_module(&source).expect("a module").module;
        let mut steps = [[0; 5]; 3];
        for (step, pipeline) in [&form, &pipeline, &pipeline].into_iter().enumerate() {
            run(&mut module, pipeline, Options::default(), &mut Nobody).expect("a run");
            steps[step] = knowledge(&module);
            sums[step].iter_mut().zip(steps[step]).for_each(|(sum, of)| *sum += of);
        }
        let is_less = |a: [usize; 5], b: [usize; 5]| a.iter().zip(&b).any(|(a, b)| a > b);
        if is_less(steps[0], steps[1]) || is_less(steps[1], steps[2]) {
            lost.push(format!("{}: {steps:?}", path.display()));
        }
    }
    println!("{sums:?}\n{}", lost.join("\n"));
    assert!(lost.len() <= MOST_LOST, "{} files", lost.len());
}
