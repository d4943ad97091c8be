//! Memory locations: a pointer and the number of bytes accessed from it.

use crate::cache::At;
use crate::must_execute::called_intrinsic;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;
use backedge_ir::types::Type;

/// The number of bytes of a location, counted from its pointer.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Size {
    /// Exactly this many bytes.
    Precise(u64),
    /// At most this many bytes.
    AtMost(u64),
    /// Any number of bytes from the pointer upwards.
    AfterPointer,
    /// Any bytes of the object, including bytes before the pointer.
    Anywhere,
}

impl Size {
    /// An upper bound on the number of bytes.
    pub fn bound(self) -> Option<u64> {
        match self {
            Self::Precise(n) | Self::AtMost(n) => Some(n),
            Self::AfterPointer | Self::Anywhere => None,
        }
    }
}

/// A range of bytes in memory, given by a pointer.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemoryLocation {
    /// The pointer.
    pub ptr: Value,
    /// The number of bytes from the pointer.
    pub size: Size,
}

/// The number of bytes that a load or store of `ty` accesses.
pub fn access_bytes(env: &Env, ty: Type) -> Option<u64> {
    env.layout.store_bytes(&env.types, ty)
}

/// The type of the value that a load, store or atomic operation reads or writes.
pub fn accessed_type(body: &Body, inst: Inst) -> Option<Type> {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(_) => Some(data.ty),
        InstKind::Store(_) => Some(body.ty(data.operands[0])),
        InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => Some(body.ty(data.operands[1])),
        _ => None,
    }
}

/// The pointer operand of a load, store or atomic operation.
pub fn pointer_operand(body: &Body, inst: Inst) -> Option<Value> {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(_) | InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => Some(data.operands[0]),
        InstKind::Store(_) => Some(data.operands[1]),
        _ => None,
    }
}

impl MemoryLocation {
    /// Any bytes of the object that `ptr` points into.
    pub fn anywhere(ptr: Value) -> Self {
        Self { ptr, size: Size::Anywhere }
    }
    /// The location that a load, store or atomic operation accesses.
    pub fn of_access(at: At<'_>, inst: Inst) -> Option<Self> {
        let ptr = pointer_operand(at.body, inst)?;
        let size = access_bytes(at.env, accessed_type(at.body, inst)?);
        Some(Self { ptr, size: size.map_or(Size::AfterPointer, Size::Precise) })
    }
    /// The location that a memory intrinsic reads, if any, and the location that it writes.
    pub fn of_transfer(at: At<'_>, inst: Inst) -> Option<(Option<Self>, Self)> {
        let call = at.body.inst(inst).call()?;
        let args = call.args();
        let copies = match called_intrinsic(at.env, at.body, call)? {
            Intrinsic::Memcpy | Intrinsic::MemcpyInline | Intrinsic::Memmove => true,
            Intrinsic::Memset | Intrinsic::MemsetInline => false,
            _ => return None,
        };
        let length = at.body.as_int(*args.get(2)?).and_then(|n| n.to_u64());
        let size = length.map_or(Size::AfterPointer, Size::Precise);
        Some((copies.then(|| Self { ptr: args[1], size }), Self { ptr: args[0], size }))
    }
}
