//! Updated graphs, dominators and loops equal recomputed ones: on graphs of sequential and nested loops with branches
//! and exits, whose edges are changed at random, in one place or anywhere.

use crate::common::{analyse, body_of};
use backedge_analysis::{Analyses, Cfg, Dominators, LoopForest};
use backedge_ir::body::Body;
use backedge_ir::cfg::region::Change;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Block;
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use backedge_testkit::{Dice, Graph, seeds};

/// Adds statements after node `at`, nested at most `depth` deep. Returns the last node.
fn statements(graph: &mut Graph, dice: &mut Dice, mut at: usize, depth: usize, outer: &[usize]) -> usize {
    for _ in 0..1 + dice.below(4) {
        let node = |graph: &mut Graph| {
            graph.push(Vec::new());
            graph.len() - 1
        };
        match dice.below(8) {
            // A loop that exits at its header or at its latch.
            0..=2 if depth > 0 => {
                let (head, exit) = (node(graph), node(graph));
                graph[at].push(head);
                let latch = statements(graph, dice, head, depth - 1, &[head, exit]);
                graph[latch].push(head);
                if dice.chance(50) || graph[head].len() > 1 {
                    graph[latch].push(exit)
                } else {
                    graph[head].push(exit)
                }
                at = exit;
            }
            3..=4 if depth > 0 => {
                let (yes, no, end) = (node(graph), node(graph), node(graph));
                graph[at].extend([yes, no]);
                let first = statements(graph, dice, yes, depth - 1, outer);
                graph[first].push(end);
                let second = statements(graph, dice, no, depth - 1, outer);
                if !dice.chance(15) {
                    graph[second].push(end);
                }
                at = end;
            }
            // Continue with the next iteration, or exit.
            5 if !outer.is_empty() => {
                let (next, to) = (node(graph), dice.pick(outer));
                graph[at].extend([next, to]);
                at = next;
            }
            _ => {
                let next = node(graph);
                graph[at].push(next);
                at = next;
            }
        }
    }
    at
}

/// Applies one random edit to the graph of `body`.
fn edit(body: &mut Body, dice: &mut Dice) {
    let blocks: Vec<Block> = body.blocks().collect();
    let index = dice.below(blocks.len());
    let block = blocks[index];
    let near = |dice: &mut Dice| {
        let reach = if dice.chance(80) { 4 } else { blocks.len() };
        let to = (index + dice.below(2 * reach + 1)).saturating_sub(reach).min(blocks.len() - 1);
        // The entry has no predecessors.
        blocks[to.max(1)]
    };
    let preds = blocks.iter().any(|b| body.successors(*b).contains(&block));
    let Some(terminator) = body.terminator(block) else { return };
    let successors = body.successors(block).to_vec();
    match dice.below(6) {
        0 if !successors.is_empty() => {
            let to = near(dice);
            Editor::new(body).set_successor(terminator, dice.below(successors.len()), to);
        }
        // Split an edge with a new block.
        1 | 2 if !successors.is_empty() => {
            let nth = dice.below(successors.len());
            let mut editor = Editor::new(body);
            let new = editor.add_block_after(block, None);
            editor.insert(Position::End(new), InstData::new(InstKind::Br, Type::VOID, [], [successors[nth]]));
            editor.set_successor(terminator, nth, new);
        }
        3 => {
            let condition = Value::Arg(body.args().next().expect("an argument"));
            let (one, other) = (near(dice), near(dice));
            let data = InstData::new(InstKind::CondBr, Type::VOID, [condition], [one, other]);
            Editor::new(body).set_terminator(block, data);
        }
        4 if !successors.is_empty() => {
            let data = InstData::new(InstKind::Br, Type::VOID, [], [dice.pick(&successors)]);
            Editor::new(body).set_terminator(block, data);
        }
        _ if index > 0 && !preds => Editor::new(body).remove_block(block),
        _ if index > 0 => Editor::new(body).move_block_after(block, near(dice)),
        _ => {}
    }
}

#[test]
fn updates_equal_recomputation() {
    let (mut within, mut small, mut whole) = (0, 0, 0);
    for seed in seeds(400) {
        let mut dice = Dice::new(seed);
        let mut graph: Graph = vec![Vec::new()];
        for _ in 0..1 + dice.below(6) {
            let at = graph.len() - 1;
            let end = statements(&mut graph, &mut dice, at, 3, &[]);
            graph.push(Vec::new());
            let last = graph.len() - 1;
            graph[end].push(last);
        }
        let mut body = body_of(&graph);
        let (mut cfg, mut dominators, mut loops) = analyse(&body);
        for _ in 0..12 {
            let epoch = body.body_epoch();
            (0..1 + dice.below(3)).for_each(|_| edit(&mut body, &mut dice));
            let (updated, change) = cfg.updated(&body, epoch, &dominators, |b| loops.depth_of_block(b));
            cfg = updated;
            match change {
                Change::Nothing => {}
                Change::Within(region) => {
                    within += 1;
                    small += u32::from(region.blocks().count() * 4 < cfg.rpo().len());
                    dominators = dominators.updated(&cfg, &region);
                    loops = loops.updated(&cfg, &dominators, &region);
                }
                Change::Whole => {
                    whole += 1;
                    dominators = Dominators::new(&body, &cfg);
                    loops = LoopForest::new(&cfg, &dominators);
                }
            }
            let (env, mut analyses) = (Env::default(), Analyses::new());
            analyses.hand_over::<Cfg>(&body, cfg.clone());
            analyses.hand_over::<Dominators>(&body, dominators.clone());
            analyses.hand_over::<LoopForest>(&body, loops.clone());
            let right = analyses.verify(&env, &body);
            assert!(right.is_ok(), "seed {seed}: {right:?}");
        }
    }
    println!("{within} changes within regions, {small} of them small; {whole} of everything");
    assert!(small > 300 && whole > 300, "{small} {within} {whole}");
}
