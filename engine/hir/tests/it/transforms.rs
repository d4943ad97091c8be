//! Transforms, tested by execution: random nests behave the same before and after, and each transform applies to some
//! of them. `BACKEDGE_CASES` sets the number of nests, `BACKEDGE_SEED` the first seed.

use crate::common::apply::{Tally, compare, in_form, module, named, transformed};
use crate::common::rectangles::{RUNS, Shape, input, nest};
use backedge_hir::node::{Kind, List};
use backedge_hir::transform::{
    Profit, TransformMissed, distribute, fuse, interchange, perfect, strip_mine, tile, unroll_and_jam,
};
use backedge_hir::{Hir, Node};
use backedge_testkit::seeds;

/// Transforms random nests of that shape, and runs them before and after. For some seeds, and for shapes with many
/// carried values, code beside an inner loop is first moved out of the outer one.
fn check(shape: Shape, cases: u64, change: &mut dyn FnMut(&mut Hir, Node, u64, &mut Tally)) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds(cases) {
        let text = nest(seed, shape);
        let mut module = module(&text);
        in_form(&mut module);
        let mut prepare = |hir: &mut Hir, region: Node| {
            if seed.is_multiple_of(3) || shape.carried > 50 {
                put_out(hir, region);
            }
            true
        };
        let Some((source, _)) = transformed(&module, named(&module), &mut prepare) else { continue };
        let mut step = |hir: &mut Hir, region: Node| {
            prepare(hir, region);
            if shape.sums > 0 && !seed.is_multiple_of(4) {
                perfect::run(hir, region);
            }
            let before = tally.done;
            change(hir, region, seed, &mut tally);
            tally.done > before
        };
        let Some((target, trees)) = transformed(&module, named(&module), &mut step) else { continue };
        let mut inputs = (0..RUNS).map(|run| input(seed * RUNS + run));
        compare(
            [&source, &target],
            named(&source),
            &mut inputs,
            &mut tally,
            &|| format!("seed {seed}\n{trees}"),
            20_000,
        );
    }
    println!("{tally:?}");
    tally
}

/// Moves writes of variables beside an inner loop that do not use the outer loop's iteration before or after the
/// outer loop.
fn put_out(hir: &mut Hir, region: Node) {
    for l in loops(hir, region).into_iter().rev() {
        let level = hir.loop_level(l);
        let body: Vec<Node> = hir.children(l, List::Body).collect();
        let Some(at) = body.iter().position(|n| matches!(hir.kind(*n), Kind::Loop(_))) else { continue };
        let is_free = |hir: &Hir, node: Node| {
            let refs = hir.kind(node).refs();
            hir.written(node).is_some() && refs.iter().flat_map(|r| r.forms()).all(|f| !f.has_iv(level))
        };
        for node in &body[..at] {
            if is_free(hir, *node) {
                hir.move_before(l, *node);
            }
        }
        for node in body[at + 1..].iter().rev() {
            if is_free(hir, *node) {
                hir.move_after(l, *node);
            }
        }
    }
    hir.refresh_all(region);
}

fn loops(hir: &Hir, region: Node) -> Vec<Node> {
    hir.nodes_in(region).into_iter().filter(|n| matches!(hir.kind(*n), Kind::Loop(_))).collect()
}

fn count(tally: &Tally, missed: TransformMissed) -> u64 {
    tally.missed.get(missed.name()).copied().unwrap_or(0)
}

#[test]
fn strip_mining() {
    let shape =
        Shape { depth: (1, 3), beside: 40, siblings: 15, carried: 5, hazards: 6, guarded: 20, sums: 0 };
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
    assert!(tally.done > 120 && tally.refined > tally.nothing, "{tally:?}");
    assert!(count(&tally, TransformMissed::NotCounted) > 10, "{tally:?}");
}

/// Checks that each of these reasons occurred.
fn each(tally: &Tally, all: &[TransformMissed]) {
    for missed in all {
        assert!(count(tally, *missed) > 0, "{missed:?}: {tally:?}");
    }
}

const NESTS: Shape =
    Shape { depth: (2, 3), beside: 12, siblings: 5, carried: 25, hazards: 4, guarded: 25, sums: 25 };

