//! Replaces an operand with another available value of its type.

use super::work::{Work, place_of};

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let (use_, old) = work.operand(|_, _, _| true)?;
    let before = place_of(work.body(), use_);
    let mut there = work.available_of(work.body().ty(old), before);
    there.retain(|v| *v != old);
    let new = match work.one_of(&there) {
        Some(value) => value,
        None => work.constant(work.body().ty(old)).filter(|v| *v != old)?,
    };
    work.set_operand(use_, new);
    Some(())
}
