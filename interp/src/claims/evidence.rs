//! Evidence that a claim is wrong.

use super::exact::Form;
use std::fmt;

/// The observation that refutes a claim. Values are bit patterns of the given width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The value differs.
    Value {
        /// Width in bits.
        width: u32,
        /// The claimed value.
        claimed: u128,
        /// The value in the run.
        found: u128,
    },
    /// The value is out of the range.
    OutOfRange {
        /// Width in bits.
        width: u32,
        /// The value in the run.
        found: u128,
    },
    /// A sum or product wraps.
    Wrap {
        /// Width in bits.
        width: u32,
        /// Whether the whole wraps or a part.
        form: Form,
        /// Its operands.
        operands: Vec<u128>,
    },
    /// A recurrence wraps.
    RecurrenceWrap {
        /// Width in bits.
        width: u32,
        /// Start, step and so on.
        operands: Vec<u128>,
        /// The arrival.
        index: u64,
    },
    /// A loop takes another number of backedges, or more than the maximum.
    Taken {
        /// The claimed count.
        claimed: u128,
        /// The count in the run; a lower bound if the loop has not ended.
        taken: u64,
    },
    /// A loop with a claimed count runs forever.
    Endless {
        /// The claimed count.
        claimed: u128,
    },
    /// An exit is taken too early, or not when it should be.
    Fires {
        /// The claimed count.
        claimed: u128,
        /// The arrival.
        at: u64,
        /// Whether it was taken.
        fires: bool,
    },
    /// The branch of an exit is reached although its count is poison or divides by zero.
    PoisonCount {
        /// The arrival.
        at: u64,
    },
    /// A loop exits although its count is poison or divides by zero.
    PoisonTaken {
        /// Backedges taken.
        taken: u64,
    },
    /// The trip count is not a multiple.
    Multiple {
        /// The claimed multiple.
        multiple: u64,
        /// Backedges taken.
        taken: u64,
    },
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use backedge_ir::int::Int;
        let list = |width: u32, operands: &[u128]| {
            let texts: Vec<String> = operands.iter().map(|o| Int::new(width, *o).to_string()).collect();
            texts.join(", ")
        };
        match self {
            Self::Value { width, claimed, found } => {
                let (claimed, found) = (Int::new(*width, *claimed), Int::new(*width, *found));
                write!(f, "claimed i{width} {claimed}, found {found}")
            }
            Self::OutOfRange { width, found } => {
                write!(f, "found i{width} {}, which is not in the range", Int::new(*width, *found))
            }
            Self::Wrap { width, form: Form::Weak, operands } => {
                write!(f, "wraps for i{width} {}", list(*width, operands))
            }
            Self::Wrap { width, form: Form::Strong, operands } => {
                write!(f, "wraps in a part of the operands i{width} {}", list(*width, operands))
            }
            Self::RecurrenceWrap { width, operands, index } => {
                write!(f, "wraps at arrival {index} for i{width} {}", list(*width, operands))
            }
            Self::Taken { claimed, taken } => write!(f, "claimed {claimed}, but {taken} backedges are taken"),
            Self::Endless { claimed } => write!(f, "claimed {claimed}, but the loop runs forever"),
            Self::Fires { claimed, at, fires: true } => {
                write!(f, "claimed {claimed}, but the exit is taken at {at}")
            }
            Self::Fires { claimed, at, fires: false } => {
                write!(f, "claimed {claimed}, but the exit is not taken at {at}")
            }
            Self::PoisonCount { at } => {
                write!(f, "the count is poison or divides by zero, but the branch is reached at {at}")
            }
            Self::PoisonTaken { taken } => {
                write!(
                    f,
                    "the count is poison or divides by zero, but the loop is left after {taken} backedges"
                )
            }
            Self::Multiple { multiple, taken } => {
                write!(f, "claimed a multiple of {multiple}, but {taken} backedges are taken")
            }
        }
    }
}
