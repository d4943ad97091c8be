//! The loop tree in the format of LLVM 22's `opt -passes='print<loops>'`, byte for byte.
//!
//! The order is LLVM's: top-level loops against reverse post-order of their headers, nested loops in it; blocks in the
//! order of [`LoopForest::blocks`]. Blocks without a name are printed with their number.

use super::{block_names, name_of, raw_name};
use crate::{Cfg, Dominators, LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Env, Module};

/// Appends the loops of `func` with body `body`.
pub fn write_loops(env: &Env, func: FuncId, body: &Body, out: &mut Vec<u8>) {
    out.extend_from_slice(b"Loop info for function '");
    out.extend_from_slice(&raw_name(&env.funcs[func].name));
    out.extend_from_slice(b"':\n");
    let cfg = Cfg::new(body);
    let loops = LoopForest::new(&cfg, &Dominators::new(body, &cfg));
    let names = block_names(env, body);
    // Siblings at top level are printed last to first. Nested loops are printed first to last, so push them in reverse.
    let mut stack: Vec<LoopId> = loops.top_level().to_vec();
    while let Some(l) = stack.pop() {
        write_loop(&Context { env, body, cfg: &cfg, loops: &loops, names: &names }, l, out);
        stack.extend(loops.children(l).iter().rev());
    }
}

struct Context<'a> {
    env: &'a Env,
    body: &'a Body,
    cfg: &'a Cfg,
    loops: &'a LoopForest,
    names: &'a [String],
}

fn write_loop(context: &Context<'_>, l: LoopId, out: &mut Vec<u8>) {
    let Context { env, body, cfg, loops, names } = *context;
    let depth = loops.depth(l);
    out.resize(out.len() + 4 * (depth as usize - 1), b' ');
    if loops.is_annotated_parallel(env, body, cfg, l) {
        out.extend_from_slice(b"Parallel ");
    }
    out.extend_from_slice(format!("Loop at depth {depth} containing: ").as_bytes());
    for (i, &block) in loops.blocks(l).iter().enumerate() {
        let marks = [
            (i > 0, ","),
            (true, name_of(names, block)),
            (i == 0, "<header>"),
            (loops.is_latch(cfg, l, block), "<latch>"),
            (loops.is_exiting(cfg, l, block), "<exiting>"),
        ];
        for (_, text) in marks.iter().filter(|(holds, _)| *holds) {
            out.extend_from_slice(text.as_bytes());
        }
    }
    out.push(b'\n');
}

/// The loops of `func` with body `body`. Function names that are not UTF-8 are printed with replacement characters;
/// [`write_loops`] writes their bytes.
pub fn loops_to_string(env: &Env, func: FuncId, body: &Body) -> String {
    let mut out = Vec::new();
    write_loops(env, func, body, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The loops of all functions of `module` with a modelled body, in order.
pub fn module_loops_to_string(module: &Module) -> String {
    let mut out = Vec::new();
    for (func, body) in module.bodies() {
        write_loops(&module.env, func, body, &mut out);
    }
    String::from_utf8_lossy(&out).into_owned()
}
