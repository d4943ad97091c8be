//! The observer interface. An inactive observer costs nothing.

use crate::memory::Memory;
use crate::value::Val;
use backedge_ir::entity::{Block, FuncId, Inst};

/// A function that starts to run.
#[derive(Copy, Clone, Debug)]
pub struct Entry<'a> {
    /// The function.
    pub func: FuncId,
    /// The caller's instruction; `None` for the outermost function.
    pub call: Option<Inst>,
    /// Whether it replaces its caller, which made a `musttail` call; the caller was then at this depth.
    pub replaces: bool,
    /// Number of enclosing calls.
    pub depth: usize,
    /// Its arguments, after its parameters' attributes were applied.
    pub args: &'a [Val],
    /// Memory on entry.
    pub memory: &'a Memory,
}

/// An executed step.
#[derive(Copy, Clone, Debug)]
pub struct Done<'a> {
    /// The function.
    pub func: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// Number of enclosing calls.
    pub depth: usize,
    /// Its result, if it has one.
    pub value: Option<&'a Val>,
    /// Memory after the step.
    pub memory: &'a Memory,
    /// Number of events so far, including those of this step.
    pub events: usize,
}

/// Receives the steps of a run.
pub trait Observer {
    /// Whether it wants to receive steps.
    const ACTIVE: bool = true;
    /// A function starts in its entry block.
    fn call(&mut self, _entry: Entry<'_>) {}
    /// Control takes an edge to `block`. The phis of the block follow as steps.
    fn enter(&mut self, func: FuncId, block: Block, depth: usize);
    /// An instruction was executed without UB. For a call of a function of the module, the callee's steps come first.
    /// An instruction whose result is checked afterwards (metadata, fast-math flags of a phi) is reported twice in
    /// the same visit of its block, the second time with the checked result.
    fn step(&mut self, done: Done<'_>);
}

/// The inactive observer.
#[derive(Copy, Clone, Default, Debug)]
pub struct NoObserver;

impl Observer for NoObserver {
    const ACTIVE: bool = false;
    fn enter(&mut self, _: FuncId, _: Block, _: usize) {}
    fn step(&mut self, _: Done<'_>) {}
}
