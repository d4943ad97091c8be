//! Generated programs are valid IR, are the same on every machine, and make every knob and pass take effect.
//! `BACKEDGE_CASES` sets the number of programs, `BACKEDGE_SEED` the first seed.

use backedge_fuzz::generate::{Generated, Knob, Knobs};
use backedge_fuzz::oracles::runs::{Limits, check};
use backedge_fuzz::statistics::{Fired, Statistics, base_name};
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_pipeline::pass::Level;
use backedge_pipeline::registry::PASSES;
use backedge_pipeline::registry::parse_pipeline;
use backedge_pipeline::run::{Options, run};
use backedge_testkit::peer;
use backedge_testkit::seeds;
use backedge_validate::check::Side;
use rayon::prelude::*;
use std::collections::BTreeSet;

#[test]
fn every_program_passes_the_verifier() {
    seeds(20_000).into_par_iter().for_each(|seed| {
        let program = Generated::from_seed(seed);
        let findings = verify_module(&program.module);
        let words: Vec<String> = findings.iter().map(|f| f.render(&program.module)).collect();
        assert!(words.is_empty(), "{}\n{program}", words.join("\n"));
    });
}

#[test]
fn llvms_verifier_agrees() {
    let Some(opt) = peer("opt", "LLVM's verifier on generated programs") else { return };
    seeds(300).into_par_iter().for_each(|seed| {
        let program = Generated::from_seed(seed);
        let text = module_to_string(&program.module);
        let answer = opt.run(&["-passes=verify", "-disable-output"], text.as_bytes());
        assert!(answer.ok(), "{}\n{program}", answer.stderr);
    });
}

#[test]
fn a_program_is_made_again_from_what_it_says_of_itself() {
    for seed in seeds(200) {
        let (program, again) = (Generated::from_seed(seed), Generated::from_seed(seed));
        let text = module_to_string(&program.module);
        assert_eq!(text, module_to_string(&again.module));
        let by_knobs = Generated::with_knobs(seed, program.knobs);
        let backedge_fuzz::generate::Origin::Bytes(bytes) = &by_knobs.origin else { panic!("it has bytes") };
        let by_bytes = Generated::from_bytes(bytes);
        assert_eq!(text, module_to_string(&by_bytes.module), "by the bytes that were read");
        assert!(program.to_string().contains(&format!("from_seed({seed})")));
        assert!(by_bytes.to_string().contains("from_bytes(&["));
    }
}

#[test]
fn few_bytes_are_enough() {
    for length in 0..200 {
        let program = Generated::from_bytes(&vec![0xa5; length]);
        assert!(verify_module(&program.module).is_empty(), "{program}");
    }
}

#[test]
fn what_is_off_is_not_used() {
    for seed in seeds(500) {
        let program = Generated::from_seed(seed);
        assert!(program.used.iter().all(|k| program.knobs.has(k)), "{:?}\n{program}", program.knobs);
        let none = Generated::with_knobs(seed, Knobs::NONE);
        assert_eq!(none.used, Knobs::NONE);
    }
}

/// Knobs whose decisions come from a stream of their own.
const LATER: [Knob; 18] = [
    Knob::Metadata,
    Knob::TwoTests,
    Knob::WrappingFills,
    Knob::Overwrites,
    Knob::DataConditions,
    Knob::FarSums,
    Knob::DividedBounds,
    Knob::NestSums,
    Knob::BoundsChecks,
    Knob::ExitFirst,
    Knob::LoopSteps,
    Knob::FullRange,
    Knob::Dereferenceable,
    Knob::OtherFlags,
    Knob::BitIntrinsics,
    Knob::PointerEnds,
    Knob::FloatSums,
    Knob::ComputedExits,
];

#[test]
fn programs_without_later_features_stay_the_same() {
    let mut same = 0;
    for seed in seeds(500) {
        let program = Generated::from_seed(seed);
        if LATER.iter().any(|knob| program.used.has(*knob)) {
            continue;
        }
        let early = LATER.into_iter().fold(program.knobs, Knobs::without);
        assert_eq!(
            module_to_string(&program.module),
            module_to_string(&Generated::with_knobs(seed, early).module)
        );
        same += 1;
    }
    // Most programs have one of so many features.
    assert!(same >= 40, "{same} programs without later features");
}

/// Runs of a program, and the runs that are defined.
fn runs_of(program: &Generated) -> (u64, u64) {
    let side = || Side { module: &program.module, func: program.func };
    let limits = Limits { undef_inputs: false, ..Limits::default() };
    let seen = check(side(), side(), limits).expect("a program refines itself");
    (seen.runs, seen.defined)
}

/// Metadata that does not hold is UB or poison, so most of it must hold.
#[test]
fn programs_with_metadata_are_mostly_defined() {
    let programs = |on: bool| {
        let knobs =
            move |knobs: Knobs| if on { knobs.with(Knob::Metadata) } else { knobs.without(Knob::Metadata) };
        let of_seed = move |seed| Generated::with_knobs(seed, knobs(Generated::from_seed(seed).knobs));
        seeds(1_000).into_par_iter().map(of_seed)
    };
    let used: usize = programs(true).filter(|program| program.used.has(Knob::Metadata)).count();
    let share = |on: bool| {
        let of_program = |program: Generated| runs_of(&program);
        let (runs, defined) = programs(on).map(of_program).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        defined as f64 / runs as f64
    };
    let (with, without) = (share(true), share(false));
    println!("{used} programs have metadata; {with:.3} of runs are defined with it, {without:.3} without");
    assert!(used >= 500, "{used} programs have metadata");
    assert!(with >= 0.8 * without, "{with:.3} of runs are defined with metadata, {without:.3} without");
}

