//! Tiling: the iterations of a perfect nest are executed tile by tile, each a box of `size` iterations of every loop.
//!
//! Each loop is strip-mined, and the loops over strips are taken outward by interchange. Legal if the nest is *fully
//! permutable*: no dependence has a vector with `>` at any of its loops. So it is if each interchange that is done is
//! legal, and for tiles that are no boxes of full size too. Source: Wolf and Lam, "A Data Locality Optimizing Algorithm"
//! (1991). Besides, all is needed that interchange needs ([`super::interchange`]).
//!
//! The longest nest is taken for which that is so, from the outermost loop on, or from the first one of which something can be
//! tiled. It is done if something is gained by it:
//! a reference comes back to a cache line in a loop other than the innermost.

use super::band::{Band, ask_outside};
use super::legal::{chain, loops_in};
use super::locality::{LINE, accesses, advance};
use super::reduction::reassociate;
use super::rewrite::permute;
use super::{Done, Gain, Missed, Outcome, Profit, perfect, strip_mine};
use crate::node::{Hir, Node};
use rustc_hash::FxHashSet;

/// A nest that may be tiled.
#[derive(Clone, Debug)]
pub struct Legal {
    /// The outermost loop first, each with what there is to be strip-mined of it, if it may have more than one strip.
    loops: Vec<(Node, Option<strip_mine::Legal>)>,
    reductions: Vec<Node>,
}

/// Whether the perfect nest from `outer` on can be tiled, in tiles of `size` iterations of each loop.
pub fn check(hir: &Hir, outer: Node, size: u64) -> Result<Legal, Missed> {
    let loops = chain(hir, outer);
    let mut why = if loops_in(hir, outer).len() > 1 { Missed::NotPerfect } else { Missed::NoNest };
    for depth in (2..=loops.len()).rev() {
        match check_loops(hir, &loops[..depth], size) {
            Ok(legal) => return Ok(legal),
            Err(missed) => why = missed,
        }
    }
    Err(why)
}

fn check_loops(hir: &Hir, loops: &[Node], size: u64) -> Result<Legal, Missed> {
    let band = Band::new(hir, loops)?;
    let first = band.level as usize - 1;
    band.keeps(hir, &|vector| {
        (first..first + loops.len()).any(|at| vector.0.get(at).is_none_or(|c| c.directions.greater))
    })?;
    let mut strips = Vec::new();
    for l in loops {
        let strip = match strip_mine::check(hir, *l, size) {
            Ok(legal) => strip_mine::decide(&legal).ok().map(|()| legal),
            Err(Missed::OneStrip) => None,
            Err(missed) => return Err(missed),
        };
        strips.push((*l, strip));
    }
    Ok(Legal { loops: strips, reductions: band.reductions })
}

/// Whether it should be.
pub fn decide(hir: &mut Hir, legal: &Legal, profit: Profit) -> Result<(), Missed> {
    let strips = legal.loops.iter().filter(|(_, strip)| strip.is_some()).count();
    if strips == 0 {
        return Err(Missed::OneStrip);
    }
    let [(outermost, _), .., (innermost, _)] = legal.loops[..] else { return Err(Missed::NoNest) };
    let levels = hir.loop_level(outermost)..hir.loop_level(innermost);
    let comes_back = || {
        accesses(hir, innermost).iter().any(|of| levels.clone().any(|level| advance(hir, of, level) < LINE))
    };
    profit.asks(comes_back, Gain::Reuse)
}

/// Does it.
pub fn apply(hir: &mut Hir, legal: Legal) {
    let loops: Vec<Node> = legal.loops.iter().map(|(l, _)| *l).collect();
    legal.reductions.into_iter().for_each(|node| reassociate(hir, node));
    ask_outside(hir, &loops);
    let mut outer = Vec::new();
    // From inside to outside: what is in a loop is rewritten by it.
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
        // From the outermost loop on from which something can be done.
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
        let done = |legal: &Legal| Done::Tiled { depth: legal.loops.len(), size };
        outcomes.push(Outcome::attempt(hir, first.0, first.1, done, apply));
    }
    outcomes
}
