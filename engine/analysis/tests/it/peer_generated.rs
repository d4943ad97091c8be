//! Compares the loops of generated graphs, with irreducible cycles and unreachable blocks, to LLVM 22's `opt`.

use crate::common::module::module_of;
use backedge_analysis::print::module_loops_to_string;
use backedge_ir::print::module_to_string;
use backedge_testkit::{Graph, graphs, peer};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

#[test]
fn loops_of_generated_graphs() {
    let Some(opt) = peer("opt", "loops of generated graphs as LLVM sees them") else { return };
    let mut runner = TestRunner::deterministic();
    for max in [6, 9, 14, 30, 60] {
        let strategy = graphs(2..=max);
        let mut one = || -> Graph { strategy.new_tree(&mut runner).expect("a graph").current() };
        let module = module_of(&std::iter::repeat_with(&mut one).take(1000).collect::<Vec<_>>());
        let text = module_to_string(&module);
        let answer = opt.run(&["-passes=print<loops>", "-disable-output"], text.as_bytes());
        assert!(answer.ok(), "{}", answer.stderr);
        let ours = module_loops_to_string(&module);
        assert!(ours.matches("Loop at depth").count() > 200, "the graphs have loops");
        for (ours, theirs) in ours.split("Loop info ").zip(answer.stderr.split("Loop info ")) {
            assert_eq!(ours, theirs);
        }
        assert_eq!(ours.len(), answer.stderr.len());
    }
}