const OF_NESTS: [TransformMissed; 11] = [
    TransformMissed::NotCounted,
    TransformMissed::NoNest,
    TransformMissed::NotPerfect,
    TransformMissed::Bounds,
    TransformMissed::SeveralExits,
    TransformMissed::MayNotEnd,
    TransformMissed::Order,
    TransformMissed::Scalar,
    TransformMissed::LiveOut,
    TransformMissed::Assumed,
    TransformMissed::Dependence,
];

#[test]
fn interchanging() {
    let tally = check(NESTS, 1000, &mut |hir, region, seed, tally| {
        for l in loops(hir, region).into_iter().skip((seed / 3 % 2) as usize) {
            match interchange::check(hir, l) {
                Ok(legal) => {
                    interchange::apply(hir, legal);
                    tally.done += 1;
                    // The same two loops would be interchanged again.
                    break;
                }
                Err(missed) => tally.missed(missed),
            }
        }
    });
    assert!(tally.done > 120 && tally.refined > tally.nothing, "{tally:?}");
    each(&tally, &OF_NESTS);
}

#[test]
fn tiling() {
    let tally = check(NESTS, 1000, &mut |hir, region, seed, tally| {
        for l in loops(hir, region) {
            match tile::check(hir, l, 2 + seed % 3) {
                Ok(legal) => {
                    tile::apply(hir, legal);
                    tally.done += 1;
                    // Interchanges two of the resulting loops, one of which may compute the bound of the other.
                    let now = loops(hir, region);
                    let from = (seed / 3) as usize % now.len();
                    if let Some(legal) = now[from..].iter().find_map(|l| interchange::check(hir, *l).ok()) {
                        interchange::apply(hir, legal);
                    }
                    break;
                }
                Err(missed) => tally.missed(missed),
            }
        }
    });
    assert!(tally.done > 80 && tally.refined > tally.nothing, "{tally:?}");
    each(&tally, &OF_NESTS);
}

#[test]
fn unrolling_and_jamming() {
    let shape =
        Shape { depth: (2, 3), beside: 45, siblings: 5, carried: 12, hazards: 3, guarded: 20, sums: 0 };
    let tally = check(shape, 600, &mut |hir, region, seed, tally| {
        // The second pass also transforms the results of the first one, some of which may not run.
        for _ in 0..2 {
            for l in loops(hir, region) {
                match unroll_and_jam::check(hir, l, 2 + seed % 3) {
                    Ok(legal) => {
                        unroll_and_jam::apply(hir, legal);
                        tally.done += 1;
                    }
                    Err(missed) => tally.missed(missed),
                }
            }
        }
    });
    assert!(tally.done > 80 && tally.refined > tally.nothing, "{tally:?}");
    each(&tally, &OF_NESTS);
    each(&tally, &[TransformMissed::OneStrip, TransformMissed::Control]);
}

#[test]
fn distributing() {
    let shape =
        Shape { depth: (1, 3), beside: 80, siblings: 30, carried: 15, hazards: 3, guarded: 20, sums: 0 };
    let tally = check(shape, 600, &mut |hir, region, _, tally| {
        for l in loops(hir, region).into_iter().rev() {
            match distribute::check(hir, l) {
                Ok(legal) => {
                    distribute::apply(hir, legal);
                    tally.done += 1;
                }
                Err(missed) => tally.missed(missed),
            }
        }
    });
    assert!(tally.done > 80 && tally.refined > tally.nothing, "{tally:?}");
    let reasons = [
        TransformMissed::NotCounted,
        TransformMissed::SeveralExits,
        TransformMissed::MayNotEnd,
        TransformMissed::Order,
        TransformMissed::Control,
        TransformMissed::Dependence,
        TransformMissed::Expansion,
    ];
    each(&tally, &reasons);
}

