//! Strip mining, interchange, tiling, unroll-and-jam, distribution and fusion of plain nests, and the limits of their
//! factors.

use super::{after, around, first, loops, store};
use backedge_hir::transform::{
    Profit, TransformDone, TransformMissed, distribute, fuse, interchange, strip_mine, tile, unroll_and_jam,
};
use backedge_hir::{Hir, Node};

#[test]
fn strips() {
    let strip = &mut |hir: &mut Hir, region: Node| {
        let l = first(hir, region);
        let legal = strip_mine::check(hir, l, 4).expect("it is legal");
        strip_mine::apply(hir, legal);
    };
    assert_eq!(
        after(&around('i', "8", &store("a", "%i", "%i")), strip),
        "BEGIN REGION hi\n+ DO i1 = 0, 1, 1\n|   + DO i2 = 0, 3, 1\n|   |   (%p)[4 * i1 + i2][4 * i1 + i2] = 0;\n\
         |   + END LOOP\n+ END LOOP\nEND REGION\n"
    );
    assert_eq!(
        after(&around('i', "10", &store("a", "0", "%i")), strip),
        "BEGIN REGION hi\n+ DO i1 = 0, 2, 1\n|       %hi.left = -4 * i1 + 9;\n\
         |   + DO i2 = 0, (%hi.left umin 3), 1\n|   |   (%p)[0][4 * i1 + i2] = 0;\n\
         |   + END LOOP\n+ END LOOP\nEND REGION\n"
    );
}

#[test]
fn neighbours_are_exchanged() {
    let exchange = &mut |hir: &mut Hir, region: Node| {
        let l = first(hir, region);
        let legal = interchange::check(hir, l).expect("it is legal");
        interchange::decide(hir, &legal, Profit::Asked).expect("it is worth it");
        interchange::apply(hir, legal);
    };
    let body = around('i', "8", &around('j', "%n", &store("a", "%j", "%i")));
    assert_eq!(
        after(&body, exchange),
        "BEGIN REGION hi\n+ DO i1 = 0, (1 umax %n) + -1, 1\n|   + DO i2 = 0, 7, 1\n|   |   (%p)[i1][i2] = 0;\n\
         |   + END LOOP\n+ END LOOP\nEND REGION\n"
    );
}

#[test]
fn tiles() {
    let cut = &mut |hir: &mut Hir, region: Node| {
        let l = first(hir, region);
        let legal = tile::check(hir, l, 4).expect("it is legal");
        tile::apply(hir, legal);
    };
    let body = around('i', "8", &around('j', "10", &store("a", "%i", "%j")));
    assert_eq!(
        after(&body, cut),
        "BEGIN REGION hi\n+ DO i1 = 0, 1, 1\n|   + DO i2 = 0, 2, 1\n|   |   + DO i3 = 0, 3, 1\n\
         |   |   |       %hj.left = -4 * i2 + 9;\n|   |   |   + DO i4 = 0, (%hj.left umin 3), 1\n\
         |   |   |   |   (%p)[4 * i1 + i3][4 * i2 + i4] = 0;\n|   |   |   + END LOOP\n|   |   + END LOOP\n\
         |   + END LOOP\n+ END LOOP\nEND REGION\n"
    );
}

#[test]
fn groups_and_the_rest() {
    let unroll = &mut |hir: &mut Hir, region: Node| {
        let l = first(hir, region);
        let legal = unroll_and_jam::check(hir, l, 2).expect("it is legal");
        unroll_and_jam::apply(hir, legal);
    };
    let body = around('i', "5", &around('j', "10", &store("a", "%i", "%j")));
    assert_eq!(
        after(&body, unroll),
        "BEGIN REGION hi\n+ DO i1 = 0, 1, 1\n|   + DO i2 = 0, 9, 1\n|   |   (%p)[2 * i1][i2] = 0;\n\
         |   |   (%p)[2 * i1 + 1][i2] = 0;\n|   + END LOOP\n+ END LOOP\n+ DO i1 = 0, 0, 1\n\
         |   + DO i2 = 0, 9, 1\n|   |   (%p)[i1 + 4][i2] = 0;\n|   + END LOOP\n+ END LOOP\nEND REGION\n"
    );
}

