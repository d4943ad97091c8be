//! Uniformity claims of VPlans for a nest's outermost loop, against runs: a uniform branch goes the same way in all
//! iterations, and an inner loop without varying values takes the same path each time. `BACKEDGE_CASES` sets the
//! number of nests, `BACKEDGE_SEED` the first seed.

use crate::nests;
use backedge_analysis::{Analyses, LoopForest, LoopId};
use backedge_interp::chooser::RandomChooser;
use backedge_interp::trace::{Done, Observer};
use backedge_interp::{Config, Machine, Program};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::print::module_to_string;
use backedge_vplan::massage::UniformInNest;
use std::collections::HashMap;

/// The blocks that a run enters.
#[derive(Default)]
struct Path(Vec<Block>);

impl Observer for Path {
    fn enter(&mut self, _: FuncId, block: Block, depth: usize) {
        if depth == 0 {
            self.0.push(block);
        }
    }
    fn step(&mut self, _: Done<'_>) {}
}

/// Statistics of the comparisons.
#[derive(Default, Debug)]
struct Seen {
    runs: u64,
    branches: u64,
    ways: u64,
}

/// Compares the paths through the nest of `l`, for each entry of the nest.
fn judge(
    body: &Body,
    loops: &LoopForest,
    l: LoopId,
    uniform: &UniformInNest,
    path: &[Block],
    seen: &mut Seen,
) -> Result<(), String> {
    let alike = |block: Block| body.terminator(block).is_some_and(|t| uniform.is_uniform_terminator(t));
    let decides = |block: Block| body.terminator(block).is_some_and(|t| body.inst(t).successors().len() > 1);
    let inner: Vec<LoopId> = loops.children(l).to_vec();
    let (mut outcomes, mut ways) = (HashMap::<Block, Block>::new(), HashMap::<LoopId, Vec<Block>>::new());
    let mut at = 0;
    while at < path.len() {
        let block = path[at];
        if !loops.contains(l, block) {
            // The next entry of the nest starts after this block.
            outcomes.clear();
            ways.clear();
            at += 1;
            continue;
        }
        if let Some(within) = inner.iter().find(|x| loops.contains(**x, block)) {
            let end =
                path[at..].iter().position(|b| !loops.contains(*within, *b)).map_or(path.len(), |n| at + n);
            let all_alike = loops.blocks(*within).iter().all(|b| alike(*b));
            // A run may end in the loop.
            if all_alike && end < path.len() {
                let way = path[at..=end].to_vec();
                let first = ways.entry(*within).or_insert_with(|| way.clone());
                seen.ways += 1;
                if *first != way {
                    return Err(format!("a loop in it goes {first:?} and {way:?}"));
                }
            }
            at = end;
            continue;
        }
        if let Some(next) = path.get(at + 1).filter(|_| decides(block) && alike(block)) {
            let first = *outcomes.entry(block).or_insert(*next);
            seen.branches += 1;
            if first != *next {
                return Err(format!("{block:?} goes on to {first:?} and {next:?}"));
            }
        }
        at += 1;
    }
    Ok(())
}

fn seen(look_at: impl FnOnce(&mut nests::Look<'_>)) -> Seen {
    let mut seen = Seen::default();
    look_at(&mut |module, func, inputs, what| {
        let text = module_to_string(module);
        let Some(body) = module.body(func) else { return };
        // Nondeterministic choices may differ between iterations.
        if ["undef", "freeze", "poison", "asm"].iter().any(|word| text.contains(word)) {
            return;
        }
        let analyses = Analyses::of(func);
        let at = analyses.at(&module.env, body);
        let loops = at.loops();
        let uniform: Vec<(LoopId, UniformInNest)> =
            loops.top_level().iter().map(|l| (*l, UniformInNest::of(at, *l))).collect();
        let config = Config { fuel: 20_000, ..Config::default() };
        let program = Program::new(module, &config);
        let mut machine = Machine::new(&program, config);
        for (number, input) in inputs.enumerate() {
            let (mut chooser, mut path) = (RandomChooser::new(number as u64), Path::default());
            if machine.run(func, &input, &mut chooser, &mut path).is_err() {
                break;
            }
            seen.runs += 1;
            for (l, uniform) in &uniform {
                if let Err(why) = judge(body, &loops, *l, uniform, &path.0, &mut seen) {
                    panic!("{why}\n{what}");
                }
            }
        }
    });
    println!("{seen:?}");
    seen
}

#[test]
fn generated_nests() {
    let seen = seen(|look| nests::in_generated(600, look));
    assert!(seen.runs > 2_000 && seen.ways > 2_000, "{seen:?}");
}

/// The functions of the corpus and of LLVM's loop tests.
#[test]
fn files() {
    let seen = seen(|look| nests::in_files("what is uniform in LLVM's loop tests", look));
    assert!(seen.runs > 500 && seen.branches > 300 && seen.ways > 100, "{seen:?}");
}
