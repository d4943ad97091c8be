//! The calls that replace loops of stores, and the accesses that they come from.

use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{MemAccess, Value};
use backedge_ir::types::Type;
use backedge_scev::expand::Plan;
use backedge_scev::{Expr, Kept};

/// A call to create, and the stores that it replaces.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) stores: Vec<Inst>,
    /// The terminator of the preheader; the call is inserted before it.
    pub(super) place: Inst,
    /// The lowest address written.
    pub(super) to: Pointer,
    pub(super) from: Source,
    /// The number of bytes, as an integer of the index width.
    pub(super) length: Plan,
    pub(super) length_bits: u32,
    pub(super) stride: u64,
}

/// An address, its type and its alignment.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) plan: Plan,
    pub(super) ty: Type,
    pub(super) align: u64,
}

/// The source of the bytes.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Byte(super::splat::Byte),
    Memory { from: Pointer, overlaps: bool },
}

/// A load or store whose address advances by its size.
#[derive(Clone, Debug)]
pub(super) struct Strided {
    pub(super) inst: Inst,
    pub(super) pointer: Value,
    /// The address in the first iteration.
    pub(super) start: Expr,
    pub(super) step: i64,
    pub(super) bytes: u64,
    pub(super) align: u64,
}

/// The loop, and the analyses of it.
pub(super) struct Context<'a, 's> {
    pub(super) at: At<'a>,
    pub(super) shape: &'s Shape,
    pub(super) l: LoopId,
    pub(super) scev: Kept<'a>,
    pub(super) count: Expr,
    pub(super) place: Inst,
}

pub(super) fn is_plain(access: &MemAccess) -> bool {
    !access.volatile && access.ordering.is_none()
}
