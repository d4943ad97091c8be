//! A counted loop whose iterations are grouped: the common first legality checks of strip-mining and unroll-and-jam,
//! and the count that they compute with.

use super::TransformMissed;
use super::legal::{counted, written_in};
use super::rewrite::{assign, integer};
use crate::CanonExpr;
use crate::canon::Extension;
use crate::node::{Hir, Kind, Node};
use backedge_ir::int::Int;

/// A counted loop with a group size.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) l: Node,
    /// The group size, in the width of the loop's count.
    pub(super) factor: Int,
    /// The backedge-taken count.
    upper: CanonExpr,
    /// The count must be kept in a variable, because it contains an induction variable or a variable that the loop
    /// writes.
    kept: bool,
    /// Upper bound on the backedge-taken count.
    pub(super) most: Option<u128>,
}

impl Cut {
    /// Groups the iterations of `l` by `factor`.
    pub(super) fn new(hir: &Hir, l: Node, factor: u64) -> Result<Self, TransformMissed> {
        let counted = counted(hir, l)?;
        let upper = counted.upper.clone();
        let width = upper.dest_type().width;
        if factor < 2 {
            return Err(TransformMissed::Factor);
        }
        if width < 64 && factor >> width != 0 {
            return Err(TransformMissed::OneStrip);
        }
        Self::of_count(hir, l, factor, upper)
    }
    /// The same for a loop whose count may be narrower than `factor`: the count is extended if necessary.
    pub(super) fn widened(hir: &mut Hir, l: Node, factor: u64) -> Result<Self, TransformMissed> {
        let upper = counted(hir, l)?.upper.clone();
        let width = upper.dest_type().width;
        if width >= 64 || factor >> width == 0 {
            return Self::new(hir, l, factor);
        }
        let wide =
            (width + 1..=64).find(|w| w.is_power_of_two() && *w >= 8 && (*w == 64 || factor >> w == 0));
        let upper = wide.and_then(|wide| upper.cast_to(wide, Extension::Zero, &mut hir.blobs));
        Self::of_count(hir, l, factor, upper.ok_or(TransformMissed::OneStrip)?)
    }
    fn of_count(hir: &Hir, l: Node, factor: u64, upper: CanonExpr) -> Result<Self, TransformMissed> {
        let (counted, width) = (counted(hir, l)?, upper.dest_type().width);
        let written = written_in(hir, l);
        let kept = upper.has_any_iv()
            || upper.collect_temp_blobs(&hir.blobs).iter().any(|temp| written.contains(temp));
        // Extension does not increase the value.
        let narrowest = counted.upper.dest_type().width;
        let of_type = Int::all_ones(narrowest).bits();
        let known = upper.as_constant().map(Int::bits).into_iter().chain(counted.of.most);
        let most = known.chain((narrowest < 64).then_some(of_type)).min();
        Ok(Self { l, factor: Int::new(width, u128::from(factor)), upper, kept, most })
    }
    /// Whether there is at most one group.
    pub(super) fn is_one(&self) -> bool {
        self.most.is_some_and(|most| most < self.factor.bits())
    }
    /// The count, without induction variables; and the node that keeps it in a variable, if any, to be inserted where
    /// the loop is known to be reached.
    pub(super) fn count(&self, hir: &mut Hir) -> (CanonExpr, Option<Node>) {
        if !self.kept {
            return (self.upper.clone(), None);
        }
        let name = match hir.kind(self.l) {
            Kind::Loop(of) => format!("%{}.last", of.name),
            _ => "%last".to_owned(),
        };
        let temp = integer(hir, name, self.factor.width());
        let node = assign(hir, temp, self.upper.clone());
        (CanonExpr::of_temp(&mut hir.blobs, temp, 0), Some(node))
    }
}
