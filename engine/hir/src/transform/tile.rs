//! Tiling: the iterations of a perfect nest are executed tile by tile, each a box of `size` iterations of every loop.
//!
//! Each loop is strip-mined, and the loops over strips are moved outward by interchange. Legal if the nest is *fully
//! permutable*: no dependence has a vector with `>` at any of its loops. Then each of these interchanges is legal,
//! also for partial tiles. Source: Wolf and Lam, "A Data Locality Optimizing Algorithm" (1991). All requirements of
//! interchange apply too ([`super::interchange`]).
//!
//! The transform takes the longest legal nest that starts at the outermost loop, or else at the first loop from which
//! tiling is possible. Profitable if a reference touches a cache line again in a loop other than the innermost.

use super::band::{Band, hoist_tests};
use super::legal::{chain, loops_in};
use super::locality::{LINE, accesses, advance};
use super::reduction::reassociate;
use super::rewrite::permute;
use super::{Gain, Outcome, Profit, TransformDone, TransformMissed, perfect, strip_mine};
use crate::node::{Hir, Node};
use rustc_hash::FxHashSet;

/// A nest that can be tiled.
#[derive(Clone, Debug)]
pub struct Legal {
    /// The loops, outermost first, each with its strip-mining, if it may have more than one strip.
    loops: Vec<(Node, Option<strip_mine::Legal>)>,
    reductions: Vec<Node>,
}

/// Checks whether the perfect nest that starts at `outer` can be tiled, with tiles of `size` iterations of each loop.
pub fn check(hir: &Hir, outer: Node, size: u64) -> Result<Legal, TransformMissed> {
    let loops = chain(hir, outer);
    let mut why =
        if loops_in(hir, outer).len() > 1 { TransformMissed::NotPerfect } else { TransformMissed::NoNest };
    for depth in (2..=loops.len()).rev() {
        match check_loops(hir, &loops[..depth], size) {
            Ok(legal) => return Ok(legal),
            Err(missed) => why = missed,
        }
    }
    Err(why)
}

fn check_loops(hir: &Hir, loops: &[Node], size: u64) -> Result<Legal, TransformMissed> {
    let band = Band::new(hir, loops)?;
    let first = band.level as usize - 1;
    band.keeps(hir, &|vector| {
        (first..first + loops.len()).any(|at| vector.0.get(at).is_none_or(|c| c.directions.greater))
    })?;
    let mut strips = Vec::new();
    for l in loops {
        let strip = match strip_mine::check(hir, *l, size) {
            Ok(legal) => strip_mine::decide(&legal).ok().map(|()| legal),
            Err(TransformMissed::OneStrip) => None,
            Err(missed) => return Err(missed),
        };
        strips.push((*l, strip));
    }
    Ok(Legal { loops: strips, reductions: band.reductions })
}

/// Decides whether it should be tiled.
pub fn decide(hir: &mut Hir, legal: &Legal, profit: Profit) -> Result<(), TransformMissed> {
    let strips = legal.loops.iter().filter(|(_, strip)| strip.is_some()).count();
    if strips == 0 {
        return Err(TransformMissed::OneStrip);
    }
    let [(outermost, _), .., (innermost, _)] = legal.loops[..] else { return Err(TransformMissed::NoNest) };
    let levels = hir.loop_level(outermost)..hir.loop_level(innermost);
    let comes_back = || {
        accesses(hir, innermost).iter().any(|of| levels.clone().any(|level| advance(hir, of, level) < LINE))
    };
    profit.asks(comes_back, Gain::Reuse)
}

/// Applies the tiling.
pub fn apply(hir: &mut Hir, legal: Legal) {
    let loops: Vec<Node> = legal.loops.iter().map(|(l, _)| *l).collect();
    legal.reductions.into_iter().for_each(|node| reassociate(hir, node));
    hoist_tests(hir, &loops);
    let mut outer = Vec::new();
    // Innermost first: strip-mining a loop rewrites the loops inside it.
    for (l, strip) in legal.loops.into_iter().rev() {
        outer.push((l, strip.map(|strip| strip_mine::apply(hir, strip))));
    }
    outer.reverse();
    let now: Vec<Node> = outer.iter().flat_map(|(l, strips)| strips.iter().copied().chain([*l])).collect();
    let then: Vec<Node> = outer.iter().filter_map(|(_, strips)| *strips).chain(loops).collect();
    permute(hir, &now, &then);
}

/// Tiles the perfect nests of a region.
pub fn run(hir: &mut Hir, region: Node, size: u64, profit: Profit) -> Vec<Outcome> {
    perfect::run(hir, region);
    let mut outcomes = Vec::new();
    let mut seen: FxHashSet<Node> = FxHashSet::default();
    for outermost in loops_in(hir, region) {
        if seen.contains(&outermost) {
            continue;
        }
        let loops = chain(hir, outermost);
        seen.extend(&loops);
        // Starts at the outermost loop from which tiling is possible.
        let try_from = |hir: &mut Hir, l: Node| {
            check(hir, l, size).and_then(|legal| decide(hir, &legal, profit).map(|()| legal))
        };
        let mut first = (outermost, try_from(hir, outermost));
        for l in loops.iter().skip(1).take(loops.len().saturating_sub(2)) {
            if first.1.is_err()
                && let Ok(legal) = try_from(hir, *l)
            {
                first = (*l, Ok(legal));
            }
        }
        let done = |legal: &Legal| TransformDone::Tiled { depth: legal.loops.len(), size };
        outcomes.push(Outcome::attempt(hir, first.0, first.1, done, apply));
    }
    outcomes
}
