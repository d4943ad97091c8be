//! Poison-generating flags of instructions and of constant expressions.

use crate::opcode::FastMath;

/// Poison-generating flags of integer arithmetic and bitwise operations. See [`crate::opcode::BinaryOp::allowed_flags`] for the flags
/// of each operation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct BinaryFlags {
    /// `nuw`.
    pub nuw: bool,
    /// `nsw`.
    pub nsw: bool,
    /// `exact`.
    pub exact: bool,
    /// `disjoint`.
    pub disjoint: bool,
}

/// Poison-generating flags of casts.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastFlags {
    /// `nneg` of `zext` and `uitofp`.
    pub nneg: bool,
    /// `nuw` of `trunc`.
    pub nuw: bool,
    /// `nsw` of `trunc`.
    pub nsw: bool,
    /// Fast-math flags of `fptrunc` and `fpext`.
    pub fast: FastMath,
}

/// Flags of `getelementptr`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct GepFlags {
    /// `inbounds`; implies `nusw`.
    pub inbounds: bool,
    /// `nusw`.
    pub nusw: bool,
    /// `nuw`.
    pub nuw: bool,
}
