//! Mutants of the corpus are valid IR according to this project's verifier and LLVM's, and are the same on every
//! machine; each mutator changes something. `BACKEDGE_CASES` sets the number of seeds, `BACKEDGE_SEED` the first one.

use arbitrary::Unstructured;
use backedge_fuzz::generate::{Generated, bytes_of_seed};
use backedge_fuzz::mutate::corpus::Corpus;
use backedge_fuzz::mutate::{Limits, MUTATORS, WIDTH, mutate};
use backedge_fuzz::oracles::{optimize, runs, text};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_pipeline::registry::parse_pipeline;
use backedge_pipeline::run::Nobody;
use backedge_testkit::seeds;
use backedge_testkit::{corpus_dir, llvm_tests, peer};
use backedge_validate::check::Side;
use rayon::prelude::*;
use std::collections::BTreeMap;

fn corpus() -> Corpus {
    let (corpus, unread) = Corpus::read(&corpus_dir(), None).expect("the corpus can be read");
    assert!(unread.is_empty(), "{unread:?}");
    assert!(corpus.entries().len() > 400);
    corpus
}

fn size(module: &Module) -> usize {
    module.bodies().map(|(_, body)| body.all_insts().count()).sum()
}

#[test]
fn every_mutant_is_valid_and_reads_as_it_is_printed() {
    let corpus = corpus();
    let limits = Limits::default();
    let applied = seeds(10_000).into_par_iter().map(|seed| {
        let (entry, mutant) = corpus.mutant(seed, limits).expect("there are modules");
        let module = &mutant.module;
        let findings = verify_module(module);
        let words: Vec<String> = findings.iter().map(|f| f.render(module)).collect();
        let says = || format!("seed {seed}, {}: {:?}", entry.path.display(), mutant.applied);
        assert!(words.is_empty(), "{}: {}\n{}", says(), words.join("\n"), module_to_string(module));
        if let Err(misread) = text::check(module) {
            panic!("{}: {misread}", says());
        }
        assert!(size(module) <= limits.insts.max(size(&entry.module)), "{}", says());
        mutant.applied.len()
    });
    let applied: Vec<usize> = applied.collect();
    let none = applied.iter().filter(|n| **n == 0).count();
    println!("{} mutants, {} changes, {none} as they were", applied.len(), applied.iter().sum::<usize>());
    assert!(none * 100 <= applied.len(), "{none} of {} are as they were", applied.len());
}

#[test]
fn llvms_verifier_agrees() {
    let Some(opt) = peer("opt", "LLVM's verifier on mutants") else { return };
    let corpus = corpus();
    seeds(300).into_par_iter().for_each(|seed| {
        let (entry, mutant) = corpus.mutant(seed, Limits::default()).expect("there are modules");
        let text = module_to_string(&mutant.module);
        let answer = opt.run(&["-passes=verify", "-disable-output"], text.as_bytes());
        let path = entry.path.display();
        assert!(answer.ok(), "seed {seed}, {path}: {:?}: {}\n{text}", mutant.applied, answer.stderr);
    });
}

/// LLVM's own loop tests have types, intrinsics and attributes that the corpus does not contain.
#[test]
fn llvms_loop_tests_can_be_mutated() {
    let Some(tests) = llvm_tests("mutants of LLVM's loop tests") else { return };
    let (corpus, unread) = Corpus::read(tests.dir(), None).expect("the tests can be read");
    println!("{} files, {} that can't be used", corpus.entries().len(), unread.len());
    seeds(2_000).into_par_iter().for_each(|seed| {
        let (entry, mutant) = corpus.mutant(seed, Limits::default()).expect("there are modules");
        if let Err(misread) = text::check(&mutant.module) {
            panic!("seed {seed}, {}: {:?}: {misread}", entry.path.display(), mutant.applied);
        }
    });
}

