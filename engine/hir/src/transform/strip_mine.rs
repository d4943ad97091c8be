//! Strip-mining: a loop becomes a loop over strips of `factor` iterations around a loop over those of one strip.
//!
//! ```text
//! DO i = 0, U          DO s = 0, U / factor
//!                        DO i = 0, umin(U - factor * s, factor - 1)
//! … i …                    … factor * s + i …
//! ```
//!
//! The order of iterations stays the same, so dependences do not matter; gotos out of the loop leave both loops. `U`
//! is the backedge-taken count, which does not wrap, and neither does `factor * s`, which is at most `U`. The minimum
//! cannot be in a closed form with induction variables: `U - factor * s` is written to a variable in the preheader of
//! the inner loop. The minimum is omitted if the last strip is known to be full.
//!
//! The original loop becomes the inner loop. The outer loop gets its preheader and its postexit.

use super::cut::Cut;
use super::legal::innermost;
use super::rewrite::{assign, forms, integer, set_upper};
use super::{Outcome, TransformDone, TransformMissed};
use crate::blob::NAry;
use crate::canon::{IvSum, Level};
use crate::node::{Hints, Hir, HlLoop, Kind, List, LoopKind, Node};
use crate::{CanonExpr, RegDdRef};
use backedge_ir::int::Int;

/// A loop that can be strip-mined.
#[derive(Clone, Debug)]
pub struct Legal(Cut);

/// Checks whether `l` can be divided into strips of `factor` iterations.
pub fn check(hir: &Hir, l: Node, factor: u64) -> Result<Legal, TransformMissed> {
    Cut::new(hir, l, factor).map(Legal)
}

/// Decides whether it should be: it must possibly have more than one strip.
pub fn decide(legal: &Legal) -> Result<(), TransformMissed> {
    if legal.0.is_one() { Err(TransformMissed::OneStrip) } else { Ok(()) }
}

/// Applies strip-mining; returns the loop over the strips.
pub fn apply(hir: &mut Hir, legal: Legal) -> Node {
    let Cut { l, factor, most, .. } = legal.0;
    let Kind::Loop(inner) = hir.kind(l).clone() else { return l };
    let width = factor.width();
    let level = hir.loop_level(l);
    let constant = |value: Int| RegDdRef::terminal(CanonExpr::of_constant(value));
    let outer = hir.create(Kind::Loop(HlLoop {
        kind: LoopKind::Do {
            lower: constant(Int::zero(width)),
            upper: constant(Int::zero(width)),
            stride: constant(Int::one(width)),
        },
        ztt: inner.ztt.clone(),
        iv: inner.iv,
        name: format!("{}.strip", inner.name).into(),
        most: most.map(|most| most / factor.bits()),
        most_by_flags: None,
        options: None,
        location: inner.location,
        counters: Vec::new(),
        hints: Hints::default(),
    }));
    hir.insert_before(l, outer);
    hir.remove(l);
    hir.move_all((l, List::Preheader), (outer, List::Preheader));
    hir.move_all((l, List::Postexit), (outer, List::Postexit));
    hir.insert_last(outer, List::Body, l);
    // The body of the loop is one level deeper.
    for node in hir.nodes_in(l) {
        if node != l {
            forms(hir, node, &|form, blobs| form.with_ivs(&|of| strip_iv(level, factor, of), blobs));
        }
    }
    let (count, keeps) = legal.0.count(hir);
    if let Some(node) = keeps {
        hir.insert_last(outer, List::Preheader, node);
    }
    let known = count.as_constant();
    let blobs = &mut hir.blobs;
    let count = count.as_blob(blobs).unwrap_or_else(|| blobs.constant(Int::zero(width)));
    let by = blobs.constant(factor);
    let strips = blobs.udiv(count, by);
    let strips = CanonExpr::of_blob(blobs, strips);
    let longest = factor.sub(Int::one(width));
    let are_full = known.and_then(|last| last.urem(factor)).is_some_and(|rest| rest == longest);
    let last = if are_full {
        CanonExpr::of_constant(longest)
    } else {
        let whole = CanonExpr::of_blob(blobs, count);
        let left = whole.minus_iv(level, factor);
        let temp = integer(hir, format!("%{}.left", inner.name), width);
        let node = assign(hir, temp, left);
        hir.insert_last(l, List::Preheader, node);
        let blobs = &mut hir.blobs;
        let operands = [blobs.of_temp(temp), blobs.constant(longest)];
        let least = blobs.nary(NAry::UMin, width, &operands);
        CanonExpr::of_blob(blobs, least)
    };
    hir.edit_loop(outer, |of| set_upper(of, strips));
    hir.edit_loop(l, |of| {
        set_upper(of, last);
        of.ztt.clear();
        of.options = None;
        of.hints = Hints::default();
        of.most = Some(of.most.map_or(longest.bits(), |most| most.min(longest.bits())));
    });
    if let Some(region) = hir.region(outer) {
        hir.refresh_all(region);
    }
    outer
}

/// The old induction variable of a level, in terms of the new ones, after the loop of `level` became two loops.
fn strip_iv(level: Level, factor: Int, of: Level) -> IvSum {
    match of.cmp(&level) {
        std::cmp::Ordering::Less => IvSum::of_level(of),
        std::cmp::Ordering::Equal => IvSum {
            terms: [(level, factor.bits()), (level + 1, 1)].into_iter().collect(),
            ..IvSum::default()
        },
        std::cmp::Ordering::Greater => IvSum::of_level(of + 1),
    }
}

/// Strip-mines the innermost loops of a region.
pub fn run(hir: &mut Hir, region: Node, factor: u64) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for l in innermost(hir, region) {
        let legal = check(hir, l, factor).and_then(|legal| decide(&legal).map(|()| legal));
        outcomes.push(Outcome::attempt(hir, l, legal, |_| TransformDone::StripMined(factor), apply));
    }
    outcomes
}
