//! `loop-idiom`: replaces the stores of a loop by one `memset`, `memcpy` or `memmove`.
//!
//! | pattern | replacement |
//! |---|---|
//! | stores of one byte value that together fill the stride of their pointers | `llvm.memset` before the loop |
//! | the same with calls of `llvm.memset`, which replaced nested loops | one call for the nest |
//! | a store of the value of a load with the same stride, from other memory | `llvm.memcpy` |
//! | the same within one object, if no iteration reads what an earlier one has written | `llvm.memmove` |
//!
//! The stores are removed; the loop stays, for `loop-deletion`. Requirements: ScalarEvolution knows the
//! backedge-taken count; each iteration, including the last one, executes the stores; nothing else in the loop
//! accesses the memory; and nothing in the loop can prevent its termination (a call that may not return, a nested
//! loop that may not terminate) or be observed before it (a call that may write, a volatile access). Otherwise the
//! early writes would be visible, and UB of a late iteration would happen early.
//!
//! The length is the backedge-taken count plus one, times the stride, in the index width. If it wrapped, the stores
//! would write more bytes than there are addresses, which is UB. A count wider than the index is not handled.
//!
//! Not done: loops that exit before the stores (`loop-rotate` rotates them); atomic stores; patterns of more than one
//! byte; population counts and similar idioms.

mod apply;
mod check;
mod copy;
mod fill;
mod job;
mod remarks;
mod splat;

pub use remarks::{IdiomDone, IdiomMissed};

use crate::pass::{LoopPass, Unit};
use backedge_ir::entity::Block;

/// LLVM's name.
pub const NAME: &str = "loop-idiom";

/// The pass and its options.
#[derive(Clone, Copy, Debug)]
pub struct LoopIdiom {
    /// Whether to create `memset`s.
    pub memset: bool,
    /// Whether to create `memcpy`s and `memmove`s.
    pub memcpy: bool,
}

impl Default for LoopIdiom {
    fn default() -> Self {
        Self { memset: true, memcpy: true }
    }
}

impl LoopPass for LoopIdiom {
    fn text(&self) -> String {
        let off = [(self.memset, "no-memset"), (self.memcpy, "no-memcpy")];
        let off: Vec<&str> = off.iter().filter(|(on, _)| !on).map(|(_, name)| *name).collect();
        if off.is_empty() { NAME.to_owned() } else { format!("{NAME}<{}>", off.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        let (jobs, missed) = check::check(unit, &shape, l, *self);
        for reason in missed {
            unit.remark(NAME, header, reason);
        }
        for done in apply::apply(unit, jobs) {
            unit.remark(NAME, header, done);
        }
        Some(header)
    }
}