/// The output of passes on mutants is valid, within bounds, and refines the mutant.
#[test]
fn passes_take_mutants() {
    const PIPELINES: [&str; 6] = [
        "default<O3>",
        "loop-simplify,lcssa,loop-rotate,licm",
        "function(loop(indvars,loop-deletion),loop-unroll<runtime>)",
        "loop-unroll<runtime;count=3;threshold=1000>",
        "function(loop(simple-loop-unswitch<nontrivial>),simplifycfg,instsimplify,early-cse)",
        "function(loop(loop-peel<count=2>),loop-idiom,loop(early-exit-inversion))",
    ];
    let pipelines = PIPELINES.map(|text| parse_pipeline(text).expect("a pipeline"));
    let corpus = corpus();
    let found = seeds(300).into_par_iter().filter_map(|seed| {
        let (entry, mutant) = corpus.mutant(seed, Limits::default()).expect("there are modules");
        let func = mutant.func()?;
        let at = seed as usize % pipelines.len();
        let mut target = mutant.module.clone();
        let mut nobody = Nobody;
        let fault = optimize::check(&mut target, &pipelines[at], optimize::Bounds::default(), &mut nobody);
        let wrong = fault.map_err(|fault| fault.to_string()).and_then(|_| {
            let side = |module| Side { module, func };
            let limits = runs::Limits { undef_inputs: false, ..runs::Limits::default() };
            runs::check(side(&mutant.module), side(&target), limits).map(|_| ()).map_err(|m| m.to_string())
        });
        let path = entry.path.display();
        let says = |wrong| {
            let text = module_to_string(&mutant.module);
            format!("seed {seed}, {path}, {:?}, -passes='{}': {wrong}\n{text}", mutant.applied, PIPELINES[at])
        };
        wrong.err().map(says)
    });
    let found: Vec<String> = found.collect();
    println!("{} findings", found.len());
    assert!(found.is_empty(), "{}", found.join("\n=====\n"));
}

/// Each mutator alone changes many files of the corpus.
#[test]
fn each_mutator_fires() {
    let corpus = corpus();
    let fired: BTreeMap<&str, (usize, usize)> = MUTATORS
        .par_iter()
        .chain([WIDTH].par_iter())
        .map(|mutator| {
            let (mut changed, mut asked) = (0, 0);
            for (seed, entry) in corpus.entries().iter().enumerate() {
                let Some((func, _)) = entry.module.bodies().last() else { continue };
                asked += 1;
                let bytes = bytes_of_seed(seed as u64);
                let donors = [&entry.module];
                let made = mutator.apply(&entry.module, func, &donors, &mut Unstructured::new(&bytes));
                let is_other = |m: Module| module_to_string(&m) != module_to_string(&entry.module);
                changed += usize::from(made.is_some_and(is_other));
            }
            (mutator.name, (changed, asked))
        })
        .collect();
    for (name, (changed, asked)) in &fired {
        println!("{name}: {changed} of {asked}");
    }
    assert_eq!(fired.len(), MUTATORS.len() + 1, "two mutators have one name");
    let idle: Vec<_> = fired.iter().filter(|(_, (changed, asked))| changed * 20 < *asked).collect();
    assert!(idle.is_empty(), "these do next to nothing: {idle:?}");
}

#[test]
fn a_seed_stands_for_one_mutant() {
    let (corpus, again) = (corpus(), corpus());
    let text = |corpus: &Corpus, seed: u64| {
        let (_, mutant) = corpus.mutant(seed, Limits::default()).expect("there are modules");
        (module_to_string(&mutant.module), mutant.applied)
    };
    let texts: Vec<_> = seeds(300).map(|seed| text(&corpus, seed)).collect();
    // In reverse order, to detect dependence on earlier mutants.
    for (seed, first) in seeds(300).zip(&texts).collect::<Vec<_>>().into_iter().rev() {
        assert_eq!(*first, text(&again, seed), "seed {seed}");
    }
}

/// Repeated mutation keeps modules valid and bounded in size.
#[test]
fn mutants_of_mutants_stay_small() {
    let limits = Limits { insts: 120, ..Limits::default() };
    let sizes: Vec<usize> = (0..8)
        .into_par_iter()
        .map(|first| {
            let mut module = Generated::from_seed(first).module;
            let most = limits.insts.max(size(&module));
            for round in 0..60 {
                module = mutate(&module, &[], first * 1_000 + round, limits).module;
                assert!(size(&module) <= most, "{first}, {round}");
            }
            let text = module_to_string(&module);
            assert!(parse_module(text.as_bytes()).is_ok(), "{first}:\n{text}");
            size(&module)
        })
        .collect();
    assert!(sizes.iter().any(|s| *s > 40), "{sizes:?}");
}

#[test]
fn few_bytes_are_enough() {
    let corpus = corpus();
    for (length, entry) in corpus.entries().iter().enumerate().take(200) {
        let bytes = vec![0xa5; length / 2];
        let mut unread = Unstructured::new(&bytes);
        let (_, mutant) = corpus.mutant_by(&mut unread, Limits::default()).expect("there are modules");
        assert!(verify_module(&mutant.module).is_empty(), "{length}, {}", entry.path.display());
    }
}

#[test]
fn what_has_no_code_stays_as_it_is() {
    for text in ["", "declare void @g()\n", "@g = global i32 0\n"] {
        let module = parse_module(text.as_bytes()).expect("it is right").module;
        let mutant = mutate(&module, &[], 1, Limits::default());
        assert!(mutant.applied.is_empty() && mutant.func().is_none());
        assert_eq!(module_to_string(&mutant.module), module_to_string(&module));
    }
    assert!(Corpus::default().mutant(1, Limits::default()).is_none());
}
