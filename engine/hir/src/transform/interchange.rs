//! Interchange: swaps the two loops of a perfect nest.
//!
//! Legal if no dependence has a vector with `<` at the outer and `>` at the inner loop: exactly such pairs of
//! iterations would be reordered. Sources: Allen and Kennedy, "Automatic Loop Interchange" (1984); Wolf and Lam, "A
//! Loop Transformation Theory" (1991).
//!
//! Requires a perfect nest (`band`): the inner loop is the whole body of the outer one. Its bounds and its zero-trip
//! test are invariant in the outer loop, neither loop has another exit, and no variable carries a value between
//! iterations or out of the nest, except for reductions (`reduction`). Code beside the inner loop that only passes
//! such values on is first moved out of the nest ([`super::perfect`]).
//!
//! Profitable if the references then advance by fewer bytes between iterations of the inner loop, counted up to a
//! cache line. In a nest of more loops, neighbours are swapped until nothing is gained, or, if profit is ignored,
//! until their order is reversed, as far as that is legal.

use super::band::{Band, hoist_tests};
use super::legal::{chain, loops_in};
use super::locality::{accesses, advance};
use super::reduction::reassociate;
use super::rewrite::permute;
use super::{Gain, Outcome, Profit, TransformDone, TransformMissed, perfect};
use crate::node::{Hir, Node};
use rustc_hash::FxHashSet;

/// Two loops that can be interchanged.
#[derive(Clone, Debug)]
pub struct Legal {
    outer: Node,
    inner: Node,
    reductions: Vec<Node>,
}

/// Checks whether `outer` and the loop that is its body can be interchanged.
pub fn check(hir: &Hir, outer: Node) -> Result<Legal, TransformMissed> {
    let loops = chain(hir, outer);
    let inner = *loops.get(1).ok_or(if loops_in(hir, outer).len() > 1 {
        TransformMissed::NotPerfect
    } else {
        TransformMissed::NoNest
    })?;
    let band = Band::new(hir, &[outer, inner])?;
    let at = band.level as usize - 1;
    band.keeps(hir, &|vector| {
        let direction = |at: usize| vector.0.get(at).map(|c| c.directions);
        direction(at).is_none_or(|d| d.less) && direction(at + 1).is_none_or(|d| d.greater)
    })?;
    Ok(Legal { outer, inner, reductions: band.reductions })
}

/// Decides whether they should be: whether the outer loop is better as the inner one.
pub fn decide(hir: &mut Hir, legal: &Legal, profit: Profit) -> Result<(), TransformMissed> {
    profit.asks(|| is_worth_it(hir, legal), Gain::Steps)
}

fn is_worth_it(hir: &mut Hir, legal: &Legal) -> bool {
    let level = hir.loop_level(legal.outer);
    let accesses = accesses(hir, legal.inner);
    let now: u128 = accesses.iter().map(|of| advance(hir, of, level + 1)).sum();
    let then: u128 = accesses.iter().map(|of| advance(hir, of, level)).sum();
    then < now
}

/// Applies the interchange.
pub fn apply(hir: &mut Hir, legal: Legal) {
    let Legal { outer, inner, reductions } = legal;
    reductions.into_iter().for_each(|node| reassociate(hir, node));
    hoist_tests(hir, &[outer, inner]);
    permute(hir, &[outer, inner], &[inner, outer]);
}

/// Interchanges the loops of the perfect nests of a region.
pub fn run(hir: &mut Hir, region: Node, profit: Profit) -> Vec<Outcome> {
    perfect::run(hir, region);
    let mut outcomes = Vec::new();
    let mut seen: FxHashSet<Node> = FxHashSet::default();
    for outermost in loops_in(hir, region) {
        if seen.contains(&outermost) {
            continue;
        }
        let mut loops = chain(hir, outermost);
        seen.extend(&loops);
        if loops.len() == 1 {
            outcomes
                .extend(check(hir, outermost).err().map(|missed| Outcome::of(hir, outermost, Err(missed))));
            continue;
        }
        let last = loops.len() - 1;
        for round in 0..last {
            let mut exchanged = false;
            for at in (round..last).rev() {
                let outer = loops[at];
                let legal = check(hir, outer).and_then(|legal| decide(hir, &legal, profit).map(|()| legal));
                let outcome = Outcome::attempt(hir, outer, legal, |_| TransformDone::Interchanged, apply);
                if outcome.result.is_ok() {
                    loops.swap(at, at + 1);
                    exchanged = true;
                }
                if outcome.result.is_ok() || round == 0 {
                    outcomes.push(outcome);
                }
            }
            if !exchanged {
                break;
            }
        }
    }
    outcomes
}
