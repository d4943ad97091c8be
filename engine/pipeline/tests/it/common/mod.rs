//! Runs a pipeline over a module pass by pass and loop by loop, and inspects the analyses before and after each step.

use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_pipeline::Pipeline;
use backedge_pipeline::pass::{FunctionStep, ModuleStep};
use backedge_transform::lcssa::Lcssa;
use backedge_transform::pass::{FunctionPass, Memory, Unit};
use backedge_transform::simplify::LoopSimplify;

/// Observes each pass on each function or loop. The observer must call `act` to run the pass.
pub(crate) trait Watch {
    /// Called for each step; calling `act` runs `pass` on `unit`.
    fn step(&mut self, unit: &mut Unit<'_>, pass: &str, act: impl FnOnce(&mut Unit<'_>));
}

/// Runs the function passes of `pipeline` over all functions of `module`.
pub(crate) fn watch(module: &mut Module, pipeline: &Pipeline, watcher: &mut impl Watch) {
    let funcs: Vec<FuncId> = module.bodies().map(|(func, _)| func).collect();
    for step in &pipeline.steps {
        if let ModuleStep::Functions(steps) = step {
            funcs.iter().for_each(|func| watch_function(module, *func, steps, watcher));
        }
    }
}

fn watch_function(module: &mut Module, func: FuncId, steps: &[FunctionStep], watcher: &mut impl Watch) {
    let Some((env, body)) = module.body_mut(func) else { return };
    let mut unit = Unit::with_memory(env, body, func, Memory::of(func));
    for step in steps {
        match step {
            FunctionStep::Pass(pass) => watcher.step(&mut unit, &pass.text(), |unit| pass.run(unit)),
            FunctionStep::Loops(loops) => {
                watcher.step(&mut unit, "loop-simplify", |unit| LoopSimplify.run(unit));
                watcher.step(&mut unit, "lcssa", |unit| Lcssa.run(unit));
                let shape = unit.shape();
                for l in shape.loops.in_pass_order() {
                    let mut at = Some(shape.loops.header(l));
                    for pass in &loops.passes {
                        let Some(header) = at else { break };
                        watcher.step(&mut unit, &pass.text(), |unit| at = pass.run(unit, header));
                    }
                }
            }
            FunctionStep::Verify | FunctionStep::Print => {}
        }
    }
}
