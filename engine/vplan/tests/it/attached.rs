//! Attachments and names after the plan of a nest is executed: loop metadata stays on the latch, branch weights stay on
//! their branch, and names are kept.

use crate::common::{after, body, module, named};
use backedge_analysis::Analyses;
use backedge_ir::metadata::MdKind;
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;

/// Two latches, one with loop metadata.
const TWO_LATCHES: &str = "define void @f(i1 %a, i1 %b) {
entry:
  br label %loop
loop:
  %x = phi i32 [ 0, %entry ], [ 1, %loop ], [ 2, %rest ]
  br i1 %a, label %loop, label %rest, !prof !0
rest:
  br i1 %b, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}
!0 = !{!\"branch_weights\", i32 1, i32 2}
!1 = distinct !{!1, !2}
!2 = !{!\"llvm.loop.mustprogress\"}
";

const TWO_EXITS: &str = "define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %found, label %latch, !prof !0
latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %absent, !llvm.loop !1
found:
  ret i32 1
absent:
  ret i32 0
}
!0 = !{!\"branch_weights\", i32 1, i32 2}
!1 = distinct !{!1, !2}
!2 = !{!\"llvm.loop.mustprogress\"}
";

/// The blocks whose terminators have metadata of that kind.
fn with(module: &Module, kind: &MdKind) -> Vec<String> {
    let body = body(module, named(module));
    let has = |block| body.terminator(block).is_some_and(|t| body.inst(t).metadata_of(kind).is_some());
    body.blocks().filter(|b| has(*b)).filter_map(|b| body.block_name(b).map(str::to_owned)).collect()
}

/// Checks that only latches have loop metadata.
fn options_are_latches(module: &Module) {
    let (func, body) = (named(module), body(module, named(module)));
    let analyses = Analyses::of(func);
    let at = analyses.at(&module.env, body);
    let (cfg, loops) = (at.cfg(), at.loops());
    for block in body.blocks() {
        let Some(end) = body.terminator(block) else { continue };
        if body.inst(end).metadata_of(&MdKind::Loop).is_some() {
            let is_latch = loops.innermost(block).is_some_and(|l| loops.is_latch(&cfg, l, block));
            assert!(is_latch, "{}", module_to_string(module));
        }
    }
}

#[test]
fn options_go_with_the_backedge() {
    let module = after(&module(TWO_EXITS), "vplan-roundtrip");
    options_are_latches(&module);
    assert_eq!(with(&module, &MdKind::Loop), ["loop.latch"]);
    assert_eq!(with(&module, &MdKind::Prof), ["loop"]);
}

#[test]
fn options_stand_at_latches_alone() {
    for passes in ["vplan-roundtrip", "vplan-roundtrip<plain>", "vplan-roundtrip<multi-exit>"] {
        options_are_latches(&after(&module(TWO_LATCHES), passes));
    }
}

#[test]
fn without_massaging_attachments_are_kept() {
    let module = module(TWO_EXITS);
    let same = after(&module, "vplan-roundtrip<plain>");
    // Only the landing pad is new.
    assert_eq!(with(&same, &MdKind::Loop), ["latch"]);
    assert_eq!(with(&same, &MdKind::Prof), ["loop"]);
    let body = body(&same, named(&same));
    for name in ["i", "at", "v", "zero", "i.next", "more"] {
        assert!(body.value_named(name).is_some(), "{name}: {}", module_to_string(&same));
    }
}
