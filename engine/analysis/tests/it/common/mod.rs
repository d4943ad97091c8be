//! Bodies built from plain graphs, and graphs for tests of definitions.

#![allow(dead_code, reason = "each test program uses a part")]

pub(crate) mod judge;
pub(crate) mod module;
pub(crate) mod runs;
pub(crate) mod said;

use backedge_analysis::{Cfg, Dominators, LoopForest};
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntityId};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use backedge_testkit::Graph;

/// A body with this graph; block `i` is node `i`.
pub(crate) fn body_of(graph: &Graph) -> Body {
    let mut body = Body::default();
    let mut editor = Editor::new(&mut body);
    let condition: Value = editor.add_arg(Type::I1, Some("c")).into();
    let number: Value = editor.add_arg(Type::I32, Some("n")).into();
    let blocks: Vec<Block> = graph.iter().map(|_| editor.add_block(None)).collect();
    for (i, succs) in graph.iter().enumerate() {
        let targets: Vec<Block> = succs.iter().map(|s| blocks[*s]).collect();
        let (kind, operands) = match succs.len() {
            0 => (InstKind::Ret, vec![]),
            1 => (InstKind::Br, vec![]),
            2 => (InstKind::CondBr, vec![condition]),
            n => {
                let cases = (1..n).map(|k| editor.int(Int::new(32, k as u128)));
                let mut operands = vec![number];
                operands.extend(cases);
                (InstKind::Switch, operands)
            }
        };
        editor.insert(Position::End(blocks[i]), InstData::new(kind, Type::VOID, operands, targets));
    }
    body
}

pub(crate) fn block(node: usize) -> Block {
    Block::from_index(node)
}

/// The graph, dominators and loops of a body.
pub(crate) fn analyse(body: &Body) -> (Cfg, Dominators, LoopForest) {
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let loops = LoopForest::new(&cfg, &dominators);
    (cfg, dominators, loops)
}

/// Sets of nodes as bits, for graphs of up to 16 nodes.
pub(crate) type Nodes = u32;

/// The nodes on paths from `from` that avoid `without`.
pub(crate) fn reach(graph: &Graph, from: usize, without: Nodes) -> Nodes {
    let mut seen: Nodes = 0;
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if (without | seen) >> node & 1 == 0 {
            seen |= 1 << node;
            work.extend(&graph[node]);
        }
    }
    seen
}

/// Whether `a` dominates `b`, by definition: without `a`, `b` is unreachable. Both must be reachable.
pub(crate) fn dominates(graph: &Graph, a: usize, b: usize) -> bool {
    a == b || reach(graph, 0, 1 << a) >> b & 1 == 0
}

pub(crate) fn members(nodes: Nodes) -> impl Iterator<Item = usize> {
    (0..32).filter(move |i| nodes >> i & 1 != 0)
}

/// Whether every node of `set` reaches every node of `set` by a path of at least one edge inside `set`.
pub(crate) fn strongly_connected(graph: &Graph, set: Nodes) -> bool {
    members(set).all(|from| {
        let next = graph[from].iter().filter(|s| set >> **s & 1 != 0);
        next.fold(0, |all, s| all | reach(graph, *s, !set)) == set
    })
}

pub(crate) fn nodes_of(blocks: &[Block]) -> Nodes {
    blocks.iter().fold(0, |set, b| set | 1 << b.index())
}
