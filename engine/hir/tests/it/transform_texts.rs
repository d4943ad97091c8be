//! Transforms, as text: resulting loops, bounds, subscripts and variables; also for trees that no code produces.

use crate::common::apply::{in_form, module, named, transformed};
use backedge_analysis::Analyses;
use backedge_hir::barrier::Barrier;
use backedge_hir::build::build;
use backedge_hir::node::{HlInst, Kind, List, Operation};
use backedge_hir::print::NUMBERS;
use backedge_hir::transform::{
    Done, Missed, Profit, distribute, fuse, interchange, perfect, strip_mine, tile, unroll_and_jam,
};
use backedge_hir::{CanonExpr, Hir, Node, RegDdRef};
use backedge_ir::inst::{BinaryFlags, InstKind};
use backedge_scev::ScalarEvolution;

/// A loop with the counter `%{iv}` around `inside`, with `count` iterations, as text.
fn around(iv: char, count: &str, inside: &str) -> String {
    format!(
        "  br label %p{iv}\np{iv}:\n  br label %h{iv}\nh{iv}:\n  \
         %{iv} = phi i64 [ 0, %p{iv} ], [ %{iv}.next, %l{iv} ]\n{inside}  br label %l{iv}\nl{iv}:\n  \
         %{iv}.next = add nuw nsw i64 %{iv}, 1\n  %{iv}.more = icmp ult i64 %{iv}.next, {count}\n  \
         br i1 %{iv}.more, label %h{iv}, label %x{iv}\nx{iv}:\n"
    )
}

/// A store of zero to `p[row][column]`, in a matrix with rows of a hundred elements.
fn store(name: &str, row: &str, column: &str) -> String {
    format!(
        "  %{name} = getelementptr inbounds [100 x i32], ptr %p, i64 {row}, i64 {column}\n  \
         store i32 0, ptr %{name}, align 4\n"
    )
}

/// The tree of `@f` with that body after `change`.
fn after(body: &str, change: &mut dyn FnMut(&mut Hir, Node)) -> String {
    let text = format!(
        "define void @f(ptr noalias %p, i64 %n) {{\nentry:\n{body}  br label %end\nend:\n  ret void\n}}\n"
    );
    let mut module = module(&text);
    in_form(&mut module);
    let mut after = String::new();
    transformed(&module, named(&module), &mut |hir, region| {
        change(hir, region);
        assert_eq!(hir.check(region), [], "{}", hir.text());
        after = hir.region_text(region);
        true
    });
    println!("{after}");
    // Removes node numbers and the marker of loops without other exits.
    let text = |line: &str| line.get(NUMBERS..).unwrap_or_default().replace("   <DO_LOOP>", "");
    after.lines().map(|line| text(line).trim_end().to_owned() + "\n").collect()
}

/// The loops of a region, in preorder.
fn loops(hir: &Hir, region: Node) -> Vec<Node> {
    hir.nodes_in(region).into_iter().filter(|n| matches!(hir.kind(*n), Kind::Loop(_))).collect()
}

fn first(hir: &Hir, region: Node) -> Node {
    loops(hir, region)[0]
}

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
        assert_eq!(distribute::check(hir, l).err(), Some(Missed::Bounds));
        let legal = strip_mine::check(hir, l, 4).expect("it is legal");
        strip_mine::apply(hir, legal);
    });
    assert!(strips.contains("%hi.last = (1 umax %n) + -1;"), "{strips}");
    assert!(strips.contains("%hi.left = -4 * i1 + %hi.last;"), "{strips}");
    after(&around('i', "%n", &around('j', "%n", &store("a", "%i", "%j"))), &mut |hir, region| {
        let all = loops(hir, region);
        write_to_bound(hir, all[1]);
        assert_eq!(interchange::check(hir, all[0]).err(), Some(Missed::Bounds));
        assert_eq!(tile::check(hir, all[0], 4).err(), Some(Missed::Bounds));
        assert_eq!(unroll_and_jam::check(hir, all[0], 2).err(), Some(Missed::Bounds));
    });
}

/// Factors that are too large or too small.
#[test]
fn factors() {
    after(&around('i', "8", &around('j', "10", &store("a", "%i", "%j"))), &mut |hir, region| {
        let l = first(hir, region);
        for factor in [0, 1] {
            assert_eq!(strip_mine::check(hir, l, factor).err(), Some(Missed::Factor));
            assert_eq!(unroll_and_jam::check(hir, l, factor).err(), Some(Missed::Factor));
        }
        let legal = strip_mine::check(hir, l, 8).expect("it is legal");
        assert_eq!(strip_mine::decide(&legal), Err(Missed::OneStrip));
        // The factor is limited to the number of iterations.
        for factor in [8, 9, u64::MAX] {
            assert_eq!(unroll_and_jam::check(hir, l, factor).map(|legal| legal.factor()), Ok(8));
        }
        let legal = tile::check(hir, l, 100).expect("it is legal");
        assert_eq!(tile::decide(hir, &legal, Profit::Asked), Err(Missed::OneStrip));
    });
}

