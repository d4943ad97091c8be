//! Being told what a run does. Watching costs nothing where the observer says that it is not active.

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
    /// Whether it takes the place of its caller, which made a `musttail` call: then the caller stood at this depth.
    pub replaces: bool,
    /// The calls that it stands in.
    pub depth: usize,
    /// Its arguments, with what its parameters say of them taken into account.
    pub args: &'a [Val],
    /// Memory as it is.
    pub memory: &'a Memory,
}

/// A step that was taken.
#[derive(Copy, Clone, Debug)]
pub struct Done<'a> {
    /// The function.
    pub func: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// The calls that it stands in.
    pub depth: usize,
    /// Its result, if it has one.
    pub value: Option<&'a Val>,
    /// Memory behind it.
    pub memory: &'a Memory,
    /// How many events there have been, those of this step included.
    pub events: usize,
}

/// Is told what a run does.
pub trait Observer {
    /// Whether it wants to be told at all.
    const ACTIVE: bool = true;
    /// A function starts to run in its entry block.
    fn call(&mut self, _entry: Entry<'_>) {}
    /// Control goes over an edge to `block`. The phis of the block follow as steps.
    fn enter(&mut self, func: FuncId, block: Block, depth: usize);
    /// An instruction was executed without undefined behaviour. Of calls to functions of the module the steps inside
    /// come first. An instruction whose result is checked behind it (metadata, fast-math flags of a phi) is told twice
    /// in the same visit of its block: the second time with the result of the check.
    fn step(&mut self, done: Done<'_>);
}

/// Does not want to be told anything.
#[derive(Copy, Clone, Default, Debug)]
pub struct NoObserver;

impl Observer for NoObserver {
    const ACTIVE: bool = false;
    fn enter(&mut self, _: FuncId, _: Block, _: usize) {}
    fn step(&mut self, _: Done<'_>) {}
}
