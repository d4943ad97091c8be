//! Passes without effect on the IR: they print or do nothing.

use backedge_analysis::print::{loops_to_string, must_execute_to_string};
use backedge_claim::text::PrintOptions;
use backedge_ir::entity::Block;
use backedge_scev::print::scev_to_string;
use backedge_transform::pass::{FunctionPass, LoopPass, Unit};

/// `no-op-function`.
#[derive(Copy, Clone, Debug)]
pub struct NoOpFunction;

impl FunctionPass for NoOpFunction {
    fn text(&self) -> String {
        "no-op-function".to_owned()
    }
    fn run(&self, _: &mut Unit<'_>) {}
}

/// `no-op-loop`: does nothing itself, but as a loop pass it requires loops in canonical form.
#[derive(Copy, Clone, Debug)]
pub struct NoOpLoop;

impl LoopPass for NoOpLoop {
    fn text(&self) -> String {
        "no-op-loop".to_owned()
    }
    fn run(&self, _: &mut Unit<'_>, header: Block) -> Option<Block> {
        Some(header)
    }
}

/// `print<loops>`: prints the loop tree like the LLVM pass of that name.
#[derive(Copy, Clone, Debug)]
pub struct PrintLoops;

impl FunctionPass for PrintLoops {
    fn text(&self) -> String {
        "print<loops>".to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        let text = loops_to_string(unit.env(), unit.func, unit.body());
        unit.print(&text);
    }
}

/// `print<scalar-evolution>`: prints the claims on the function like the LLVM pass of that name.
#[derive(Copy, Clone, Debug)]
pub struct PrintScalarEvolution;

impl FunctionPass for PrintScalarEvolution {
    fn text(&self) -> String {
        "print<scalar-evolution>".to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        let text = scev_to_string(unit.env(), unit.func, unit.body(), PrintOptions::default());
        unit.print(&text);
    }
}

/// `print-mustexecute`: prints the function with notes on instructions that each iteration of a loop executes, like the
/// notes of the LLVM pass of that name.
#[derive(Copy, Clone, Debug)]
pub struct PrintMustExecute;

impl FunctionPass for PrintMustExecute {
    fn text(&self) -> String {
        "print-mustexecute".to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        let text = must_execute_to_string(unit.env(), unit.func, unit.body());
        unit.print(&text);
    }
}
