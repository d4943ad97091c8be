//! The cache: recomputed results, reused results, results handed over by a pass, and detection of wrong hand-overs.

use crate::common::{block, body_of};
use backedge_analysis::cache::{Analysis, At, Depends, DominanceFrontiers, IrreducibleCycles};
use backedge_analysis::{Analyses, Cfg, Dominators, LoopForest, PostDominators};
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::inst::{InstData, InstKind};
use backedge_ir::module::Env;
use backedge_ir::types::Type;

/// The number of instructions in the body: a result that depends on the whole body.
#[derive(PartialEq, Debug)]
struct Count(usize);

impl Analysis for Count {
    const NAME: &'static str = "count";
    const DEPENDS: Depends = Depends::Body;
    fn compute(at: At<'_>) -> Self {
        Self(at.body.all_insts().count())
    }
    fn same_as(&self, other: &Self, _: At<'_>) -> bool {
        self == other
    }
}

fn body() -> Body {
    body_of(&vec![vec![1], vec![1, 2], vec![]])
}

/// An edit that does not change the graph.
fn add_inst(body: &mut Body) {
    let data = InstData::new(
        InstKind::Freeze,
        Type::I32,
        [backedge_ir::inst::Value::Arg(body.args().last().expect("an argument"))],
        [],
    );
    Editor::new(body).insert(Position::BeforeTerminator(block(2)), data);
}

/// An edit that removes the loop.
fn cut_backedge(body: &mut Body) {
    let data = InstData::new(InstKind::Br, Type::VOID, [], [block(2)]);
    Editor::new(body).set_terminator(block(1), data);
}

#[test]
fn results_follow_the_body() {
    let (env, mut body, analyses) = (Env::default(), body(), Analyses::new());
    let first: *const LoopForest = &*analyses.at(&env, &body).loops();
    assert_eq!(analyses.at(&env, &body).loops().len(), 1);
    assert_eq!(*analyses.at(&env, &body).get::<Count>(), Count(3));

    add_inst(&mut body);
    let at = analyses.at(&env, &body);
    assert!(std::ptr::eq(first, &*at.loops()), "the graph is the same, so the loops are not computed again");
    assert_eq!(*at.get::<Count>(), Count(4));

    cut_backedge(&mut body);
    let at = analyses.at(&env, &body);
    assert_eq!(at.loops().len(), 0);
    assert_eq!(at.cfg().succs(block(1)), [block(2)]);
    assert_eq!(at.post_dominators().ipdom(block(0)), Some(block(1)));
    assert_eq!(analyses.verify(&env, &body), Ok(()));
}

#[test]
fn a_result_that_is_handed_over_is_the_one_that_is_read() {
    let (env, mut body, mut analyses) = (Env::default(), body(), Analyses::new());
    assert_eq!(*analyses.at(&env, &body).get::<Count>(), Count(3));
    add_inst(&mut body);
    analyses.hand_over(&body, Count(4));
    assert_eq!(analyses.verify(&env, &body), Ok(()));
    assert_eq!(*analyses.at(&env, &body).get::<Count>(), Count(4));
    // The cache serves a wrong result too; only verification detects it.
    analyses.hand_over(&body, Count(5));
    assert_eq!(*analyses.at(&env, &body).get::<Count>(), Count(5));
    assert_eq!(analyses.verify(&env, &body).map_err(|w| w.0), Err(vec!["count"]));
    // After the next edit the cache discards it.
    add_inst(&mut body);
    assert_eq!(analyses.verify(&env, &body), Ok(()));
    assert_eq!(*analyses.at(&env, &body).get::<Count>(), Count(5));
    assert_eq!(analyses.verify(&env, &body), Ok(()));
}

#[test]
fn every_result_that_was_not_kept_up_to_date_is_named() {
    let (env, mut body, mut analyses) = (Env::default(), body(), Analyses::new());
    let old = body.clone();
    cut_backedge(&mut body);
    let fresh = Analyses::new();
    let at = fresh.at(&env, &old);
    let (cfg, dominators, loops) = (at.cfg(), at.dominators(), at.loops());
    analyses.hand_over::<Cfg>(&body, (*cfg).clone());
    analyses.hand_over::<LoopForest>(&body, (*loops).clone());
    // Results that the edit does not affect.
    analyses.hand_over::<Dominators>(&body, (*dominators).clone());
    analyses.hand_over(&body, (*at.get::<PostDominators>()).clone());
    analyses.hand_over(&body, (*at.get::<IrreducibleCycles>()).clone());
    // The frontier of the loop has lost the loop's header.
    analyses.hand_over(&body, (*at.get::<DominanceFrontiers>()).clone());
    let wrong = analyses.verify(&env, &body).map_err(|w| w.to_string());
    let message = "not kept up to date: control-flow graph, dominance frontiers, loops";
    assert_eq!(wrong, Err(message.to_owned()));
}