/// The number of copies is limited, even if profit is ignored.
#[test]
fn factors_have_a_ceiling() {
    after(&around('i', "%n", &around('j', "10", &store("a", "%i", "%j"))), &mut |hir, region| {
        let l = first(hir, region);
        let legal = unroll_and_jam::check(hir, l, 200).expect("it is legal");
        assert_eq!(unroll_and_jam::decide(hir, &legal, Profit::Asked), Err(Missed::TooLarge));
        for factor in [100_000, u64::MAX] {
            assert_eq!(unroll_and_jam::check(hir, l, factor).err(), Some(Missed::TooLarge));
        }
    });
    after(&around('i', "1", &around('j', "10", &store("a", "%i", "%j"))), &mut |hir, region| {
        let l = first(hir, region);
        assert_eq!(unroll_and_jam::check(hir, l, 2).err(), Some(Missed::OneStrip));
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
        assert_eq!(interchange::check(hir, l).err(), Some(Missed::NotPerfect));
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
        ("%t.next = sub i32 %v, %t", Missed::LiveOut),
        ("%t.next = add i32 %t, %t", Missed::LiveOut),
        ("%t.next = shl i32 %t, %v", Missed::LiveOut),
        ("%u = mul i32 %t, 3\n  %t.next = add i32 %u, %v", Missed::LiveOut),
        ("%t.next = add i32 %t, %v\n  store i32 %t.next, ptr %p, align 4", Missed::LiveOut),
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
            assert_eq!(fuse::check(hir, l).err(), Some(Missed::Scalar));
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
        assert_eq!(interchange::check(hir, l).err(), Some(Missed::LiveOut));
        assert_eq!(unroll_and_jam::check(hir, l, 2).err(), Some(Missed::LiveOut));
    });
}

/// The length of a strip depends on the strip.
#[test]
fn strips_stay_in_their_loop() {
    after(&around('i', "10", &store("a", "0", "%i")), &mut |hir, region| {
        let l = first(hir, region);
        let legal = strip_mine::check(hir, l, 4).expect("it is legal");
        let strips = strip_mine::apply(hir, legal);
        assert_eq!(interchange::check(hir, strips).err(), Some(Missed::Bounds));
    });
}

/// Code after a loop that may not terminate may never execute, so no code may move before the loop.
#[test]
fn loops_that_wait() {
    let wait = "  %q = getelementptr inbounds i8, ptr %p, i64 %i\n  br label %wait\nwait:\n  \
                %v = load i8, ptr %q, align 1\n  %more = icmp ult i8 %v, 9\n  br i1 %more, label %wait, label %on\non:\n";
    after(&around('i', "8", &around('j', "8", wait)), &mut |hir, region| {
        let l = first(hir, region);
        for result in [
            interchange::check(hir, l).err(),
            tile::check(hir, l, 4).err(),
            unroll_and_jam::check(hir, l, 2).err(),
            distribute::check(hir, l).err(),
        ] {
            assert_eq!(result, Some(Missed::MayNotEnd));
        }
        assert!(strip_mine::check(hir, l, 2).is_ok());
    });
}

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
        assert_eq!(interchange::check(hir, l).err(), Some(Missed::Bounds));
        assert_eq!(tile::check(hir, l, 4).err(), Some(Missed::Bounds));
        assert_eq!(unroll_and_jam::check(hir, l, 2).err(), Some(Missed::Bounds));
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
            assert_eq!(fuse::check(hir, l).err(), Some(Missed::OtherCount));
        },
    );
}

