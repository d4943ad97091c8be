//! Code between two loops that cannot be moved: the reason why they are not fused, in words.

use crate::node::{Hir, Kind, Node, Operation};
use backedge_ir::inst::InstKind;
use backedge_ir::intrinsic::Intrinsic;
use std::fmt;

/// Code that must not be moved past a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Barrier {
    /// A call that may have any effect, or may not return.
    Call,
    /// A volatile access.
    Volatile,
    /// An atomic access.
    Atomic,
    /// A fence.
    Fence,
    /// An `llvm.assume`.
    Assume,
    /// An `alloca`.
    Alloca,
    /// A declaration of `!alias.scope` scopes.
    Scopes,
    /// A branch, a label or a goto.
    Control,
    /// Another instruction with an effect.
    Effect,
    /// More code than the limits allow.
    TooMuch,
}

impl Barrier {
    /// The barrier that an instruction of that kind is, with the called intrinsic, if any.
    pub(crate) fn of_inst(kind: &InstKind, callee: Option<Intrinsic>) -> Self {
        let access = |volatile: bool| if volatile { Self::Volatile } else { Self::Atomic };
        match kind {
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => match callee {
                Some(Intrinsic::Assume) => Self::Assume,
                Some(Intrinsic::NoAliasScopeDecl) => Self::Scopes,
                _ => Self::Call,
            },
            InstKind::Load(how) | InstKind::Store(how) | InstKind::AtomicRmw(_, how) => access(how.volatile),
            InstKind::CmpXchg(info) => access(info.access.volatile),
            InstKind::Fence(..) => Self::Fence,
            InstKind::Alloca(_) => Self::Alloca,
            _ => Self::Effect,
        }
    }
    /// The barrier that a node is.
    pub(crate) fn of_node(hir: &Hir, node: Node) -> Self {
        match hir.kind(node) {
            Kind::Inst(inst) => match &inst.operation {
                Operation::Ir(of) => Self::of_inst(&of.kind, inst.intrinsic(&hir.blobs)),
                Operation::Copy => Self::Effect,
            },
            Kind::Region(_)
            | Kind::Loop(_)
            | Kind::If(_)
            | Kind::Switch(_)
            | Kind::Label(_)
            | Kind::Goto(_) => Self::Control,
        }
    }
}

impl fmt::Display for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Call => "a call",
            Self::Volatile => "a volatile access",
            Self::Atomic => "an atomic access",
            Self::Fence => "a fence",
            Self::Assume => "an assumption",
            Self::Alloca => "an alloca",
            Self::Scopes => "a declaration of scopes",
            Self::Control => "a branch",
            Self::Effect => "an instruction with an effect",
            Self::TooMuch => "too much",
        })
    }
}
