//! CFG, dominators, post-dominators, dominance frontiers, the loop tree and loop forms.
