//! Positions of the new code, and values that are used again.

use super::{NEST, VALUES, check, end, inst, leaf, obstacle};
use crate::common::bodies::{Text, block, expr};
use backedge_scev::ScalarEvolution;
use backedge_scev::expand::{Obstacle, Options};

#[test]
fn invariants_are_hoisted_to_the_preheader() {
    let ask = |se: &mut ScalarEvolution<'_>| {
        let (a, b, y) = (leaf(se, "a"), leaf(se, "b"), leaf(se, "y"));
        let n = leaf(se, "n");
        let product = se.mul(&[a, n]);
        (se.add(&[product, y, b]), inst(se, "i.next"))
    };
    check(
        NEST,
        Options::default(),
        ask,
        &[
            "pre: %0 = mul i8 %a, %n",
            "pre: %1 = add i8 %0, %b",
            "loop: %2 = add i8 %1, %y",
            "loop: %expanded = bitcast i8 %2 to i8",
        ],
    );
    check(
        NEST,
        Options { hoist: false, ..Options::default() },
        ask,
        &[
            "loop: %0 = mul i8 %a, %n",
            "loop: %1 = add i8 %b, %0",
            "loop: %2 = add i8 %1, %y",
            "loop: %expanded = bitcast i8 %2 to i8",
        ],
    );
}

#[test]
fn recurrences_exist_or_are_created() {
    let l = |se: &ScalarEvolution<'_>| se.loops().with_header(block(se, "loop")).expect("a loop");
    let there = |se: &mut ScalarEvolution<'_>| (expr(se, "i"), end(se, "loop"));
    check(NEST, Options::default(), there, &["loop: %expanded = bitcast i8 %i to i8"]);
    let other = |se: &mut ScalarEvolution<'_>| {
        let (l, a, b) = (l(se), leaf(se, "a"), leaf(se, "b"));
        (se.add_rec(l, &[a, b]), end(se, "loop"))
    };
    check(
        NEST,
        Options::default(),
        other,
        &[
            "loop: %0 = phi i8 [ %a, %pre ], [ %1, %loop ]",
            "loop: %1 = add i8 %0, %b",
            "loop: %expanded = bitcast i8 %0 to i8",
        ],
    );
    let squares = |se: &mut ScalarEvolution<'_>| {
        let (l, a, b) = (l(se), leaf(se, "a"), leaf(se, "b"));
        let two = se.int(8, 2);
        (se.add_rec(l, &[a, b, two]), end(se, "loop"))
    };
    check(
        NEST,
        Options::default(),
        squares,
        &[
            "loop: %0 = phi i8 [ %b, %pre ], [ %2, %loop ]",
            "loop: %1 = phi i8 [ %a, %pre ], [ %3, %loop ]",
            "loop: %2 = add i8 %0, 2",
            "loop: %3 = add i8 %1, %0",
            "loop: %expanded = bitcast i8 %1 to i8",
        ],
    );
    let outside = |se: &mut ScalarEvolution<'_>| (other(se).0, end(se, "exit"));
    let found = obstacle(NEST, Options::default(), outside);
    assert!(matches!(found, Obstacle::OutsideLoop(_)), "{found:?}");
}

#[test]
fn values_are_used_again_if_not_more_poisonous() {
    let of = |name: &'static str| {
        move |se: &mut ScalarEvolution<'_>| {
            let three = se.int(8, 3);
            let x = leaf(se, name);
            (se.add(&[x, three]), end(se, "behind"))
        }
    };
    check(VALUES, Options::default(), of("b"), &["behind: %expanded = bitcast i8 %plain to i8"]);
    check(
        VALUES,
        Options::default(),
        of("a"),
        &["behind: %0 = add i8 %a, 3", "behind: %expanded = bitcast i8 %0 to i8"],
    );
    let text = Text::new(VALUES);
    text.with(|se| {
        let (e, at) = of("b")(se);
        assert!(!se.is_high_cost(e, at, 0));
        let (e, at) = of("a")(se);
        assert!(se.is_high_cost(e, at, 0) && !se.is_high_cost(e, at, 1));
        let (a, b) = (leaf(se, "a"), leaf(se, "b"));
        let quotient = se.udiv(a, b);
        assert!(!se.is_safe_to_expand_at(quotient, at) && se.is_safe_to_expand_at(e, at));
        let two = se.int(8, 2);
        let half = se.udiv(a, two);
        assert!(se.is_safe_to_expand_at(half, at));
        assert!(se.is_high_cost(quotient, at, 10));
    });
}
