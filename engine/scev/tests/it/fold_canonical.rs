//! Canonical form: expressions that are equal by the laws of sums, products, minima and recurrences are identical,
//! whatever the order and grouping of their construction. Folding a folded expression changes nothing, and huge input
//! costs little.

use crate::common::bodies::{Text, value};
use crate::common::trees;
use crate::common::trees::{Palette, function};
use backedge_ir::int::Int;
use backedge_scev::{Expr, Flags, NAry, Node, ScalarEvolution};
use backedge_testkit::Dice;
use rand::RngExt;
use std::time::{Duration, Instant};

const WIDTHS: [(u32, u32); 5] = [(1, 2), (3, 5), (8, 16), (32, 64), (64, 128)];

/// `operands` combined with `op` in random order and grouping.
fn grouped(scev: &mut ScalarEvolution<'_>, rng: &mut Dice, op: NAry, operands: &[Expr]) -> Expr {
    let mut left = operands.to_vec();
    while left.len() > 1 {
        let count = rng.random_range(2..=left.len());
        let group: Vec<Expr> =
            (0..count).map(|_| left.swap_remove(rng.random_range(0..left.len()))).collect();
        let merged = match op {
            NAry::Add => scev.add(&group),
            NAry::Mul => scev.mul(&group),
            _ => scev.min_max(op, &group),
        };
        left.push(merged);
    }
    left[0]
}

/// Leaves, constants, multiples of leaves, and affine recurrences over them, all of the narrow type.
fn terms(scev: &mut ScalarEvolution<'_>, palette: &Palette, rng: &mut Dice, recurrences: bool) -> Vec<Expr> {
    let narrow = palette.widths[0];
    let leaves: Vec<Expr> =
        ["a", "b", "c"].map(|name| value(scev, name)).into_iter().map(|v| scev.unknown(v)).collect();
    let one = |scev: &mut ScalarEvolution<'_>, rng: &mut Dice| -> Expr {
        let constant = scev.constant(trees::constant(rng, narrow));
        let leaf = leaves[rng.random_range(0..leaves.len())];
        match rng.random_range(0..3) {
            0 => constant,
            1 => leaf,
            _ => scev.mul(&[constant, leaf]),
        }
    };
    (0..rng.random_range(2..7))
        .map(|_| {
            if recurrences && rng.random_ratio(1, 3) {
                let l = palette.loops[rng.random_range(0..palette.loops.len())];
                let operands = [one(scev, rng), one(scev, rng)];
                scev.add_rec(l, &operands)
            } else {
                one(scev, rng)
            }
        })
        .collect()
}

#[test]
fn order_and_grouping_do_not_matter() {
    let ops = [NAry::Add, NAry::UMin, NAry::UMax, NAry::SMin, NAry::SMax];
    for (narrow, wide) in WIDTHS {
        let text = Text::new(&function(narrow, wide));
        for seed in 0..400 {
            text.with(|scev| {
                let palette = Palette::new(scev, narrow, wide);
                let mut rng = Dice::new(seed);
                for op in ops {
                    let operands = terms(scev, &palette, &mut rng, op == NAry::Add);
                    let first = grouped(scev, &mut rng, op, &operands);
                    for _ in 0..4 {
                        let other = grouped(scev, &mut rng, op, &operands);
                        assert_eq!(
                            first,
                            other,
                            "i{narrow}, seed {seed}: {} and {}",
                            scev.text(first),
                            scev.text(other)
                        );
                    }
                }
            });
        }
    }
}

#[test]
fn order_and_grouping_of_factors_do_not_matter() {
    for (narrow, wide) in WIDTHS {
        let text = Text::new(&function(narrow, wide));
        for seed in 0..200 {
            text.with(|scev| {
                let palette = Palette::new(scev, narrow, wide);
                let mut rng = Dice::new(seed);
                let operands = terms(scev, &palette, &mut rng, false);
                let first = grouped(scev, &mut rng, NAry::Mul, &operands);
                let other = grouped(scev, &mut rng, NAry::Mul, &operands);
                assert_eq!(first, other, "{} and {}", scev.text(first), scev.text(other));
            });
        }
    }
}

