//! The check accepts the forms of a nest, and finds each kind of wrong form.

use super::{Seen, WrongForm, check_trees};
use crate::oracles::position::in_form;
use backedge_hir::node::{HlInst, Kind, LoopKind};
use backedge_hir::{CanonExpr, Hir, Node};
use backedge_interp::input::ArgSpec;
use backedge_interp::input::Input;
use backedge_interp::memory::Contents;
use backedge_ir::int::Int;
use backedge_ir::parse::parse_module;

const TEXT: &str = "define i8 @f(ptr %p) {\nentry:\n  br label %outer\nouter:\n  \
    %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]\n  br label %loop\nloop:\n  \
    %i = phi i64 [ 0, %outer ], [ %i.next, %loop ]\n  %from = getelementptr inbounds [4 x i8], ptr %p, i64 %j, i64 %i\n  \
    %v = load i8, ptr %from\n  %twice = shl i64 %i, 1\n  %odd = or disjoint i64 %twice, 1\n  \
    %n = trunc i64 %odd to i8\n  %x = xor i8 %n, %v\n  store i8 %x, ptr %from\n  \
    %i.next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %i.next, 3\n  br i1 %more, label %loop, label %latch\n\
    latch:\n  %j.next = add nuw nsw i64 %j, 1\n  %again = icmp ult i64 %j.next, 3\n  \
    br i1 %again, label %outer, label %exit\nexit:\n  ret i8 %x\n}\n";

fn look(change: &mut dyn FnMut(&mut Hir)) -> Result<Seen, Box<WrongForm>> {
    let mut module = parse_module(TEXT.as_bytes()).expect("a module").module;
    assert!(in_form(&mut module));
    let func = module.env.func_named("f").expect("it has @f");
    let buffer = ArgSpec::Buffer(Box::new(Contents::from_bytes(vec![7; 16])));
    let mut seen = Seen::default();
    let mut inputs = std::iter::once(Input::new(vec![buffer]));
    check_trees(&module, func, &mut inputs, &mut seen, change).map(|()| seen)
}

/// Edits the kind of every node with `which`.
fn edited(hir: &mut Hir, which: &dyn Fn(&mut Kind)) {
    let nodes: Vec<Node> = hir.regions().to_vec().iter().flat_map(|r| hir.nodes_in(*r)).collect();
    for node in nodes {
        hir.edit(node, |kind, _| which(kind));
    }
}

#[test]
fn what_is_right_is_right() {
    let seen = look(&mut |_| {}).expect("all forms are right");
    assert_eq!((seen.defined, seen.bounds), (1, 4), "{seen:?}");
    assert_eq!((seen.addresses, seen.strides), (18, 2 * (6 + 2)), "{seen:?}");
    assert!(seen.scalars >= 18, "{seen:?}");
}

#[test]
fn what_is_wrong_is_found() {
    let one = |width| CanonExpr::of_constant(Int::one(width));
    let bound = look(&mut |hir| {
        edited(hir, &|kind| {
            if let Kind::Loop(of) = kind
                && let LoopKind::Do { upper, .. } = &mut of.kind
            {
                upper.forms_mut().for_each(|form| *form = one(form.dest_type().width));
            }
        });
    });
    assert!(bound.expect_err("it runs two rounds").text.contains("bound"));
    let inst = |change: &'static dyn Fn(&mut HlInst)| {
        look(&mut |hir| {
            edited(hir, &|kind| {
                if let Kind::Inst(inst) = kind {
                    change(inst);
                }
            });
        })
    };
    let stride = inst(&|inst| {
        for form in inst.rvals.iter_mut().filter(|of| of.as_memory().is_some()).flat_map(|of| of.forms_mut())
        {
            if form.as_constant().is_some_and(|c| c.bits() == 4) {
                *form = CanonExpr::of_constant(Int::new(64, 5));
            }
        }
    });
    let stride = stride.expect_err("rows have four bytes");
    assert!(stride.text.contains("%p"), "{stride}");
    let operand = inst(&|inst| {
        for of in inst.rvals.iter_mut().filter(|of| of.as_terminal().is_some()) {
            for form in of.forms_mut().filter(|form| form.has_any_iv()) {
                *form = CanonExpr::zero(form.dest_type());
            }
        }
    });
    let operand = operand.expect_err("it is not 0");
    assert!(operand.text == "0" && operand.value.is_zero(), "{operand}");
}