#[test]
fn fusing() {
    let shape =
        Shape { depth: (2, 3), beside: 10, siblings: 95, carried: 30, hazards: 3, guarded: 25, sums: 0 };
    let tally = check(shape, 600, &mut |hir, region, _, tally| {
        for l in loops(hir, region) {
            if hir.region(l) != Some(region) {
                continue;
            }
            match fuse::check(hir, l) {
                Ok(legal) => {
                    fuse::apply(hir, legal);
                    tally.done += 1;
                }
                Err(missed) => tally.missed(missed),
            }
        }
    });
    assert!(tally.done > 80 && tally.refined > tally.nothing, "{tally:?}");
    let reasons = [
        TransformMissed::NotCounted,
        TransformMissed::NoNeighbour,
        TransformMissed::OtherCount,
        TransformMissed::SeveralExits,
        TransformMissed::Order,
        TransformMissed::Scalar,
        TransformMissed::Assumed,
        TransformMissed::Dependence,
    ];
    each(&tally, &reasons);
}

/// Values carried between iterations, or from one loop to the next, across interchanged or fused loops.
#[test]
fn sums() {
    let shape =
        Shape { depth: (2, 3), beside: 0, siblings: 50, carried: 80, hazards: 0, guarded: 0, sums: 0 };
    let tally = check(shape, 600, &mut |hir, region, seed, tally| {
        for l in loops(hir, region) {
            let result = match seed % 3 {
                0 => interchange::check(hir, l).map(|legal| interchange::apply(hir, legal)),
                1 => tile::check(hir, l, 2).map(|legal| tile::apply(hir, legal)),
                _ => fuse::check(hir, l).map(|legal| fuse::apply(hir, legal)),
            };
            match result {
                Ok(()) => {
                    tally.done += 1;
                    break;
                }
                Err(missed) => tally.missed(missed),
            }
        }
    });
    assert!(tally.done > 20 && tally.refined > tally.nothing, "{tally:?}");
    assert!(count(&tally, TransformMissed::Scalar) > 30, "{tally:?}");
}

/// All transforms in sequence, in a random order, where profitable or wherever legal.
#[test]
fn together() {
    let shape =
        Shape { depth: (1, 3), beside: 50, siblings: 40, carried: 10, hazards: 2, guarded: 25, sums: 0 };
    let tally = check(shape, 300, &mut |hir, region, seed, tally| {
        let profit = if seed >> 12 & 1 == 0 { Profit::Asked } else { Profit::Ignored };
        for turn in 0..4 {
            let outcomes = match (seed >> (3 * turn)) % 6 {
                0 => strip_mine::run(hir, region, 2),
                1 => interchange::run(hir, region, profit),
                2 => tile::run(hir, region, 2, profit),
                3 => unroll_and_jam::run(hir, region, 2, profit),
                4 => distribute::run(hir, region, profit),
                _ => fuse::run(hir, region, profit),
            };
            for outcome in outcomes {
                match outcome.result {
                    Ok(_) => tally.done += 1,
                    Err(missed) => tally.missed(missed),
                }
            }
        }
    });
    assert!(tally.done > 150 && tally.refined > tally.nothing, "{tally:?}");
}

/// Copies that pass values on are moved out of nests, and reductions are reordered.
#[test]
fn sums_in_another_order() {
    let shape =
        Shape { depth: (2, 3), beside: 0, siblings: 0, carried: 20, hazards: 2, guarded: 20, sums: 100 };
    let mut kept = 0;
    let tally = check(shape, 800, &mut |hir, region, seed, tally| {
        let all: Vec<Node> = loops(hir, region);
        for l in all.into_iter().skip((seed / 3 % 2) as usize) {
            let done = match seed % 5 {
                0 => tile::check(hir, l, 2).map(|legal| tile::apply(hir, legal)),
                1 | 2 => {
                    let factor = 2 + seed % 4;
                    unroll_and_jam::check(hir, l, factor).map(|legal| unroll_and_jam::apply(hir, legal))
                }
                _ => interchange::check(hir, l).map(|legal| interchange::apply(hir, legal)),
            };
            match done {
                Ok(()) => {
                    tally.done += 1;
                    break;
                }
                Err(missed) => {
                    kept += u64::from(matches!(missed, TransformMissed::Scalar | TransformMissed::LiveOut));
                    tally.missed(missed);
                }
            }
        }
    });
    assert!(tally.done > 70 && tally.refined > tally.nothing, "{tally:?}");
    assert!(kept > 20, "{kept}: {tally:?}");
}