/// The same trees, built forwards and backwards in two analyses, have the same text.
#[test]
fn the_order_of_construction_does_not_matter() {
    for (narrow, wide) in WIDTHS {
        let text = Text::new(&function(narrow, wide));
        for seed in 0..60 {
            let made: Vec<_> = text.with(|scev| {
                let mut palette = Palette::new(scev, narrow, wide);
                palette.flagged = 0;
                let mut rng = Dice::new(seed);
                (0..6).map(|_| palette.tree(scev, &mut rng, wide, 3, None)).collect()
            });
            let texts = |backwards: bool| {
                text.with(|scev| {
                    let mut order: Vec<usize> = (0..made.len()).collect();
                    if backwards {
                        order.reverse();
                    }
                    let mut built: Vec<(usize, Expr)> =
                        order.into_iter().map(|i| (i, made[i].build(scev, &mut Vec::new()))).collect();
                    built.sort_by_key(|(i, _)| *i);
                    built.iter().map(|(_, e)| scev.text(*e)).collect::<Vec<_>>()
                })
            };
            assert_eq!(texts(false), texts(true), "seed {seed}");
        }
    }
}

/// Each node, rebuilt from its operands, is unchanged.
#[test]
fn folding_is_idempotent() {
    for (narrow, wide) in WIDTHS {
        let text = Text::new(&function(narrow, wide));
        for seed in 0..200 {
            text.with(|scev| {
                let mut palette = Palette::new(scev, narrow, wide);
                palette.flagged = 0;
                let mut rng = Dice::new(seed);
                let tree = palette.tree(scev, &mut rng, narrow, 4, None);
                let expr = tree.build(scev, &mut Vec::new());
                let again = match scev.node(expr) {
                    Node::NAry(NAry::Add, operands) => scev.add(&operands),
                    Node::NAry(NAry::Mul, operands) => scev.mul(&operands),
                    Node::NAry(op, operands) => scev.min_max(op, &operands),
                    Node::UDiv([left, right]) => scev.udiv(left, right),
                    Node::AddRec(l, operands) => scev.add_rec(l, &operands),
                    _ => expr,
                };
                assert_eq!(expr, again, "seed {seed}: {} and {}", scev.text(expr), scev.text(again));
            });
        }
    }
}

#[test]
fn huge_input_costs_little() {
    let text = Text::new(&function(32, 64));
    let started = Instant::now();
    text.with(|scev| {
        let [a, b, u] = ["a", "b", "u"].map(|name| value(scev, name));
        let [a, b, u] = [scev.unknown(a), scev.unknown(b), scev.unknown(u)];
        // A long chain without mergeable terms.
        let mut chain = a;
        for i in 0..10_000u32 {
            let odd = scev.constant(Int::new(32, u128::from(2 * i + 3)));
            let term = scev.umax(odd, u);
            let product = scev.mul(&[chain, b]);
            chain = scev.add(&[product, term]);
        }
        // Doubling by zext, add and trunc: 2^200 nodes as a tree.
        let mut doubled = a;
        for _ in 0..200 {
            let wide = scev.zext(doubled, 64);
            let more = scev.sext(doubled, 64);
            let sum = scev.mul(&[wide, more]);
            let sum = scev.add(&[sum, wide]);
            doubled = scev.trunc(sum, 32);
        }
        // The same with wrap flags, which permit extensions to move inside.
        let mut flagged = a;
        for _ in 0..200 {
            let next = scev.add_flagged(&[flagged, b], Flags::BOTH);
            let next = scev.mul_flagged(&[next, flagged], Flags::BOTH);
            flagged = next;
            scev.zext(flagged, 64);
            scev.sext(flagged, 128);
        }
        // One sum of many terms, built twice.
        let many: Vec<Expr> = (0..20_000u32)
            .map(|i| {
                let c = scev.constant(Int::new(32, u128::from(i % 997 + 1)));
                scev.umin(c, u)
            })
            .collect();
        let one = scev.add(&many);
        let two = scev.add(&many);
        assert_eq!(one, two);
        // Repeated multiplication of recurrences.
        let step = scev.int(32, 1);
        let l = scev.loops().ids().next().expect("a loop");
        let i = scev.add_rec(l, &[a, step]);
        let mut power = i;
        for _ in 0..100 {
            power = scev.mul(&[power, i]);
        }
        println!("{} expressions", scev.arena().len());
    });
    // Far above the expected time, far below the time of a quadratic algorithm.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    println!("{:?}", started.elapsed());
}
