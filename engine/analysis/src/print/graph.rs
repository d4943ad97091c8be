//! The control-flow graph as plain text: the edges of each block and its position in the trees.

use super::{block_names, name_of};
use crate::irreducible;
use crate::{Cfg, Dominators, LoopForest, PostDominators};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::module::Env;
use std::fmt::Write;

/// The graph of `func` with body `body`: one paragraph per block in order of the text, then the irreducible cycles.
///
/// ```text
/// CFG of function 'f':
/// %loop:
///   preds: %entry, %loop
///   succs: %loop, %exit
///   idom: %entry, ipdom: %exit
///   loop: %loop, depth 1, header, latch, exiting
/// ```
pub fn cfg_to_string(env: &Env, func: FuncId, body: &Body) -> String {
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let post = PostDominators::new(&cfg);
    let loops = LoopForest::new(&cfg, &dominators);
    let names = block_names(env, body);
    let name = |b: Block| name_of(&names, b);
    let list = |blocks: &[Block]| match blocks {
        [] => "none".to_owned(),
        _ => blocks.iter().map(|b| name(*b)).collect::<Vec<_>>().join(", "),
    };
    let mut out = format!("CFG of function '{}':\n", env.funcs[func].name);
    for block in body.blocks() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{}:", name(block));
        let _ = writeln!(out, "  preds: {}\n  succs: {}", list(cfg.preds(block)), list(cfg.succs(block)));
        if !cfg.is_reachable(block) {
            out.push_str("  unreachable\n");
            continue;
        }
        let idom = dominators.idom(block).map_or("none", name);
        let ipdom = post.ipdom(block).map_or("exit", name);
        let _ = writeln!(out, "  idom: {idom}, ipdom: {ipdom}");
        if let Some(l) = loops.innermost(block) {
            let _ = write!(out, "  loop: {}, depth {}", name(loops.header(l)), loops.depth(l));
            let marks = [
                (loops.header(l) == block, ", header"),
                (loops.is_latch(&cfg, l, block), ", latch"),
                (loops.is_exiting(&cfg, l, block), ", exiting"),
            ];
            out.extend(marks.iter().filter(|(holds, _)| *holds).map(|(_, text)| *text));
            out.push('\n');
        }
    }
    for cycle in irreducible::cycles(&cfg, &loops) {
        let _ = writeln!(out, "irreducible cycle: {}", list(&cycle.blocks));
        let _ = writeln!(out, "  entries: {}", list(&cycle.entries));
    }
    out
}
