//! A counted loop of which several iterations at a time become something else: what strip-mining and unroll-and-jam ask of
//! it first, and the count that they compute with.

use super::Missed;
use super::legal::{counted, written_in};
use super::rewrite::{assign, integer};
use crate::CanonExpr;
use crate::canon::Extension;
use crate::node::{Hir, Kind, Node};
use backedge_ir::int::Int;

/// Such a loop.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) l: Node,
    /// How many iterations at a time; as wide as the loop's count.
    pub(super) factor: Int,
    /// How often the backedge is taken.
    upper: CanonExpr,
    /// The count has to be kept in a variable: there is an induction variable in it, or something that the loop writes.
    kept: bool,
    /// How often the backedge is taken at most.
    pub(super) most: Option<u128>,
}

impl Cut {
    /// `l` in parts of `factor` iterations.
    pub(super) fn new(hir: &Hir, l: Node, factor: u64) -> Result<Self, Missed> {
        let counted = counted(hir, l)?;
        let upper = counted.upper.clone();
        let width = upper.dest_type().width;
        if factor < 2 {
            return Err(Missed::Factor);
        }
        if width < 64 && factor >> width != 0 {
            return Err(Missed::OneStrip);
        }
        Self::of_count(hir, l, factor, upper)
    }
    /// The same of a loop whose count may be narrower than `factor`: it is extended where it has to be.
    pub(super) fn widened(hir: &mut Hir, l: Node, factor: u64) -> Result<Self, Missed> {
        let upper = counted(hir, l)?.upper.clone();
        let width = upper.dest_type().width;
        if width >= 64 || factor >> width == 0 {
            return Self::new(hir, l, factor);
        }
        let wide =
            (width + 1..=64).find(|w| w.is_power_of_two() && *w >= 8 && (*w == 64 || factor >> w == 0));
        let upper = wide.and_then(|wide| upper.cast_to(wide, Extension::Zero, &mut hir.blobs));
        Self::of_count(hir, l, factor, upper.ok_or(Missed::OneStrip)?)
    }
    fn of_count(hir: &Hir, l: Node, factor: u64, upper: CanonExpr) -> Result<Self, Missed> {
        let (counted, width) = (counted(hir, l)?, upper.dest_type().width);
        let written = written_in(hir, l);
        let kept = upper.has_any_iv()
            || upper.collect_temp_blobs(&hir.blobs).iter().any(|temp| written.contains(temp));
        // What was extended is no more than it was.
        let narrowest = counted.upper.dest_type().width;
        let of_type = Int::all_ones(narrowest).bits();
        let known = upper.as_constant().map(Int::bits).into_iter().chain(counted.of.most);
        let most = known.chain((narrowest < 64).then_some(of_type)).min();
        Ok(Self { l, factor: Int::new(width, u128::from(factor)), upper, kept, most })
    }
    /// Whether there is no more than one part.
    pub(super) fn is_one(&self) -> bool {
        self.most.is_some_and(|most| most < self.factor.bits())
    }
    /// The count, without induction variables; and the node that keeps it in a variable, to be put where the loop is known to
    /// be come to, if there is one.
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
