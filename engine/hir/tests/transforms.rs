//! Transforms against runs: what a nest does is the same before and after, whatever it is made of; and each does something.
//! `BACKEDGE_CASES` sets how many nests are made, `BACKEDGE_SEED` the first.

mod common;

use backedge_hir::node::Kind;
use backedge_hir::transform::{Missed, strip_mine};
use backedge_hir::{Hir, Node};
use backedge_testkit::seeds;
use common::apply::{Tally, compare, module, transformed};
use common::judge::in_form;
use common::rectangles::{Shape, input, nest};

/// Transforms nests of that shape, and runs them before and after.
fn check(shape: Shape, cases: u64, change: &mut dyn FnMut(&mut Hir, Node, u64, &mut Tally)) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds(cases) {
        let text = nest(seed, shape);
        let mut source = module(&text);
        in_form(&mut source);
        let mut step = |hir: &mut Hir, region: Node| {
            let before = tally.done;
            change(hir, region, seed, &mut tally);
            tally.done > before
        };
        let Some((target, trees)) = transformed(&source, &mut step) else { continue };
        let mut inputs = (0..6).map(|run| input(seed * 8 + run));
        compare(&source, &target, &mut inputs, &mut tally, &|| format!("seed {seed}\n{trees}"));
    }
    println!("{tally:?}");
    tally
}

fn loops(hir: &Hir, region: Node) -> Vec<Node> {
    hir.nodes_in(region).into_iter().filter(|n| matches!(hir.kind(*n), Kind::Loop(_))).collect()
}

fn count(tally: &Tally, missed: Missed) -> u64 {
    tally.missed.get(missed.name()).copied().unwrap_or(0)
}

#[test]
fn strip_mining() {
    let shape = Shape { depth: (1, 3), beside: 40, siblings: 15, hazards: 6 };
    let tally = check(shape, 600, &mut |hir, region, seed, tally| {
        for (at, l) in loops(hir, region).into_iter().enumerate() {
            if (seed >> at) & 1 == 0 {
                continue;
            }
            match strip_mine::check(hir, l, 2 + seed % 5) {
                Ok(legal) => {
                    strip_mine::apply(hir, legal);
                    tally.done += 1;
                }
                Err(missed) => tally.missed(missed),
            }
        }
    });
    assert!(tally.done > 300 && tally.refined > tally.nothing, "{tally:?}");
    assert!(count(&tally, Missed::NotCounted) > 10, "{tally:?}");
}
