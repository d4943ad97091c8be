//! What passes remember from loop to loop is what would be found out anew: after each pass on each loop or function of the
//! corpus, all results that were there before it, and were updated to what it left, are compared with fresh ones.

use backedge_analysis::conditions::Conditions;
use backedge_analysis::must_execute::{Executions, Stops};
use backedge_analysis::order::Order;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_pipeline::parse_pipeline;
use backedge_pipeline::pass::{FunctionStep, ModuleStep};
use backedge_testkit::corpus_files;
use backedge_transform::lcssa::Lcssa;
use backedge_transform::pass::{FunctionPass, Memory, Unit};
use backedge_transform::simplify::LoopSimplify;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Asks all that can be updated, so that it is there.
fn ask(unit: &mut Unit<'_>) {
    let shape = unit.shape();
    let at = unit.at();
    let executions = at.get::<Executions>();
    at.get::<Conditions>();
    at.get::<Order>();
    at.get::<Stops>();
    for region in shape.loops.ids().map(Some).chain([None]) {
        executions.of(at, region);
    }
}

/// Counts the edits that were checked.
struct Checked<'a> {
    path: &'a Path,
    edits: usize,
}

impl Checked<'_> {
    fn step(&mut self, unit: &mut Unit<'_>, pass: &str, act: impl FnOnce(&mut Unit<'_>)) {
        ask(unit);
        let before = unit.body().body_epoch();
        act(unit);
        self.edits += usize::from(unit.body().body_epoch() != before);
        let verified = unit.verify_analyses();
        let name = &unit.env().funcs[unit.func].name;
        assert!(verified.is_ok(), "{} @{name} after {pass}: {verified:?}", self.path.display());
    }
    fn run(&mut self, module: &mut Module, func: FuncId, steps: &[FunctionStep]) {
        let Some((env, body)) = module.body_mut(func) else { return };
        let mut unit = Unit::with_memory(env, body, func, Memory::of(func));
        for step in steps {
            match step {
                FunctionStep::Pass(pass) => self.step(&mut unit, &pass.text(), |unit| pass.run(unit)),
                FunctionStep::Loops(loops) => {
                    self.step(&mut unit, "loop-simplify", |unit| LoopSimplify.run(unit));
                    self.step(&mut unit, "lcssa", |unit| Lcssa.run(unit));
                    let shape = unit.shape();
                    for l in shape.loops.in_pass_order() {
                        let mut at = Some(shape.loops.header(l));
                        for pass in &loops.passes {
                            let Some(header) = at else { break };
                            self.step(&mut unit, &pass.text(), |unit| at = pass.run(unit, header));
                        }
                    }
                }
                FunctionStep::Verify | FunctionStep::Print => {}
            }
        }
    }
}

#[test]
fn what_is_updated_is_as_if_it_were_found_anew() {
    let pipeline = parse_pipeline("default<O3>").expect("a pipeline");
    let edits = AtomicUsize::new(0);
    corpus_files().par_iter().for_each(|path| {
        let text = std::fs::read(path).expect("a file of the corpus");
        let Ok(parsed) = parse_module(&text) else { return };
        let mut module = parsed.module;
        let mut checked = Checked { path, edits: 0 };
        let funcs: Vec<FuncId> = module.bodies().map(|(func, _)| func).collect();
        for step in &pipeline.steps {
            if let ModuleStep::Functions(steps) = step {
                funcs.iter().for_each(|func| checked.run(&mut module, *func, steps));
            }
        }
        edits.fetch_add(checked.edits, Ordering::Relaxed);
    });
    let edits = edits.into_inner();
    println!("{edits} edits checked");
    assert!(edits > 1000, "{edits} edits are too few to say anything");
}
