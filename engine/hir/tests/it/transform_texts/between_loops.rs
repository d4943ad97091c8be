//! Code between loops, loops that may not terminate, and metadata of loops.

use super::{after, around, first, store};
use crate::common::apply::{in_form, module, named, transformed};
use backedge_analysis::Analyses;
use backedge_hir::barrier::Barrier;
use backedge_hir::build::build;
use backedge_hir::transform::{
    Profit, TransformMissed, distribute, fuse, interchange, strip_mine, tile, unroll_and_jam,
};
use backedge_hir::{Hir, Node};
use backedge_scev::ScalarEvolution;

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
            assert_eq!(result, Some(TransformMissed::MayNotEnd));
        }
        assert!(strip_mine::check(hir, l, 2).is_ok());
    });
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
        assert_eq!(fuse::check(hir, l).err(), Some(TransformMissed::Dependence));
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
                assert_eq!(first.result, Err(TransformMissed::Between(barrier)), "{text}");
                assert!(!outcomes.iter().any(|of| &*of.header == "hk"), "{outcomes:?}");
            } else {
                let parted: Vec<Barrier> = built.parted.iter().map(|(_, barrier)| *barrier).collect();
                assert_eq!((built.taken.len(), &parted[..]), (2, &[barrier][..]), "{text}");
            }
        }
    }
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
