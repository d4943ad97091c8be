//! Watching a run: an observer is told each step; one that keeps them renders a trace. Watching costs nothing where
//! the observer says that it is not active.

use crate::memory::Memory;
use crate::text;
use crate::value::Val;
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::module::Module;

/// A function that starts to run.
#[derive(Copy, Clone, Debug)]
pub struct Entry<'a> {
    /// The function.
    pub func: FuncId,
    /// The caller's instruction; `None` for the outermost function.
    pub call: Option<Inst>,
    /// The calls that it stands in.
    pub depth: usize,
    /// Its arguments, with what its parameters say of them taken into account.
    pub args: &'a [Val],
    /// Memory as it is.
    pub memory: &'a Memory,
}

/// Is told what a run does.
pub trait Observer {
    /// Whether it wants to be told at all.
    const ACTIVE: bool = true;
    /// A function starts to run in its entry block.
    fn call(&mut self, _entry: Entry<'_>) {}
    /// Memory and the number of events behind the operation whose step follows; phis come without.
    fn look(&mut self, _memory: &Memory, _events: usize) {}
    /// Control goes over an edge to `block`. The phis of the block follow as steps.
    fn enter(&mut self, func: FuncId, block: Block, depth: usize);
    /// `inst` was executed without undefined behaviour and has that result, if it has one; `depth` counts the calls
    /// that it stands in. Of calls to functions of the module the steps inside come first.
    fn step(&mut self, func: FuncId, inst: Inst, depth: usize, value: Option<&Val>);
}

/// Does not want to be told anything.
#[derive(Copy, Clone, Default, Debug)]
pub struct NoObserver;

impl Observer for NoObserver {
    const ACTIVE: bool = false;
    fn enter(&mut self, _: FuncId, _: Block, _: usize) {}
    fn step(&mut self, _: FuncId, _: Inst, _: usize, _: Option<&Val>) {}
}

/// One entry of a trace.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Control went to a block.
    Enter {
        /// The function.
        func: FuncId,
        /// The block.
        block: Block,
        /// Depth of calls.
        depth: usize,
    },
    /// An instruction was executed.
    Inst {
        /// The function.
        func: FuncId,
        /// The instruction.
        inst: Inst,
        /// Depth of calls.
        depth: usize,
        /// Its result.
        value: Option<Val>,
    },
}

/// Keeps the first steps of a run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The steps in order.
    pub steps: Vec<Step>,
    /// How many steps there were beyond those kept.
    pub dropped: u64,
    limit: usize,
}

impl Trace {
    /// Keeps at most `limit` steps.
    pub fn new(limit: usize) -> Self {
        Self { steps: Vec::new(), dropped: 0, limit }
    }
    fn push(&mut self, step: Step) {
        if self.steps.len() < self.limit {
            self.steps.push(step);
        } else {
            self.dropped += 1;
        }
    }
    /// The trace as text, one line per step: block labels, and results with their types.
    pub fn render(&self, module: &Module) -> String {
        let mut out = String::new();
        for step in &self.steps {
            render_step(&mut out, module, step);
        }
        if self.dropped > 0 {
            out.push_str(&format!("… {} more steps\n", self.dropped));
        }
        out
    }
}

impl Observer for Trace {
    fn enter(&mut self, func: FuncId, block: Block, depth: usize) {
        self.push(Step::Enter { func, block, depth });
    }
    fn step(&mut self, func: FuncId, inst: Inst, depth: usize, value: Option<&Val>) {
        self.push(Step::Inst { func, inst, depth, value: value.cloned() });
    }
}

fn render_step(out: &mut String, module: &Module, step: &Step) {
    use std::fmt::Write as _;
    let (func, depth) = match step {
        Step::Enter { func, depth, .. } | Step::Inst { func, depth, .. } => (*func, *depth),
    };
    let indent = "  ".repeat(depth);
    let Some(body) = module.body(func) else { return };
    let slots = body.slots();
    let written = match step {
        Step::Enter { block, .. } => writeln!(out, "{indent}%{}:", slots.block_label(body, *block)),
        Step::Inst { inst, value, .. } => {
            let data = body.inst(*inst);
            let name = body.value_name((*inst).into()).map(str::to_owned);
            let name = name.or_else(|| slots.insts[*inst].map(|n| n.to_string()));
            match (name, value) {
                (Some(name), Some(value)) => {
                    let value = text::typed_value(&module.env, data.ty, value);
                    writeln!(out, "{indent}  %{name} = {} : {value}", data.kind.mnemonic())
                }
                _ => writeln!(out, "{indent}  {}", data.kind.mnemonic()),
            }
        }
    };
    debug_assert!(written.is_ok(), "writing to a string does not fail");
}