/// A loop whose count is narrower than the factor becomes one group of all its possible iterations.
#[test]
fn groups_of_more_than_there_are() {
    let narrow = |last: &str| {
        format!(
            "  br label %hi\nhi:\n  %i = phi i8 [ 0, %entry ], [ %i.next, %li ]\n{}  br label %li\nli:\n  \
             %i.next = add i8 %i, 1\n  %done = icmp eq i8 %i, {last}\n  br i1 %done, label %x, label %hi\nx:\n",
            around('j', "8", &store("a", "0", "%j"))
        )
    };
    after(&narrow("-1"), &mut |hir, region| {
        let l = first(hir, region);
        for factor in [256, 257, 300, 1 << 40] {
            assert_eq!(unroll_and_jam::check(hir, l, factor).map(|legal| legal.factor()), Ok(256));
        }
        let legal = unroll_and_jam::check(hir, l, 300).expect("it is legal");
        unroll_and_jam::apply(hir, legal);
        assert_eq!(hir.kind(first(hir, region)).refs()[1].text(&hir.blobs), "0");
    });
    let unknown = "  %narrow = trunc i64 %n to i8\n".to_owned() + &narrow("%narrow");
    after(&unknown, &mut |hir, region| {
        let l = first(hir, region);
        assert_eq!(unroll_and_jam::check(hir, l, 300).map(|legal| legal.factor()), Ok(256));
        let legal = unroll_and_jam::check(hir, l, 300).expect("it is legal");
        unroll_and_jam::apply(hir, legal);
        assert_eq!(loops(hir, region).len(), 4);
    });
}

#[test]
fn divided_and_fused_again() {
    let inside = store("a", "0", "%i") + &store("b", "50", "%i");
    let body = around('i', "50", &inside);
    let mut whole = String::new();
    let divided = after(&body, &mut |hir, region| {
        whole = hir.region_text(region);
        let l = first(hir, region);
        let legal = distribute::check(hir, l).expect("it is legal");
        assert_eq!(distribute::apply(hir, legal).len(), 2);
    });
    assert_eq!(
        divided,
        "BEGIN REGION hi\n+ DO i1 = 0, 49, 1\n|   (%p)[0][i1] = 0;\n+ END LOOP\n+ DO i1 = 0, 49, 1\n\
         |   (%p)[50][i1] = 0;\n+ END LOOP\nEND REGION\n"
    );
    after(&body, &mut |hir, region| {
        let l = first(hir, region);
        let legal = distribute::check(hir, l).expect("it is legal");
        let loops = distribute::apply(hir, legal);
        let legal = fuse::check(hir, loops[0]).expect("it is legal");
        fuse::apply(hir, legal);
        assert_eq!(hir.region_text(region), whole);
    });
}

/// Factors that are too large or too small.
#[test]
fn factors() {
    after(&around('i', "8", &around('j', "10", &store("a", "%i", "%j"))), &mut |hir, region| {
        let l = first(hir, region);
        for factor in [0, 1] {
            assert_eq!(strip_mine::check(hir, l, factor).err(), Some(TransformMissed::Factor));
            assert_eq!(unroll_and_jam::check(hir, l, factor).err(), Some(TransformMissed::Factor));
        }
        let legal = strip_mine::check(hir, l, 8).expect("it is legal");
        assert_eq!(strip_mine::decide(&legal), Err(TransformMissed::OneStrip));
        // The factor is limited to the number of iterations.
        for factor in [8, 9, u64::MAX] {
            assert_eq!(unroll_and_jam::check(hir, l, factor).map(|legal| legal.factor()), Ok(8));
        }
        let legal = tile::check(hir, l, 100).expect("it is legal");
        assert_eq!(tile::decide(hir, &legal, Profit::Asked), Err(TransformMissed::OneStrip));
    });
}

/// The number of copies is limited, even if profit is ignored.
#[test]
fn factors_have_a_ceiling() {
    after(&around('i', "%n", &around('j', "10", &store("a", "%i", "%j"))), &mut |hir, region| {
        let l = first(hir, region);
        let legal = unroll_and_jam::check(hir, l, 200).expect("it is legal");
        assert_eq!(unroll_and_jam::decide(hir, &legal, Profit::Asked), Err(TransformMissed::TooLarge));
        for factor in [100_000, u64::MAX] {
            assert_eq!(unroll_and_jam::check(hir, l, factor).err(), Some(TransformMissed::TooLarge));
        }
    });
    after(&around('i', "1", &around('j', "10", &store("a", "%i", "%j"))), &mut |hir, region| {
        let l = first(hir, region);
        assert_eq!(unroll_and_jam::check(hir, l, 2).err(), Some(TransformMissed::OneStrip));
    });
}

/// The outer loop of three is not part of the tiled nest, because the next loop's bound depends on its iteration.
#[test]
fn tiles_of_inner_loops() {
    let inside = around('k', "20", &store("a", "%k", "%j"));
    let bound = "  %i.n = add nuw nsw i64 %i, 1\n".to_owned();
    let body = around('i', "30", &(bound + &around('j', "%i.n", &inside)));
    let mut outcomes = Vec::new();
    let text = after(&body, &mut |hir, region| outcomes = tile::run(hir, region, 4, Profit::Asked));
    assert!(text.contains("|   |   |   |   |   (%p)[4 * i3 + i5][4 * i2 + i4] = 0;"), "{text}");
    assert_eq!(text.matches("+ DO i").count(), 5, "{text}");
    let [outcome] = &outcomes[..] else { panic!("{outcomes:?}") };
    assert_eq!((&*outcome.header, outcome.result), ("hj", Ok(TransformDone::Tiled { depth: 2, size: 4 })));
}
