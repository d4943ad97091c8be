//! Transforms of nests with variables: sums, last values, and bounds that the loop writes.

use super::{after, around, first, loops, store};
use backedge_hir::node::{HlInst, Kind, List, Operation};
use backedge_hir::transform::{
    Profit, TransformMissed, distribute, fuse, interchange, perfect, strip_mine, tile, unroll_and_jam,
};
use backedge_hir::{CanonExpr, Hir, Node, RegDdRef};
use backedge_ir::inst::{BinaryFlags, InstKind};

/// Adds a write of the bound's variable, `%n`, with its own value to the body of the loop.
fn write_to_bound(hir: &mut Hir, l: Node) {
    let temp = hir.kind(l).refs()[1].collect_temp_blobs(&hir.blobs)[0];
    let of = RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0));
    let node = hir.create(Kind::Inst(HlInst::copy(of.clone(), of)));
    hir.insert_last(l, List::Body, node);
    let region = hir.region(l).expect("it is in one");
    hir.refresh_all(region);
}

/// A loop that writes a variable of its own bound runs as often as the bound was on entry.
#[test]
fn bounds_that_are_written() {
    let strips = after(&around('i', "%n", &store("a", "0", "%i")), &mut |hir, region| {
        let l = first(hir, region);
        write_to_bound(hir, l);
        assert_eq!(distribute::check(hir, l).err(), Some(TransformMissed::Bounds));
        let legal = strip_mine::check(hir, l, 4).expect("it is legal");
        strip_mine::apply(hir, legal);
    });
    assert!(strips.contains("%hi.last = (1 umax %n) + -1;"), "{strips}");
    assert!(strips.contains("%hi.left = -4 * i1 + %hi.last;"), "{strips}");
    after(&around('i', "%n", &around('j', "%n", &store("a", "%i", "%j"))), &mut |hir, region| {
        let all = loops(hir, region);
        write_to_bound(hir, all[1]);
        assert_eq!(interchange::check(hir, all[0]).err(), Some(TransformMissed::Bounds));
        assert_eq!(tile::check(hir, all[0], 4).err(), Some(TransformMissed::Bounds));
        assert_eq!(unroll_and_jam::check(hir, all[0], 2).err(), Some(TransformMissed::Bounds));
    });
}

/// A nest that adds to one sum in all iterations and keeps the last values of its counters, with uses of all of them
/// after it.
fn summed(step: &str, outer: &str) -> String {
    format!(
        "  br label %hi\nhi:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %li ]\n  \
         %s = phi i32 [ 7, %entry ], [ %t.next, %li ]\n  br label %hj\nhj:\n  \
         %j = phi i64 [ 0, %hi ], [ %j.next, %hj ]\n  %t = phi i32 [ %s, %hi ], [ %t.next, %hj ]\n  \
         %at = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %i\n  %v = load i32, ptr %at, align 4\n  \
         {step}\n  %j.next = add nuw nsw i64 %j, 1\n  %j.more = icmp ult i64 %j.next, 9\n  \
         br i1 %j.more, label %hj, label %li\nli:\n  %i.next = add nuw nsw i64 %i, 1\n  \
         %i.more = icmp ult i64 %i.next, {outer}\n  br i1 %i.more, label %hi, label %xi\nxi:\n  \
         store i32 %t.next, ptr %p, align 4\n  %q = getelementptr inbounds i64, ptr %p, i64 %j.next\n  \
         store i64 %i.next, ptr %q, align 4\n"
    )
}

#[test]
fn sums_of_nests() {
    let exchange = &mut |hir: &mut Hir, region: Node| {
        let l = first(hir, region);
        assert_eq!(interchange::check(hir, l).err(), Some(TransformMissed::NotPerfect));
        perfect::run(hir, region);
        let legal = interchange::check(hir, l).expect("it is legal");
        interchange::decide(hir, &legal, Profit::Asked).expect("it is worth it");
        interchange::apply(hir, legal);
    };
    assert_eq!(
        after(&summed("%t.next = add nsw i32 %t, %v", "8"), exchange),
        "BEGIN REGION hi\n%s = 7;\n%t = %s;\n+ DO i1 = 0, 8, 1\n|   + DO i2 = 0, 7, 1\n\
         |   |   %v = (%p)[i1][i2];\n|   |   %t = %t + %v;\n|   + END LOOP\n+ END LOOP\n\
         %j.next.lcssa = 9;\n%t.next.lcssa.lcssa = %t;\n%j.next.lcssa.lcssa = %j.next.lcssa;\n\
         %i.next.lcssa = 8;\nEND REGION\n"
    );
    let jam = &mut |hir: &mut Hir, region: Node| {
        perfect::run(hir, region);
        let l = first(hir, region);
        let legal = unroll_and_jam::check(hir, l, 2).expect("it is legal");
        unroll_and_jam::apply(hir, legal);
    };
    let text = after(&summed("%t.next = add nsw i32 %t, %v", "8"), jam);
    assert!(text.contains("%t = %t + %v;\n|   |   %v.1 = "), "{text}");
    assert!(text.contains("%t = %t + %v.1;"), "{text}");
}

