//! Bringing loops back into the forms in which loop passes find them, after an edit that may have broken these.
//!
//! Guarantees what `loop-simplify` and `lcssa` do; says nothing in remarks, since it belongs to the edit.

use crate::lcssa::Lcssa;
use crate::pass::{FunctionPass, Unit};
use crate::simplify::LoopSimplify;

/// Gives every loop of the function a preheader, a single backedge and dedicated exits again as far as that can be, and
/// closes the values that leave loops.
pub fn restore(unit: &mut Unit<'_>) {
    unit.quietly(|unit| {
        LoopSimplify.run(unit);
        Lcssa.run(unit);
    });
}
