//! Instructions that only compute.

use backedge_ir::inst::InstKind;

/// Whether an instruction has no effect, touches no memory, and gives the same for the same operands or may.
pub(crate) fn is_pure(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::FNeg(_)
            | InstKind::Binary(..)
            | InstKind::FloatBinary(..)
            | InstKind::Cast(..)
            | InstKind::ICmp { .. }
            | InstKind::FCmp(..)
            | InstKind::Select(_)
            | InstKind::Freeze
            | InstKind::Gep { .. }
            | InstKind::ExtractValue(_)
            | InstKind::InsertValue(_)
            | InstKind::ExtractElement
            | InstKind::InsertElement
            | InstKind::ShuffleVector(_)
    )
}
