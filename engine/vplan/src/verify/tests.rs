//! Plans that violate one invariant each; the verifier must report it.

use super::{Problem, hierarchy as check_hierarchy, massaged, plain};
use crate::build::{Landing, build};
use crate::hierarchy;
use crate::massage::{Massaging, Massagings, NothingUniform};
use crate::plan::{BlockId, Recipe, RecipeId, RegionId, RegionKind, VPValue, VPlan};
use backedge_analysis::Analyses;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::types::Type;

/// A loop with a diamond that contains another in one arm, followed by an inner loop.
const NEST: &str = "define i32 @f(i32 %n, i1 %a, i1 %b) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %a, label %then, label %else
then:
  br i1 %b, label %one, label %two
one:
  %x = add i32 %i, 1
  br label %join
two:
  %y = add i32 %i, 2
  br label %join
else:
  br label %join
join:
  %z = phi i32 [ %x, %one ], [ %y, %two ], [ 0, %else ]
  br label %inner
inner:
  %j = phi i32 [ %z, %join ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  %more = icmp ult i32 %j.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %j.out = phi i32 [ %j.next, %inner ]
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %outer, label %exit
exit:
  %r = phi i32 [ %j.out, %latch ]
  ret i32 %r
}
";

fn module() -> Module {
    parse_module(NEST.as_bytes()).expect("a module").module
}

fn plan(module: &Module) -> VPlan {
    let (func, body) = module.bodies().next().expect("a function");
    let analyses = Analyses::of(func);
    build(analyses.at(&module.env, body), Landing::default()).taken.remove(0).plan
}

fn block(plan: &VPlan, label: &str) -> BlockId {
    plan.blocks().find(|b| &*plan.block(*b).label == label).expect("the block")
}

fn value(plan: &VPlan, name: &str) -> RecipeId {
    plan.recipes.keys().find(|r| plan.recipe(*r).name.as_deref() == Some(name)).expect("the recipe")
}

/// The problems of the plain CFG after `spoil`; there are none before.
fn spoiled(spoil: impl FnOnce(&mut VPlan)) -> Vec<Problem> {
    let module = module();
    let (_, body) = module.bodies().next().expect("a function");
    let mut plan = plan(&module);
    assert_eq!(plain(&plan, body), []);
    spoil(&mut plan);
    plain(&plan, body)
}

#[test]
fn edges() {
    let problems = spoiled(|plan| {
        let (from, to) = (block(plan, "one"), block(plan, "join"));
        plan.blocks[to].preds.retain(|b| *b != from);
    });
    assert!(matches!(problems[..], [Problem::Edge(..)]), "{problems:?}");
    let problems = spoiled(|plan| {
        let (from, to) = (block(plan, "one"), block(plan, "join"));
        plan.blocks[from].succs.push(to);
    });
    assert!(!problems.is_empty() && problems.iter().all(|p| matches!(p, Problem::Edge(..))), "{problems:?}");
}

#[test]
fn ways() {
    let problems = spoiled(|plan| {
        let top = plan.top();
        plan.add_block("nowhere", top);
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::Unreachable(_))), "{problems:?}");
    assert!(problems.iter().any(|p| matches!(p, Problem::DeadEnd(_))), "{problems:?}");
    let problems = spoiled(|plan| plan.add_edge(block(plan, "else"), plan.entry()));
    assert!(problems.iter().any(|p| matches!(p, Problem::Entry(_))), "{problems:?}");
    // An edge into the inner loop that bypasses its header.
    let problems = spoiled(|plan| {
        let new = plan.split_edge(block(plan, "inner"), block(plan, "inner"), "back");
        plan.add_edge(block(plan, "else"), new);
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::Irreducible(..))), "{problems:?}");
}

