//! Restores loop-simplify form and LCSSA form after an edit that may have broken them.
//!
//! Guarantees the same as `loop-simplify` followed by `lcssa`, and that `loop-simplify` finds nothing to do
//! afterwards. Makes no remarks, since the work belongs to the edit. After the first call only changed parts are
//! examined ([`crate::changes`]), so a pass that changes one loop after the other pays for each changed loop, not for
//! all loops each time.

use crate::changes::{Changes, Formed};
use crate::lcssa::{self, Lcssa};
use crate::pass::{FunctionPass, Unit};
use crate::simplify::{self, LoopSimplify};

/// Largest number of blocks in a body for which debug builds verify that the incremental restore was complete, since
/// that takes time for all blocks after each change.
const MOST_CHECKED: usize = 256;

/// Gives every loop of the function a preheader, a single backedge and dedicated exits as far as possible, and LCSSA
/// phis for values that leave loops.
pub fn restore(unit: &mut Unit<'_>) {
    unit.quietly(|unit| {
        match unit.formed().cloned() {
            None => {
                LoopSimplify.run(unit);
                Lcssa.run(unit);
                // If two values became one phi, a header phi may have lost its second value.
                LoopSimplify.run(unit);
            }
            Some(formed) => {
                let changes = simplify_changed(unit, &formed);
                if !changes.is_empty() {
                    let shape = unit.shape();
                    let values = changes.values(unit.body(), &shape);
                    lcssa::close(unit, Some(&values));
                    simplify_changed(unit, &formed);
                }
                debug_assert!(
                    unit.body().block_count() > MOST_CHECKED || is_restored(unit),
                    "something was left out of form"
                );
            }
        }
        unit.set_formed();
    });
}

/// Brings loops that changed since `formed` into simplify form. Returns all changes, including its own.
fn simplify_changed(unit: &mut Unit<'_>, formed: &Formed) -> Changes {
    loop {
        let shape = unit.shape();
        let changes = Changes::since(formed, unit.body(), &shape);
        let headers = changes.loops(&shape).into_iter().map(|l| shape.loops.header(l)).collect();
        if !simplify::sweep(unit, headers) {
            return changes;
        }
    }
}

/// Whether a full check of the function finds nothing to restore.
pub fn is_restored(unit: &mut Unit<'_>) -> bool {
    let shape = unit.shape();
    simplify::is_in_form(unit.body(), &shape) && lcssa::is_in_form(unit.body(), &shape)
}
