//! Comparison with LLVM 22's `opt` on random functions: it accepts the passes' output, finds it in the guaranteed
//! forms, and finds the same loops as after its own passes.

use crate::common::canonicalize;
use crate::common::module_of;
use crate::common::run_pass;
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use backedge_testkit::{Answer, Peer, graphs, peer};
use backedge_transform::remark::{Done, Outcome};
use backedge_transform::simplify::LoopSimplify;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

fn modules(max: usize, count: usize) -> Module {
    let mut runner = TestRunner::deterministic();
    let strategy = (graphs(3..=max), any::<u64>());
    let one = || strategy.new_tree(&mut runner).expect("a graph").current();
    module_of(&std::iter::repeat_with(one).take(count).collect::<Vec<_>>())
}

fn opt(opt: &Peer, args: &[&str], text: &str) -> Answer {
    let answer = opt.run(args, text.as_bytes());
    assert!(answer.ok(), "opt {args:?}: {}", answer.stderr);
    answer
}

/// The functions of a module printed by `opt`, without comments.
fn functions(text: &str) -> Vec<String> {
    let without = |line: &str| line.split("; preds =").next().unwrap_or_default().trim_end().to_owned();
    let text: Vec<String> = text.lines().filter(|l| !l.starts_with(';')).map(without).collect();
    text.join("\n").split("define ").skip(1).map(str::to_owned).collect()
}

#[test]
fn canonical_forms_as_llvm_sees_them() {
    let Some(peer) = peer("opt", "canonical forms of generated functions as LLVM sees them") else { return };
    let mut total = 0;
    for max in [6, 12, 30] {
        let mut module = modules(max, 400);
        let remarks = canonicalize(&mut module);
        let rotated = remarks.iter().filter(|r| matches!(r.outcome, Outcome::Done(Done::Rotate(_)))).count();
        total += rotated;
        let text = module_to_string(&module);
        let ours = opt(&peer, &["-passes=verify,verify<loops>", "-S"], &text).stdout;
        let closed = opt(&peer, &["-passes=lcssa", "-S"], &text).stdout;
        let all_reachable = module.bodies().map(|(_, b)| b.block_count() == Cfg::new(b).rpo().len());
        for ((ours, closed), all_reachable) in
            functions(&ours).iter().zip(functions(&closed)).zip(all_reachable)
        {
            // For edges from unreachable blocks, LLVM's pass creates phis that its own rule does not require.
            if !all_reachable {
                continue;
            }
            let phis = |text: &str| text.matches(" = phi ").count();
            assert_eq!(phis(ours), phis(&closed), "lcssa makes a phi:\n{ours}\n{closed}");
        }
        // LLVM's pass also folds branches and phis; it must not need to create a block.
        let simplified = opt(&peer, &["-passes=loop-simplify", "-S"], &text).stdout;
        let made = [".preheader", ".loopexit", ".backedge", ".outer"];
        for (ours, theirs) in functions(&ours).iter().zip(functions(&simplified)) {
            for name in made {
                let count =
                    |text: &str| text.lines().filter(|l| l.contains(name) && l.ends_with(':')).count();
                assert!(count(&theirs) <= count(ours), "loop-simplify makes a block:\n{ours}\n{theirs}");
            }
        }
    }
    assert!(total > 100, "only {total} loops were rotated");
}

fn loops(peer: &Peer, passes: &str, text: &str) -> Vec<Vec<String>> {
    let answer = opt(peer, &[passes, "-disable-output"], text);
    let depth = |l: &str| {
        l.trim_start().starts_with("Loop at depth").then(|| l[..l.find("containing").unwrap_or(0)].to_owned())
    };
    answer.stderr.split("Loop info ").skip(1).map(|f| f.lines().filter_map(depth).collect()).collect()
}

#[test]
fn nests_separated_as_llvm_does() {
    let Some(peer) = peer("opt", "loops of generated functions after loop-simplify") else { return };
    let mut module = modules(9, 4000);
    let before = module_to_string(&module);
    let funcs: Vec<FuncId> = module.bodies().map(|(f, _)| f).collect();
    for func in funcs {
        let (env, body) = module.body_mut(func).expect("a body");
        run_pass(env, func, body, &LoopSimplify);
    }
    let theirs = loops(&peer, "-passes=loop-simplify,print<loops>", &before);
    let ours = loops(&peer, "-passes=print<loops>", &module_to_string(&module));
    assert_eq!(ours.len(), theirs.len());
    let differ: Vec<usize> = (0..ours.len()).filter(|i| ours[*i] != theirs[*i]).collect();
    assert_eq!(differ, Vec::<usize>::new(), "functions whose loops differ");
}