#[test]
fn condition_bits() {
    let at = |problems: &[Problem]| matches!(problems, [Problem::ConditionBit(_)]);
    let problems = spoiled(|plan| {
        plan.pop_condition_bit(block(plan, "then"));
    });
    assert!(at(&problems), "{problems:?}");
    let problems = spoiled(|plan| plan.push_condition_bit(block(plan, "else"), VPValue::Bit(true)));
    assert!(at(&problems), "{problems:?}");
    let problems = spoiled(|plan| {
        let latch = block(plan, "latch");
        let last = plan.blocks[latch].recipes.len() - 1;
        plan.blocks[latch].recipes.swap(last, last - 1);
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::ConditionBit(_))), "{problems:?}");
}

#[test]
fn places() {
    let problems = spoiled(|plan| {
        let x = value(plan, "x");
        plan.recipes[x].block = block(plan, "two");
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::Place(_))), "{problems:?}");
    // A phi after another recipe.
    let problems = spoiled(|plan| {
        let inner = block(plan, "inner");
        plan.blocks[inner].recipes.swap(0, 1);
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::Place(_))), "{problems:?}");
}

#[test]
fn values() {
    let problems = spoiled(|plan| {
        let (z, one) = (value(plan, "z"), block(plan, "one"));
        plan.take_incoming(z, one);
    });
    assert!(matches!(problems[..], [Problem::Incoming(_)]), "{problems:?}");
    // A value defined in one arm does not dominate the other arm.
    let problems = spoiled(|plan| {
        let (x, y) = (value(plan, "x"), value(plan, "y"));
        plan.recipes[y].kind.each_operand(|v| *v = VPValue::Def(x));
    });
    assert!(
        problems.iter().all(|p| matches!(p, Problem::NotDefined(..))) && problems.len() == 2,
        "{problems:?}"
    );
    // A value used before its definition.
    let problems = spoiled(|plan| {
        let (more, next) = (value(plan, "more"), value(plan, "j.next"));
        plan.recipes[next].kind.each_operand(|v| *v = VPValue::Def(more));
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::NotDefined(..))), "{problems:?}");
    let problems = spoiled(|plan| {
        let phi = value(plan, "z");
        plan.recipes[phi].kind.each_operand(|v| *v = VPValue::Bit(true));
    });
    assert!(matches!(problems[..], [Problem::Type(_)]), "{problems:?}");
    let problems = spoiled(|plan| {
        let x = VPValue::Def(value(plan, "x"));
        plan.exits[0].phis[0].1 = x;
    });
    assert!(matches!(problems[..], [Problem::PlanExit(0)]), "{problems:?}");
    let problems = spoiled(|plan| plan.exits[0].when = Some(VPValue::Bit(true)));
    assert!(matches!(problems[..], [Problem::PlanExit(0)]), "{problems:?}");
}

#[test]
fn what_was_not_massaged() {
    let module = module();
    let plan = plan(&module);
    let not = |massaging: Massaging| massaged(&plan, Massagings::NONE.with(massaging), &NothingUniform);
    let labels = |problems: Vec<Problem>| -> Vec<Box<str>> {
        let of = |p: &Problem| if let Problem::NotMassaged(_, b) = p { Some(*b) } else { None };
        problems.iter().filter_map(of).map(|b| plan.block(b).label.clone()).collect()
    };
    // The join is the preheader of the inner loop.
    assert_eq!(labels(not(Massaging::Preheaders)), ["inner".into()]);
    assert_eq!(labels(not(Massaging::MultiExit)), []);
    assert_eq!(labels(not(Massaging::NonUniform)), ["inner".into()]);
    // The exit of the inner loop branches.
    assert_eq!(labels(not(Massaging::SingleExit)), ["inner".into()]);
    assert_eq!(labels(not(Massaging::EntryExit)), ["outer".into(), "inner".into()]);
    assert_eq!(labels(not(Massaging::SharedExit)), ["then".into()]);
}

/// The problems of the regions after `spoil`; there are none before.
fn regions_spoiled(spoil: impl FnOnce(&mut VPlan)) -> Vec<Problem> {
    let mut plan = plan(&module());
    Massagings::ALL.run(&mut plan, &NothingUniform);
    hierarchy::build(&mut plan);
    assert_eq!(check_hierarchy(&plan), []);
    spoil(&mut plan);
    check_hierarchy(&plan)
}

