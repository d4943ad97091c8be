//! The work that the first phase of the parser defers to the second.

use super::lexer::RawName;
use super::spans::Span;
use crate::entity::{AliasId, FuncId, GlobalId};
use crate::types::Type;

/// A part that was skipped and is parsed when every global is known.
pub(crate) enum Deferred<'s> {
    /// A function's body.
    Body(Box<BodyWork<'s>>),
    /// A variable's initializer at byte `at`; `position` is the item's index in the order.
    Init { id: GlobalId, at: usize, position: usize, whole: Span },
    /// The target of an alias or ifunc at byte `at`.
    Target { id: AliasId, at: usize },
    /// A metadata item at byte `at`.
    Metadata { at: usize, position: usize },
    /// The attachments of a function's header at byte `at`.
    FuncMetadata { id: crate::entity::FuncId, at: usize },
    /// The attachments of a variable at byte `at`.
    VarMetadata { id: GlobalId, at: usize },
    /// A typed constant that is kept as text; it is parsed only to check its syntax.
    Check { at: usize },
}

/// A parameter as spelled in the header.
#[derive(Clone, Copy)]
pub(crate) struct Param<'s> {
    pub(crate) ty: Type,
    pub(crate) span: Span,
    pub(crate) name: Option<RawName<'s>>,
    pub(crate) number: Option<u32>,
}

/// A body to be parsed in the second phase.
pub(crate) struct BodyWork<'s> {
    pub(crate) func: FuncId,
    pub(crate) params: Vec<Param<'s>>,
    /// The offset of the opening brace.
    pub(crate) open: usize,
    /// The offset of the closing brace.
    pub(crate) close: usize,
    /// The return type and its span.
    pub(crate) ret: (Type, Span),
}