/// Passes that never change code.
const IDLE: [&str; 6] =
    ["no-op-function", "no-op-loop", "print", "print-mustexecute", "verify", "no-op-module"];

/// The names of the optimizer's function and loop passes.
fn passes() -> BTreeSet<&'static str> {
    let names = PASSES.iter().filter(|p| p.level() != Level::Module).map(|p| base_name(p.name));
    names.filter(|n| !IDLE.contains(n)).collect()
}

/// Pipelines that together run every pass after the canonicalization that it requires.
fn pipelines() -> Vec<String> {
    let alone = passes().into_iter().map(|p| format!("function(loop-simplify,lcssa,{p})"));
    let parameters = [
        "function(loop(loop-rotate,loop-peel<count=1>))",
        "function(loop(loop-peel<last>))",
        "function(loop(loop-rotate),loop-unroll<runtime;count=3>)",
        "function(loop(iteration-set-split<at=2>))",
        "function(loop(simple-loop-unswitch<nontrivial>))",
        "function(loop(loop-rotate),hir-strip-mine<2>)",
        "function(loop(loop-rotate),simplifycfg,hir-interchange)",
        "function(loop(loop-rotate),simplifycfg,hir-tile<2>)",
        "function(loop(loop-rotate),simplifycfg,hir-unroll-and-jam<2>)",
        "function(loop(loop-rotate),simplifycfg,hir-distribute)",
        "function(loop(loop-rotate),simplifycfg,hir-fuse)",
        "default<O3>",
    ];
    alone.chain(parameters.map(str::to_owned)).collect()
}

/// Statistics of passes on the programs of some seeds, one pipeline per program.
fn statistics(seeds: std::ops::Range<u64>) -> Statistics {
    let pipelines: Vec<_> = pipelines().iter().map(|p| parse_pipeline(p).expect("a pipeline")).collect();
    let one = |seed: u64| {
        let program = Generated::from_seed(seed);
        let mut module = program.module.clone();
        let mut fired = Fired::default();
        let pipeline = &pipelines[seed as usize % pipelines.len()];
        run(&mut module, pipeline, Options::default(), &mut fired).expect("no verifier is asked");
        let mut statistics = Statistics::default();
        statistics.add(&program, &fired);
        statistics
    };
    seeds.into_par_iter().map(one).reduce(Statistics::default, Statistics::merge)
}

#[test]
fn every_knob_makes_a_pass_fire_and_every_pass_fires() {
    let statistics = statistics(seeds(20_000));
    println!("{statistics}");
    // Most of these knobs change facts that passes may assume. They change what passes do to some programs, but not
    // significantly how many programs passes fire on. Triangular nests and computed exits are too rare for the
    // statistics.
    let quiet = [
        Knob::MustProgress,
        Knob::Wide,
        Knob::Allocas,
        Knob::NoAlias,
        Knob::NoUndefArguments,
        Knob::Triangular,
        Knob::Dereferenceable,
        Knob::ComputedExits,
    ];
    let idle: Vec<Knob> = statistics.idle_knobs().into_iter().filter(|k| !quiet.contains(k)).collect();
    assert_eq!(idle, Vec::<Knob>::new(), "nothing comes of these");
    let is_written = |k: &&Knob| statistics.knobs.get(k).is_some_and(|of| !of.fired.is_empty());
    assert_eq!(quiet.iter().filter(is_written).count(), quiet.len(), "nothing is written of some");
    let idle: Vec<&str> =
        passes().into_iter().filter(|p| !statistics.programs_fired.contains_key(*p)).collect();
    assert!(idle.is_empty(), "no program makes these fire: {idle:?}");
}

/// Each HIR transform fires on affine nests of each kind.
#[test]
fn transforms_of_trees_fire_on_affine_nests() {
    let transforms = [
        "hir-strip-mine<2>",
        "hir-interchange",
        "hir-tile<2>",
        "hir-unroll-and-jam<2>",
        "hir-distribute",
        "hir-fuse",
    ];
    for transform in transforms {
        let text = format!("loop-simplify,loop-rotate,lcssa,{transform}");
        let pipeline = parse_pipeline(&text).expect("a pipeline");
        let fired = |seed: u64| {
            let mut module = Generated::from_seed(seed).module;
            let mut fired = Fired::default();
            run(&mut module, &pipeline, Options::default(), &mut fired).expect("no verifier is asked");
            u64::from(fired.has(base_name(transform)))
        };
        let programs = 3_000;
        let fired: u64 = (0..programs).into_par_iter().map(fired).sum();
        println!("{transform}: {fired} of {programs} programs");
        assert!(fired >= programs / 400, "{transform}: {fired} of {programs} programs");
    }
}
