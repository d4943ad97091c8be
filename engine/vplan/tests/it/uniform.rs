//! Uniform control flow is left unchanged: a nest in which a loop, a branch or everything is declared uniform.

use crate::common::{body, in_form, module, named, plans};
use backedge_analysis::Analyses;
use backedge_scev::ScalarEvolution;
use backedge_vplan::build::Landing;
use backedge_vplan::legality::{Limits, check};
use backedge_vplan::massage::{Massaging, Massagings, NothingUniform, Uniformity};
use backedge_vplan::plan::{BlockId, Graph, RegionKind, VPlan};
use backedge_vplan::{hierarchy, verify};

/// An inner loop with two exits, followed by a branch after the join of another: `join` is both a join and a branch.
const NEST: &str = "define i32 @f(ptr %p, i32 %n, i1 %a) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner.ph
inner.ph:
  br label %inner
inner:
  %j = phi i32 [ %i, %inner.ph ], [ %j.next, %inner.latch ]
  %at = getelementptr i8, ptr %p, i32 %j
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %found, label %inner.latch
inner.latch:
  %j.next = add i32 %j, 1
  %more = icmp ult i32 %j.next, %n
  br i1 %more, label %inner, label %absent
found:
  br label %join
absent:
  br label %join
join:
  br i1 %a, label %then, label %latch
then:
  store i8 1, ptr %p
  br label %latch
latch:
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %outer, label %exit
exit:
  ret i32 %i.next
}
";

/// Declares the loops with these headers and the branches of these blocks uniform.
struct These {
    loops: &'static [&'static str],
    branches: &'static [&'static str],
}

impl Uniformity for These {
    fn is_uniform_loop(&self, plan: &VPlan, header: BlockId) -> bool {
        self.loops.contains(&&*plan.block(header).label)
    }
    fn is_uniform_branch(&self, plan: &VPlan, block: BlockId) -> bool {
        self.branches.contains(&&*plan.block(block).label)
    }
}

/// The plan of the nest with its regions, massaged where it is not uniform; verified.
fn planned(uniform: &dyn Uniformity) -> VPlan {
    let module = in_form(&module(NEST));
    let func = named(&module);
    let mut plan = plans(&module, func, Landing::default()).remove(0);
    Massagings::ALL.run(&mut plan, uniform);
    assert_eq!(verify::plain(&plan, body(&module, func)), []);
    assert_eq!(verify::massaged(&plan, Massagings::ALL, uniform), []);
    hierarchy::build(&mut plan);
    assert_eq!(verify::hierarchy(&plan), []);
    plan
}

fn labels(plan: &VPlan) -> Vec<&str> {
    plan.blocks().map(|b| &*plan.block(b).label).collect()
}

fn loop_regions(plan: &VPlan) -> Vec<&str> {
    let of_loop = |r| plan.region(r).as_loop().map(|l| &*plan.block(l.header).label);
    plan.regions().filter_map(of_loop).collect()
}

#[test]
fn where_nothing_is_uniform_all_is_massaged() {
    let plan = planned(&NothingUniform);
    assert_eq!(loop_regions(&plan), ["outer", "inner"]);
    for made in ["found.side", "inner.latch1", "inner.exit", "inner.body", "join.split"] {
        assert!(labels(&plan).contains(&made), "{made}: {:?}", labels(&plan));
    }
}

#[test]
fn a_uniform_loop_keeps_its_exits() {
    let plan = planned(&These { loops: &["inner"], branches: &[] });
    assert_eq!(loop_regions(&plan), ["outer"]);
    for made in ["found.side", "inner.exit", "inner.body"] {
        assert!(!labels(&plan).contains(&made), "{made}: {:?}", labels(&plan));
    }
    // The branch after it still has a region; the loop has none.
    assert!(labels(&plan).contains(&"join.split"));
    let others: Vec<&str> = plan
        .regions()
        .filter(|r| plan.region(*r).kind == RegionKind::NonLoop)
        .map(|r| &*plan.block(plan.region(r).entry).label)
        .collect();
    assert_eq!(others, ["join.split"]);
}

#[test]
fn a_uniform_branch_is_not_cut_off() {
    let plan = planned(&These { loops: &[], branches: &["join"] });
    assert!(!labels(&plan).contains(&"join.split"));
    assert_eq!(loop_regions(&plan), ["outer", "inner"]);
}

#[test]
fn where_all_is_uniform_nothing_changes() {
    struct All;
    impl Uniformity for All {
        fn is_uniform_loop(&self, _: &VPlan, _: BlockId) -> bool {
            true
        }
        fn is_uniform_branch(&self, _: &VPlan, _: BlockId) -> bool {
            true
        }
    }
    let module = in_form(&module(NEST));
    let mut plan = plans(&module, named(&module), Landing::default()).remove(0);
    let before = plan.blocks().len();
    for massaging in Massaging::ALL {
        assert!(!massaging.run(&mut plan, &All), "{}", massaging.name());
    }
    assert_eq!(plan.blocks().len(), before);
    assert_eq!(Graph::new(&plan).loops().len(), 2);
}

/// A vectorizable outer loop reports the uniformity of its plan.
#[test]
fn a_nest_of_uniform_lanes_is_not_massaged_for_lanes() {
    let text = "define void @f(ptr noalias %p, ptr noalias %q, i32 %n, i32 %m) {\nentry:\n  br label %outer\nouter:\n  \
        %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]\n  br label %inner\ninner:\n  \
        %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]\n  %odd = trunc i32 %j to i1\n  \
        br i1 %odd, label %then, label %inner.latch\nthen:\n  %at = getelementptr i32, ptr %p, i32 %j\n  \
        %v = load i32, ptr %at\n  br label %inner.latch\ninner.latch:\n  \
        %w = phi i32 [ %v, %then ], [ %i, %inner ]\n  %j.next = add nuw nsw i32 %j, 1\n  \
        %more = icmp ult i32 %j.next, %m\n  br i1 %more, label %inner, label %latch\nlatch:\n  \
        %to = getelementptr i32, ptr %q, i32 %i\n  store i32 %w, ptr %to\n  %i.next = add nuw nsw i32 %i, 1\n  \
        %again = icmp ult i32 %i.next, %n\n  br i1 %again, label %outer, label %exit\nexit:\n  ret void\n}\n";
    let module = in_form(&module(text));
    let func = named(&module);
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(&module.env, body(&module, func)));
    let l = scev.loops().top_level()[0];
    let known = check(&mut scev, l, Limits::default()).expect("it may be vectorized");
    let plan = plans(&module, func, Landing::default()).remove(0);
    let (mut uniform, mut not) = (plan.clone(), plan);
    assert!(!Massaging::NonUniform.run(&mut uniform, &known));
    assert!(Massaging::NonUniform.run(&mut not, &NothingUniform));
    assert_eq!(verify::plain(&uniform, body(&module, func)), []);
}
