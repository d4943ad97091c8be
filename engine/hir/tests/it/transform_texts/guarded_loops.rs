//! Loops that may not run: their tests are hoisted, copied, or stay where they are.

use super::{after, around, first, loops, store};
use backedge_hir::transform::{TransformMissed, distribute, fuse, interchange, tile, unroll_and_jam};
use backedge_hir::{Hir, Node};

/// An if before the loop `%{iv}` that tests whether the loop runs, around that loop.
fn guarded(iv: char, count: &str, inside: &str) -> String {
    format!(
        "  %{iv}.runs = icmp ult i64 0, {count}\n  br i1 %{iv}.runs, label %b{iv}, label %z{iv}\nb{iv}:\n{}  \
         br label %z{iv}\nz{iv}:\n",
        around(iv, count, inside)
    )
}

/// The tests of a nest are moved before it, in their original order.
#[test]
fn tests_are_hoisted() {
    let exchange = &mut |hir: &mut Hir, region: Node| {
        let l = first(hir, region);
        let legal = interchange::check(hir, l).expect("it is legal");
        interchange::apply(hir, legal);
    };
    let body = around('i', "8", &guarded('j', "%n", &store("a", "%j", "%i")));
    assert_eq!(
        after(&body, exchange),
        "BEGIN REGION hi\n+ DO i1 = 0, %n + -1, 1   <ZTT: 0 <u %n>\n|   + DO i2 = 0, 7, 1\n\
         |   |   (%p)[i1][i2] = 0;\n|   + END LOOP\n+ END LOOP\nEND REGION\n"
    );
    let cut = &mut |hir: &mut Hir, region: Node| {
        let l = first(hir, region);
        let legal = tile::check(hir, l, 4).expect("it is legal");
        tile::apply(hir, legal);
    };
    let text = after(&body, cut);
    assert!(text.contains("+ DO i1 = 0, 1, 1   <ZTT: 0 <u %n>\n|   + DO i2 = 0, "), "{text}");
    assert_eq!(text.matches("ZTT").count(), 1, "{text}");
}

/// A test that depends on the outer iteration stays where it is.
#[test]
fn tests_of_an_iteration() {
    let body = around('i', "8", &guarded('j', "%i", &store("a", "%j", "%i")));
    after(&body, &mut |hir, region| {
        let l = first(hir, region);
        assert_eq!(interchange::check(hir, l).err(), Some(TransformMissed::Bounds));
        assert_eq!(tile::check(hir, l, 4).err(), Some(TransformMissed::Bounds));
        assert_eq!(unroll_and_jam::check(hir, l, 2).err(), Some(TransformMissed::Bounds));
    });
}

#[test]
fn groups_of_loops_that_may_not_run() {
    let body = around('i', "8", &guarded('j', "%n", &store("a", "%j", "%i")));
    let text = after(&body, &mut |hir, region| {
        let l = first(hir, region);
        let legal = unroll_and_jam::check(hir, l, 2).expect("it is legal");
        unroll_and_jam::apply(hir, legal);
    });
    assert_eq!(
        text,
        "BEGIN REGION hi\n+ DO i1 = 0, 3, 1\n|   + DO i2 = 0, %n + -1, 1   <ZTT: 0 <u %n>\n\
         |   |   (%p)[i2][2 * i1] = 0;\n|   |   (%p)[i2][2 * i1 + 1] = 0;\n|   + END LOOP\n+ END LOOP\n\
         END REGION\n"
    );
}

/// Loops with equal tests are fused, others are not; the loops of a distributed loop have its test.
#[test]
fn neighbours_that_may_not_run() {
    let of = |count: &str| {
        let second = around('k', "%n", &store("b", "%k", "50"));
        let second = format!(
            "  %k.runs = icmp ult i64 0, {count}\n  br i1 %k.runs, label %bk, label %zk\nbk:\n{second}  \
             br label %zk\nzk:\n"
        );
        around('i', "8", &(guarded('j', "%n", &store("a", "%j", "%i")) + &second))
    };
    let fused = after(&of("%n"), &mut |hir, region| {
        let l = loops(hir, region)[1];
        let legal = fuse::check(hir, l).expect("it is legal");
        fuse::apply(hir, legal);
    });
    let whole = "BEGIN REGION hi\n+ DO i1 = 0, 7, 1\n|   + DO i2 = 0, %n + -1, 1   <ZTT: 0 <u %n>\n\
                 |   |   (%p)[i2][i1] = 0;\n|   |   (%p)[i2][50] = 0;\n|   + END LOOP\n+ END LOOP\nEND REGION\n";
    assert_eq!(fused, whole);
    let divided = after(&of("%n"), &mut |hir, region| {
        let l = loops(hir, region)[1];
        let legal = fuse::check(hir, l).expect("it is legal");
        fuse::apply(hir, legal);
        let legal = distribute::check(hir, l).expect("it is legal");
        assert_eq!(distribute::apply(hir, legal).len(), 2);
    });
    assert_eq!(divided.matches("<ZTT: 0 <u %n>").count(), 2, "{divided}");
    after(
        &around('i', "8", &(guarded('j', "%n", &store("a", "%j", "%i")) + &around('k', "%n", ""))),
        &mut |hir, region| {
            let l = loops(hir, region)[1];
            assert_eq!(fuse::check(hir, l).err(), Some(TransformMissed::OtherCount));
        },
    );
}
