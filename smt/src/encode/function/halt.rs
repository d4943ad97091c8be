//! Why a function was not encoded: a feature that the encoder does not model, or a limit.

use crate::encode::function::Encoder;
use crate::encode::world::Side;
use crate::limits::Exhausted;
use backedge_ir::entity::Inst;
use thiserror::Error;

/// A feature that the encoder does not model.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{feature}")]
pub struct Unsupported {
    /// The side of the function.
    pub side: Side,
    /// The instruction; `None` for the function's signature.
    pub inst: Option<Inst>,
    /// Name of the feature.
    pub feature: String,
}

/// Why a function was not encoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// A feature is not modelled.
    Unsupported(Unsupported),
    /// A limit was reached.
    Exhausted(Exhausted),
}

/// A result, or the reason why there is none.
pub(crate) type Encoded<T> = Result<T, Halt>;

impl Encoder<'_, '_> {
    /// The error that `feature` is not supported at the current instruction.
    pub(crate) fn unsupported(&self, feature: &str) -> Halt {
        Halt::Unsupported(Unsupported { side: self.side, inst: self.inst, feature: feature.to_owned() })
    }
}
