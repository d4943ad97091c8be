//! Checks at run time that accesses lie apart: which ranges of bytes are compared with which.
//!
//! A *range* is all that a group of accesses can touch in iterations 0 to `taken`, of pointers that go on by one constant
//! step from starts that are constants apart. With `walked = taken * |step|` it begins at `low = start + from`, less
//! `walked` if the step is negative, and its last byte is `extent = to - from + walked` bytes behind that. Ranges are made
//! as few as can be; two are apart if the last byte of the one is in front of the first of the other.
//!
//! Nothing is taken for granted of wrapping: accesses that are not executed in each iteration may have any addresses.
//! `extent` is right in the width of an index if `taken` is at most [`Range::most_taken`], and `low + extent` must be no
//! less than `low`: both are part of the check. Where a check fails the scalar loop is executed.
//!
//! `taken` is the one value, frozen, that the vector loop counts by. `start` is available in front of the loop and is
//! frozen too: if it is poison, whoever accesses memory through it is undefined, and whoever does not may find the check
//! either way.

use super::access::Access;
use super::{Form, Limits, Missed};
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::expand::{self, Options};
use backedge_scev::{Expr, ScalarEvolution};

/// A range of bytes.
#[derive(Clone, Debug)]
pub struct Range {
    /// The accesses that are in it.
    pub accesses: Vec<Inst>,
    /// A pointer in the first iteration.
    pub start: Expr,
    /// By how many bytes it goes on.
    pub step: i64,
    /// The least byte that is touched in the first iteration, relative to `start`.
    pub from: i128,
    /// The greatest.
    pub to: i128,
    /// The greatest count with which what is computed is right, in the width of the count; `None` if it always is.
    pub most_taken: Option<Int>,
}

/// What has to be checked.
#[derive(Clone, Debug)]
pub struct Checks {
    /// The ranges.
    pub ranges: Vec<Range>,
    /// Which of them must lie apart, by index, the lower first.
    pub pairs: Vec<(usize, usize)>,
}

pub(super) fn plan(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    (accesses, taken): (&[Access], Expr),
    pairs: &[(usize, usize)],
    limits: Limits,
) -> Result<Checks, Missed> {
    let mut concerned: Vec<usize> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
    concerned.sort_unstable();
    concerned.dedup();
    let mut ranges: Vec<Range> = Vec::new();
    let mut range_of = vec![usize::MAX; accesses.len()];
    for at in concerned {
        range_of[at] = put(scev, &mut ranges, &accesses[at])?;
    }
    let mut apart: Vec<(usize, usize)> = Vec::new();
    for (a, b) in pairs {
        let (x, y) = (range_of[*a], range_of[*b]);
        // What has one range can't be told apart by it.
        if x == y {
            return Err(Missed::UnsafeDependence);
        }
        apart.push((x.min(y), x.max(y)));
    }
    apart.sort_unstable();
    apart.dedup();
    if apart.len() > limits.most_checks {
        return Err(Missed::TooManyChecks { needed: apart.len(), limit: limits.most_checks });
    }
    for range in &mut ranges {
        finish(scev, form, taken, range)?;
    }
    Ok(Checks { ranges, pairs: apart })
}

/// Puts an access into the range that it is a constant apart from; its index.
fn put(scev: &mut ScalarEvolution<'_>, ranges: &mut Vec<Range>, access: &Access) -> Result<usize, Missed> {
    let (start, step) =
        access.affine.filter(|(start, _)| scev.ty(*start).is_pointer()).ok_or(Missed::NoBounds)?;
    let last = i128::from(access.bytes) - 1;
    for (index, range) in ranges.iter_mut().enumerate() {
        if range.step != step || scev.ty(range.start) != scev.ty(start) {
            continue;
        }
        let difference = scev.sub(start, range.start);
        if scev.is_could_not_compute(difference) {
            continue;
        }
        let Some(offset) = scev.as_constant(difference) else { continue };
        let offset = offset.signed();
        (range.from, range.to) = (range.from.min(offset), range.to.max(offset + last));
        range.accesses.push(access.inst);
        return Ok(index);
    }
    ranges.push(Range { accesses: vec![access.inst], start, step, from: 0, to: last, most_taken: None });
    Ok(ranges.len() - 1)
}

/// Finds out for which counts a range is right, and whether its start can be computed.
fn finish(scev: &mut ScalarEvolution<'_>, form: &Form, taken: Expr, range: &mut Range) -> Result<(), Missed> {
    let own = u128::try_from(range.to - range.from).map_err(|_| Missed::NoBounds)?;
    let top = Int::all_ones(scev.width(range.start)).bits();
    let room = top.checked_sub(own).ok_or(Missed::NoBounds)?;
    let most = match u128::from(range.step.unsigned_abs()) {
        0 => u128::MAX,
        stride => room / stride,
    };
    if scev.unsigned_max(taken).bits() > most {
        range.most_taken = Some(Int::new(scev.width(taken), most));
    }
    let place = scev.body().terminator(form.preheader).ok_or(Missed::NoBounds)?;
    let options = Options { freeze: true, ..Options::default() };
    expand::plan(scev, range.start, place, options).map(drop).map_err(|_| Missed::NoBounds)
}
