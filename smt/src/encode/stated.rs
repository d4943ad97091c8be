//! Attributes and metadata of one value.

use backedge_ir::attr::AttrList;
use backedge_ir::metadata::{MdKind, MdRef};

/// All attributes and metadata of one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stated<'a> {
    /// Attributes at the call and at the callee.
    pub(crate) lists: &'a [&'a AttrList],
    /// Metadata attachments of the instruction that defines the value.
    pub(crate) metadata: &'a [(MdKind, MdRef)],
}
