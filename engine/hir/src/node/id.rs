//! Node numbers.

backedge_ir::entity_ids! {
    /// A node of a [`super::Hir`].
    Node, "node";
}
