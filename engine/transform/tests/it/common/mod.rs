//! Random functions, and an interpreter that runs them, to test the guarantees of passes.

pub(crate) mod machine;

use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::Use;
use backedge_ir::module::{Env, Module};
use backedge_testkit::generate::{TRACE, graph_function};
use backedge_testkit::{Graph, module};
use backedge_transform::lcssa::Lcssa;
use backedge_transform::pass::{FunctionPass, LoopPass, Shape, Unit};
use backedge_transform::remark::Remark;
use backedge_transform::rotate::LoopRotate;
use backedge_transform::simplify::LoopSimplify;

/// A module with `@trace` and one random function per graph, called `f0`, `f1`, ….
pub(crate) fn module_of(graphs: &[(Graph, u64)]) -> Module {
    let function =
        |(i, (graph, seed)): (usize, &(Graph, u64))| graph_function(&format!("f{i}"), graph, *seed);
    let functions: String = graphs.iter().enumerate().map(function).collect();
    let text = format!("{TRACE}{functions}");
    module(&text)
}

/// Runs a function pass; returns its remarks.
pub(crate) fn run_pass(env: &mut Env, func: FuncId, body: &mut Body, pass: &dyn FunctionPass) -> Vec<Remark> {
    let mut unit = Unit::new(env, func, body);
    pass.run(&mut unit);
    unit.take_remarks()
}

/// Runs a loop pass on all loops, inner ones first; returns its remarks.
pub(crate) fn run_loop_pass(
    env: &mut Env,
    func: FuncId,
    body: &mut Body,
    pass: &dyn LoopPass,
) -> Vec<Remark> {
    let mut unit = Unit::new(env, func, body);
    let shape = unit.shape();
    for l in shape.loops.in_pass_order() {
        pass.run(&mut unit, shape.loops.header(l));
    }
    unit.take_remarks()
}

/// `loop-simplify,lcssa,loop-rotate` on every function; returns the remarks of `loop-rotate`.
pub(crate) fn canonicalize(module: &mut Module) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let funcs: Vec<FuncId> = module.bodies().map(|(f, _)| f).collect();
    for func in funcs {
        let (env, body) = module.body_mut(func).expect("a body");
        run_pass(env, func, body, &LoopSimplify);
        run_pass(env, func, body, &Lcssa);
        remarks.extend(run_loop_pass(env, func, body, &LoopRotate::default()));
    }
    remarks
}

/// Checks SSA form by its definition: one phi entry per edge, operands that dominate their uses, terminators.
pub(crate) fn check_ssa(body: &Body) -> Result<(), String> {
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    for block in body.blocks() {
        if body.terminator(block).is_none() {
            return Err(format!("{block:?} has no terminator"));
        }
        let mut preds: Vec<Block> = cfg.preds(block).to_vec();
        preds.sort_unstable();
        for (at, &inst) in body.insts(block).iter().enumerate() {
            let data = body.inst(inst);
            if data.kind.is_terminator() && at + 1 != body.insts(block).len() {
                return Err(format!("{inst:?} ends {block:?} in its middle"));
            }
            if data.kind.is_phi() {
                let mut from = data.blocks.to_vec();
                from.sort_unstable();
                if from != preds {
                    return Err(format!("{inst:?} in {block:?}: entries {from:?}, predecessors {preds:?}"));
                }
                if body.insts(block)[..at].iter().any(|i| !body.inst(*i).kind.is_phi()) {
                    return Err(format!("{inst:?} follows non-phi instructions in {block:?}"));
                }
            }
            for (index, &value) in data.operands.iter().enumerate() {
                let use_ = Use { user: inst, index: index as u32 };
                if !dominators.dominates_use(body, value, use_) {
                    return Err(format!("operand {index} of {inst:?} in {block:?} is not defined there"));
                }
            }
        }
    }
    Ok(())
}

/// The headers of loops that are not in loop simplify form.
pub(crate) fn not_simplified(body: &Body) -> Vec<Block> {
    let shape = Shape::new(body);
    let bad = |l: &_| !shape.loops.has_loop_simplify_form(&shape.cfg, *l);
    shape.loops.ids().filter(bad).map(|l| shape.loops.header(l)).collect()
}

/// The headers of loops that are not in LCSSA form.
pub(crate) fn not_closed(body: &Body) -> Vec<Block> {
    let shape = Shape::new(body);
    shape.loops.ids().filter(|l| !shape.is_lcssa(body, *l)).map(|l| shape.loops.header(l)).collect()
}

/// The headers of loops that are not rotated though their header ends in a conditional branch out of the loop.
pub(crate) fn not_rotated(body: &Body) -> Vec<Block> {
    let shape = Shape::new(body);
    let (cfg, loops) = (&shape.cfg, &shape.loops);
    let two_ways = |b: Block| cfg.succs(b).len() == 2;
    let bad = |l: &_| {
        let header = loops.header(*l);
        !loops.is_rotated(cfg, *l) && loops.is_exiting(cfg, *l, header) && two_ways(header)
    };
    loops.ids().filter(bad).map(|l| loops.header(l)).collect()
}
