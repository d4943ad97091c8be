//! The formats with hardware operations, and the bit patterns of their values.

use crate::layout::Shape;
use crate::outcome::{Feature, Step, Stop};
use backedge_ir::types::FloatKind;

/// A format with hardware operations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::exec) enum Format {
    Single,
    Double,
}

impl Format {
    pub(in crate::exec) fn of(shape: &Shape) -> Step<Self> {
        if *shape == Shape::Float(FloatKind::Float) {
            Ok(Self::Single)
        } else if *shape == Shape::Float(FloatKind::Double) {
            Ok(Self::Double)
        } else {
            Err(Stop::unsupported(Feature::Type(format!("{shape:?} in arithmetic"))))
        }
    }
    pub(in crate::exec) fn width(self) -> u32 {
        match self {
            Self::Single => 32,
            Self::Double => 64,
        }
    }
    pub(in crate::exec) fn value(self, bits: u64) -> f64 {
        match self {
            Self::Single => f32::from_bits(bits as u32).into(),
            Self::Double => f64::from_bits(bits),
        }
    }
    pub(super) fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }
    /// The bits of positive infinity, which are those of the exponent.
    pub(super) fn infinity(self) -> u64 {
        match self {
            Self::Single => 0x7f80_0000,
            Self::Double => 0x7ff0_0000_0000_0000,
        }
    }
    pub(super) fn quiet(self) -> u64 {
        match self {
            Self::Single => 0x7fc0_0000,
            Self::Double => 0x7ff8_0000_0000_0000,
        }
    }
    /// The payload bit that distinguishes a quiet NaN from a signaling one.
    pub(super) fn quiet_bit(self) -> u64 {
        match self {
            Self::Single => 1 << 22,
            Self::Double => 1 << 51,
        }
    }
    pub(super) fn is_nan(self, bits: u64) -> bool {
        self.value(bits).is_nan()
    }
    pub(super) fn is_inf(self, bits: u64) -> bool {
        self.value(bits).is_infinite()
    }
}
