//! A counted loop of which several iterations at a time become something else: what strip-mining and unroll-and-jam ask of
//! it first, and the count that they compute with.

use super::Missed;
use super::legal::{counted, written_in};
use super::rewrite::{assign, integer};
use crate::CanonExpr;
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
        let written = written_in(hir, l);
        let kept = upper.has_any_iv() || upper.temps(&hir.blobs).iter().any(|temp| written.contains(temp));
        let most = upper.as_constant().map(Int::bits).into_iter().chain(counted.of.most).min();
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
