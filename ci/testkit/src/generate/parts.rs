//! The features of generated programs, and the parts written so far.

use super::types::{Elem, Ty, aggregate_text};
use crate::Dice;
use std::collections::BTreeSet;

/// The features that programs may use.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Features {
    /// `float` and `double`.
    pub floats: bool,
    /// Fixed vectors.
    pub vectors: bool,
    /// Intrinsic functions for arithmetic, and `freeze`.
    pub intrinsics: bool,
    /// Widths that are not powers of two.
    pub odd: bool,
    /// Integers wider than 64 bits, and rounding of integers of more than 53 bits to `float`.
    pub wide: bool,
    /// Memory.
    pub memory: bool,
    /// Aggregates as values.
    pub aggregates: bool,
    /// Casts between vectors where neither lane count divides the other, which LLVM folds wrongly.
    pub lane_casts: bool,
    /// Atomic accesses and fences, `byval` and `sret`, allocas of non-constant size.
    pub rare: bool,
    /// A fifth of the usual size, for many small programs instead of a few large ones.
    pub small: bool,
}

impl Features {
    /// All of them.
    pub const ALL: Self = Self {
        floats: true,
        vectors: true,
        intrinsics: true,
        odd: true,
        wide: true,
        memory: true,
        aggregates: true,
        lane_casts: true,
        rare: true,
        small: false,
    };
    /// All features, in small programs.
    pub const SMALL: Self = Self { small: true, ..Self::ALL };
    /// The features that LLVM's interpreter supports correctly. It lacks aggregate constants, `freeze` and most
    /// intrinsics; it does not round integers of more than 53 bits to floats as IEEE 754 does; and its casts between
    /// vectors are wrong if neither lane count divides the other.
    pub const INTERPRETED: Self = Self {
        intrinsics: false,
        wide: false,
        aggregates: false,
        lane_casts: false,
        rare: false,
        ..Self::ALL
    };
}

/// The parts of a program written so far.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) dice: Dice,
    pub(super) features: Features,
    pub(super) prefix: String,
    pub(super) text: String,
    pub(super) declarations: BTreeSet<String>,
    pub(super) callables: Vec<Callable>,
    pub(super) pointers: Vec<Pointer>,
    pub(super) tables: Vec<String>,
    pub(super) objects: usize,
    pub(super) has_mixer: bool,
}

/// A pointer in scope: at least [`REACH`] bytes from it on are initialized and readable.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) text: String,
    pub(super) writable: bool,
    /// The object at whose start it points, if known.
    pub(super) object: Option<usize>,
}

/// A callable function, or a table of four functions of the same type.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) params: Vec<Param>,
    pub(super) ret: Ret,
    pub(super) is_table: bool,
    pub(super) cost: u64,
}

/// A parameter of a generated function.
#[derive(Copy, Clone, Debug)]
pub(super) enum Param {
    Value(Ty),
    Pointer,
    /// An object that is copied for the callee.
    Copied,
    /// An object that receives the callee's result; the callee returns void then.
    Result,
    /// The remaining recursion depth.
    Depth,
}

/// The return type of a generated function.
#[derive(Clone, Debug)]
pub(super) enum Ret {
    Value(Ty),
    Aggregate(Vec<Elem>),
    Nothing,
}

impl Ret {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Value(ty) => ty.text(),
            Self::Aggregate(members) => aggregate_text(members),
            Self::Nothing => "void".to_owned(),
        }
    }
}