fn region(plan: &VPlan, entry: &str) -> RegionId {
    plan.regions().find(|r| &*plan.block(plan.region(*r).entry).label == entry).expect("the region")
}

#[test]
fn regions() {
    let problems = regions_spoiled(|plan| {
        let then = region(plan, "then");
        plan.regions[then].parent = Some(then);
    });
    assert!(matches!(problems[..], [Problem::Parent(_)]), "{problems:?}");
    let problems = regions_spoiled(|plan| {
        let (one, next) = (block(plan, "one"), plan.regions.next_key());
        plan.blocks[one].parent = next;
    });
    assert!(matches!(problems[..], [Problem::Region(_)]), "{problems:?}");
    // A block of a region moved outside: both of its edges cross the border.
    let problems = regions_spoiled(|plan| {
        let one = block(plan, "one");
        plan.blocks[one].parent = plan.top();
    });
    assert!(problems.iter().filter(|p| matches!(p, Problem::Crosses(..))).count() == 2, "{problems:?}");
    assert!(problems.iter().any(|p| matches!(p, Problem::Body(..))), "{problems:?}");
    // A region that ends at a block other than the join.
    let problems = regions_spoiled(|plan| {
        let (then, one) = (region(plan, "then"), block(plan, "one"));
        plan.regions[then].exit = one;
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::Ends(_))), "{problems:?}");
    // A loop region of another loop.
    let problems = regions_spoiled(|plan| {
        let outer = plan.regions().find(|r| plan.region(*r).as_loop().is_some()).expect("a loop's");
        let RegionKind::Loop(l) = &mut plan.regions[outer].kind else { return };
        l.latch = l.header;
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::Ends(_))), "{problems:?}");
    // A block that a region's entry does not dominate.
    let problems = regions_spoiled(|plan| {
        let (then, other) = (region(plan, "then"), block(plan, "else"));
        plan.blocks[other].parent = then;
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::Side(..))), "{problems:?}");
}

/// A region around the inner loop, which has no loop region of its own, contains a cycle.
#[test]
fn a_cycle() {
    let problems = regions_spoiled(|plan| {
        let of_loop = |r: &RegionId| plan.region(*r).as_loop().is_some();
        let inner = plan.regions().rfind(of_loop).expect("the inner loop's");
        plan.regions[inner].kind = RegionKind::NonLoop;
    });
    assert!(problems.iter().any(|p| matches!(p, Problem::Cycle(_))), "{problems:?}");
}

#[test]
fn recipes_of_masks() {
    let problem = |kind: Recipe, ty: Type| {
        let module = module();
        let (_, body) = module.bodies().next().expect("a function");
        let mut plan = plan(&module);
        let at = block(&plan, "else");
        plan.push(at, kind, ty, Some("made"));
        plain(&plan, body)
    };
    let bit = VPValue::Bit(true);
    let number = VPValue::Poison(Type::I32);
    let blend = |mask, set, clear| Recipe::Blend { mask, set, clear };
    assert_eq!(problem(blend(bit, number, number), Type::I32), []);
    assert_eq!(problem(Recipe::AnyLane { bits: bit }, Type::I1), []);
    for (kind, ty) in [
        (blend(number, number, number), Type::I32),
        (blend(bit, bit, number), Type::I32),
        (Recipe::AnyLane { bits: number }, Type::I1),
        (Recipe::IsCase { switch: inst(), value: number, case: bit }, Type::I1),
    ] {
        let problems = problem(kind.clone(), ty);
        assert!(matches!(problems[..], [Problem::Type(_)]), "{kind:?}: {problems:?}");
    }
}

/// Some instruction of the function.
fn inst() -> backedge_ir::entity::Inst {
    let module = module();
    let (_, body) = module.bodies().next().expect("a function");
    body.all_insts().next().expect("an instruction")
}
