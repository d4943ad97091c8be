//! Register numbers.

/// Index of a register in its frame.
pub(crate) type Reg = u32;
