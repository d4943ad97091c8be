//! Bringing loops back into the forms in which loop passes find them, after an edit that may have broken these.
//!
//! Guarantees what `loop-simplify` and `lcssa` do, and that the first finds nothing to do after the second; says nothing
//! in remarks, since it belongs to the edit. After the first time only what changed since is looked at
//! ([`crate::changes`]), so that a pass which changes one loop after the other takes time for the loop that it changes,
//! not for all of them each time.

use crate::changes::{Changes, Formed};
use crate::lcssa::{self, Lcssa};
use crate::pass::{FunctionPass, Unit};
use crate::simplify::{self, LoopSimplify};

/// Bodies with more blocks are not gone over to see whether what was looked at was all.
const MOST_CHECKED: usize = 256;

/// Gives every loop of the function a preheader, a single backedge and dedicated exits again as far as that can be, and
/// closes the values that leave loops.
pub fn restore(unit: &mut Unit<'_>) {
    unit.quietly(|unit| {
        match unit.formed().cloned() {
            None => {
                LoopSimplify.run(unit);
                Lcssa.run(unit);
                // Where two values became one phi, a header's phi may have lost its second value.
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

/// Brings the loops into simplify form that changed since `formed`. Gives what changed, this work included.
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

/// Whether going over the whole function finds nothing to do.
pub fn is_restored(unit: &mut Unit<'_>) -> bool {
    let shape = unit.shape();
    simplify::is_in_form(unit.body(), &shape) && lcssa::is_in_form(unit.body(), &shape)
}