/// Other updates than reductions, and sums with other uses in the nest, keep their order; reordered sums have no
/// flags.
#[test]
fn sums_and_others() {
    for (step, missed) in [
        ("%t.next = sub i32 %v, %t", TransformMissed::LiveOut),
        ("%t.next = add i32 %t, %t", TransformMissed::LiveOut),
        ("%t.next = shl i32 %t, %v", TransformMissed::LiveOut),
        ("%u = mul i32 %t, 3\n  %t.next = add i32 %u, %v", TransformMissed::LiveOut),
        ("%t.next = add i32 %t, %v\n  store i32 %t.next, ptr %p, align 4", TransformMissed::LiveOut),
    ] {
        after(&summed(step, "8"), &mut |hir, region| {
            perfect::run(hir, region);
            let l = first(hir, region);
            assert_eq!(interchange::check(hir, l).err(), Some(missed), "{step}");
            assert_eq!(tile::check(hir, l, 2).err(), Some(missed), "{step}");
            assert_eq!(unroll_and_jam::check(hir, l, 2).err(), Some(missed), "{step}");
        });
    }
    for step in ["add nuw nsw", "mul nsw", "or disjoint", "xor", "and", "sub nuw"] {
        let step = format!("%t.next = {step} i32 %t, %v");
        after(&summed(&step, "8"), &mut |hir, region| {
            perfect::run(hir, region);
            let l = first(hir, region);
            let legal = interchange::check(hir, l).expect("it is legal");
            interchange::apply(hir, legal);
            let flags = |node: Node| match hir.kind(node) {
                Kind::Inst(HlInst { operation: Operation::Ir(of), .. }) => match of.kind {
                    InstKind::Binary(_, flags) => Some(flags),
                    _ => None,
                },
                _ => None,
            };
            let flags: Vec<_> = hir.nodes_in(region).into_iter().filter_map(flags).collect();
            assert_eq!(flags, [BinaryFlags::default()], "{step}");
        });
    }
}

/// A load and a store of the loaded value, in one loop.
const CARRIED_OVER: &str = "  %from = getelementptr inbounds i32, ptr %p, i64 %i\n  %v = load i32, ptr %from, align 4\n  \
                            %to = getelementptr inbounds [100 x i32], ptr %p, i64 1, i64 %i\n  \
                            store i32 %v, ptr %to, align 4\n";

/// The second loop reads the last value that the first one wrote, or the first reads the value that the second wrote
/// in an iteration of an outer loop: one value for all iterations.
#[test]
fn variables_of_two_loops() {
    for is_written_first in [true, false] {
        after(&around('i', "50", CARRIED_OVER), &mut |hir, region| {
            let l = first(hir, region);
            let kind = hir.kind(l).clone();
            let second = hir.create(kind);
            hir.insert_after(l, second);
            let of_second = if is_written_first { hir.last(l, List::Body) } else { hir.first(l, List::Body) };
            let node = of_second.expect("it has a body");
            hir.remove(node);
            hir.insert_last(second, List::Body, node);
            hir.refresh_all(region);
            assert_eq!(fuse::check(hir, l).err(), Some(TransformMissed::Scalar));
        });
    }
}

/// The last value written under a condition is read after the nest.
#[test]
fn last_values() {
    let load = "  %here = icmp ult i64 %j, 2\n  br i1 %here, label %yes, label %no\nyes:\n  \
                %at = getelementptr inbounds [100 x i32], ptr %p, i64 %i, i64 %j\n  \
                %v = load i32, ptr %at, align 4\n  store i32 %v, ptr %p, align 4\n  br label %no\nno:\n";
    after(&around('i', "8", &around('j', "8", load)), &mut |hir, region| {
        let l = first(hir, region);
        let temp = hir.nodes_in(l).into_iter().find_map(|n| hir.written(n)).expect("a variable");
        let of = RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0));
        let node = hir.create(Kind::Inst(HlInst::copy(of.clone(), of)));
        hir.insert_after(l, node);
        hir.refresh_all(region);
        assert_eq!(interchange::check(hir, l).err(), Some(TransformMissed::LiveOut));
        assert_eq!(unroll_and_jam::check(hir, l, 2).err(), Some(TransformMissed::LiveOut));
    });
}

/// The length of a strip depends on the strip.
#[test]
fn strips_stay_in_their_loop() {
    after(&around('i', "10", &store("a", "0", "%i")), &mut |hir, region| {
        let l = first(hir, region);
        let legal = strip_mine::check(hir, l, 4).expect("it is legal");
        let strips = strip_mine::apply(hir, legal);
        assert_eq!(interchange::check(hir, strips).err(), Some(TransformMissed::Bounds));
    });
}