/// Code between two loops of a region moves before or after them.
#[test]
fn code_between_fused_loops() {
    let of = |between: &str| {
        around('i', "50", &store("a", "%i", "0")) + between + &around('k', "50", &store("b", "%k", "1"))
    };
    let fuse = &mut |hir: &mut Hir, region: Node| {
        let l = first(hir, region);
        let legal = fuse::check(hir, l).expect("it is legal");
        fuse::apply(hir, legal);
    };
    let whole = "+ DO i1 = 0, 49, 1\n|   (%p)[i1][0] = 0;\n|   (%p)[i1][1] = 0;\n+ END LOOP\n";
    let before = after(&of(&store("c", "0", "2")), fuse);
    assert_eq!(before, format!("BEGIN REGION hi\n(%p)[0][2] = 0;\n{whole}END REGION\n"));
    // The first loop writes the element, the second does not touch it.
    let following = after(&of(&store("c", "3", "0")), fuse);
    assert_eq!(following, format!("BEGIN REGION hi\n{whole}(%p)[3][0] = 0;\nEND REGION\n"));
    let copied = "  %from = getelementptr inbounds [100 x i32], ptr %p, i64 3, i64 0\n  \
                  %v = load i32, ptr %from, align 4\n  \
                  %to = getelementptr inbounds [100 x i32], ptr %p, i64 3, i64 1\n  store i32 %v, ptr %to, align 4\n";
    after(&of(copied), &mut |hir, region| {
        let l = first(hir, region);
        assert_eq!(fuse::check(hir, l).err(), Some(Missed::Dependence));
    });
}

/// Code that must stay between two loops is reported as the reason why they are not fused, both within an outer loop
/// and where it separates two regions.
#[test]
fn barriers_between_loops() {
    let barriers = [
        ("  call void @g()\n", Barrier::Call),
        ("  %x = load volatile i32, ptr %p\n", Barrier::Volatile),
        ("  %x = load atomic i32, ptr %p monotonic, align 4\n", Barrier::Atomic),
        ("  %x = atomicrmw add ptr %p, i32 1 monotonic\n", Barrier::Atomic),
        ("  fence seq_cst\n", Barrier::Fence),
        ("  call void @llvm.assume(i1 %c)\n", Barrier::Assume),
        ("  %x = alloca i32\n", Barrier::Alloca),
    ];
    for (between, barrier) in barriers {
        let both =
            around('j', "50", &store("a", "%j", "0")) + between + &around('k', "50", &store("b", "%k", "1"));
        for (nested, text) in [(true, around('i', "9", &both)), (false, both)] {
            let text = format!(
                "declare void @g()\ndeclare void @llvm.assume(i1)\ndefine void @f(ptr noalias %p, i64 %n, i1 %c) {{\n\
                 entry:\n{text}  br label %end\nend:\n  ret void\n}}\n"
            );
            let mut module = module(&text);
            in_form(&mut module);
            let func = named(&module);
            let analyses = Analyses::of(func);
            let body = module.body(func).expect("it has code");
            let mut scev = ScalarEvolution::new(analyses.at(&module.env, body));
            let mut built = build(&mut scev);
            if nested {
                let outcomes = fuse::run(&mut built.hir, built.taken[0].region, Profit::Asked);
                let first = outcomes.iter().find(|of| &*of.header == "hj").expect("something is said");
                assert_eq!(first.result, Err(Missed::Between(barrier)), "{text}");
                assert!(!outcomes.iter().any(|of| &*of.header == "hk"), "{outcomes:?}");
            } else {
                let parted: Vec<Barrier> = built.parted.iter().map(|(_, barrier)| *barrier).collect();
                assert_eq!((built.taken.len(), &parted[..]), (2, &[barrier][..]), "{text}");
            }
        }
    }
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
    assert_eq!((&*outcome.header, outcome.result), ("hj", Ok(Done::Tiled { depth: 2, size: 4 })));
}

/// Metadata of loops stays with unchanged loops only.
#[test]
fn options_of_loops() {
    let text = format!(
        "define void @f(ptr noalias %p, i64 %n) {{\nentry:\n{}  br label %end\nend:\n  ret void\n}}\n!0 = distinct !{{!0, !1}}\n\
         !1 = !{{!\"llvm.loop.mustprogress\"}}\n",
        around('i', "8", &around('j', "%n", &store("a", "%j", "%i")))
            .replace("%j.more, label %hj, label %xj", "%j.more, label %hj, label %xj, !llvm.loop !0")
    );
    let mut module = module(&text);
    in_form(&mut module);
    let lowered = |change: &mut dyn FnMut(&mut Hir, Node)| {
        let changed = transformed(&module, named(&module), &mut |hir, region| {
            change(hir, region);
            true
        });
        backedge_ir::print::module_to_string(&changed.expect("it is changed").0)
    };
    assert_eq!(lowered(&mut |_, _| {}).matches(", !llvm.loop !").count(), 1);
    let exchanged = lowered(&mut |hir, region| {
        let legal = interchange::check(hir, first(hir, region)).expect("it is legal");
        interchange::apply(hir, legal);
    });
    assert!(!exchanged.contains(", !llvm.loop !"), "{exchanged}");
}
