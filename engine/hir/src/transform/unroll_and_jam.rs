//! Unroll-and-jam: unrolls the outer of two loops and merges the copies of the inner loop.
//!
//! ```text
//! DO i = 0, U              DO g = 0, (U - (factor - 1)) / factor      if U >= factor - 1
//!   before(i)                before(factor * g), …, before(factor * g + factor - 1)
//!   DO j = 0, V              DO j = 0, V
//!     body(i, j)               body(factor * g, j), …, body(factor * g + factor - 1, j)
//!   behind(i)                behind(factor * g), …, behind(factor * g + factor - 1)
//!                          DO i = 0, U - factor * (U / factor)       if that is not factor - 1
//!                            … of iteration factor * (U / factor) + i …
//! ```
//!
//! Iterations `i` and `i + d` of one group, `0 < d < factor`, execute part by part. So a dependence that the outer
//! loop carries over less than `factor` iterations must not lead from a later part to an earlier one, nor, within the
//! inner loop's body, to an earlier iteration of the inner loop. Sources: Callahan, Carr and Kennedy, "Improving
//! Register Allocation for Subscripted Variables" (1990); LLVM's `LoopUnrollAndJam`.
//!
//! Each copy has its own variables in place of those that the outer loop writes; their values must stay in one
//! iteration of the outer loop. Values may be carried by the inner loop: a sum in it becomes one sum per copy. A
//! reduction over all iterations of both loops stays one variable, updated in another order (`reduction`). A loop
//! that runs fewer times than `factor` becomes one group of as many iterations as it may have. `U` is a
//! backedge-taken count and may be all ones, so nothing is ever computed from `U + 1`. As for every reordering, all
//! of the loop must be executed ([`super`]).
//!
//! Profitable if an access of the inner loop has the same address in all copies, and the result is not too large.

use super::cut::Cut;
use super::legal::{
    asked, counted, graph, has_closed_parts, is_loop, is_orderly, keeps, loops_in, stay_in_iteration,
    written_in,
};
use super::locality::{accesses, advance};
use super::reduction::{reassociate, reductions};
use super::rewrite::{forget_order, forms, renamed, set_upper};
use super::{Gain, Outcome, Profit, TransformDone, TransformMissed, perfect};
use crate::blob::{Blob, Temp};
use crate::canon::{IvSum, Level};
use crate::ddg::{Edge, Vector};
use crate::node::{Compare, Hir, List, Node, Predicate};
use crate::{CanonExpr, RegDdRef};
use backedge_ir::inst::IntPredicate;
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Limit on the nodes of the result that holds even if profit is ignored, so that nests do not grow without bound.
const CEILING: u128 = 4000;
/// Limit on the nodes of the result for a profitable transform: the decision weighs code size by this limit alone.
const MOST_NODES: u128 = 400;

/// A loop that can be unrolled and jammed.
#[derive(Clone, Debug)]
pub struct Legal {
    outer: Cut,
    inner: Node,
    /// The reductions over all iterations, with the nodes that update them.
    reductions: FxHashMap<Temp, Node>,
}

impl Legal {
    /// The number of iterations merged into one: the requested factor, or as many as the loop may have.
    pub fn factor(&self) -> u64 {
        self.outer.factor.bits() as u64
    }
    /// The approximate number of nodes of the result.
    fn size(&self, hir: &Hir) -> u128 {
        (hir.nodes_in(self.outer.l).len() as u128).saturating_mul(self.outer.factor.bits() + 1)
    }
}

/// The loop in groups of `factor` iterations, or of all its iterations, if there may be fewer.
fn groups(hir: &mut Hir, l: Node, factor: u64) -> Result<Cut, TransformMissed> {
    let least = Cut::new(hir, l, factor.min(2))?;
    match least.most {
        Some(0) => Err(TransformMissed::OneStrip),
        Some(most) if most < u128::from(factor - 1) => Cut::widened(hir, l, most as u64 + 1),
        _ => Cut::widened(hir, l, factor),
    }
}

/// Checks whether `factor` iterations of `outer`, or all if there are fewer, can be merged, with their inner loops
/// merged into one.
pub fn check(hir: &mut Hir, outer: Node, factor: u64) -> Result<Legal, TransformMissed> {
    let cut = groups(hir, outer, factor)?;
    let factor = cut.factor.bits() as u64;
    let mut loops = hir.children(outer, List::Body).filter(|node| is_loop(hir, *node));
    let (inner, other) = (loops.next(), loops.next());
    let inner = inner.ok_or(if loops_in(hir, outer).len() > 1 {
        TransformMissed::NotPerfect
    } else {
        TransformMissed::NoNest
    })?;
    let lists = [
        (outer, List::Preheader),
        (outer, List::Postexit),
        (inner, List::Preheader),
        (inner, List::Postexit),
    ];
    if other.is_some() {
        return Err(TransformMissed::NotPerfect);
    }
    if lists.iter().any(|(l, list)| hir.first(*l, *list).is_some()) {
        return Err(TransformMissed::Parts);
    }
    is_orderly(hir, outer)?;
    if !has_closed_parts(hir, outer) {
        return Err(TransformMissed::Control);
    }
    let written = written_in(hir, outer);
    let is_written =
        |form: &CanonExpr| form.collect_temp_blobs(&hir.blobs).iter().any(|temp| written.contains(temp));
    let level = hir.loop_level(outer);
    let of_inner = counted(hir, inner)?;
    let mut tests = of_inner.of.ztt.iter().flat_map(|p| &p.refs).flat_map(|of| of.forms());
    let varies = |form: &CanonExpr| form.has_iv(level) || is_written(form);
    // The loops evaluate their tests one after the other.
    let asks_again = asked(hir, counted(hir, outer)?.of).iter().any(|temp| written.contains(temp));
    if varies(of_inner.upper) || tests.any(varies) || asks_again {
        return Err(TransformMissed::Bounds);
    }
    let reductions = reductions(hir, outer, outer);
    if hir.live_out(outer).iter().any(|temp| !reductions.contains_key(temp)) {
        return Err(TransformMissed::LiveOut);
    }
    let legal = Legal { outer: cut, inner, reductions };
    if legal.size(hir) > CEILING {
        return Err(TransformMissed::TooLarge);
    }
    let graph = graph(hir, outer)?;
    let at = level as usize - 1;
    stay_in_iteration(hir, &graph, &|temp| !legal.reductions.contains_key(&temp), &|vector| {
        vector.0.get(at).is_some_and(|c| !c.directions.less && !c.directions.greater)
    })?;
    keeps(hir, &graph, &|_| true, &|edge, vector| is_turned(hir, inner, at, factor, edge, vector))?;
    Ok(legal)
}

/// Whether a vector allows executions that would be reordered. `at` is the outer loop's component.
fn is_turned(hir: &Hir, inner: Node, at: usize, factor: u64, edge: &Edge, vector: &Vector) -> bool {
    let Some(distance) = vector.0.get(at) else { return true };
    let is_far = distance.bounds().0.is_some_and(|least| least >= i128::from(factor));
    if !distance.directions.less || is_far {
        return false;
    }
    let part = |node: Node| match () {
        () if hir.is_in(inner, node) => 1,
        () if hir.comes_before(node, inner) => 0,
        () => 2,
    };
    let (from, to) = (part(edge.source.node), part(edge.sink.node));
    match from.cmp(&to) {
        Ordering::Less => false,
        Ordering::Equal => from == 1 && vector.0.get(at + 1).is_none_or(|c| c.directions.greater),
        Ordering::Greater => true,
    }
}

/// Decides whether it should be transformed.
pub fn decide(hir: &mut Hir, legal: &Legal, profit: Profit) -> Result<(), TransformMissed> {
    if profit == Profit::Asked && legal.size(hir) > MOST_NODES {
        return Err(TransformMissed::TooLarge);
    }
    let level = hir.loop_level(legal.outer.l);
    let is_shared = || accesses(hir, legal.inner).iter().any(|of| advance(hir, of, level) == 0);
    profit.asks(is_shared, Gain::Shared)
}

/// Applies the transform.
pub fn apply(hir: &mut Hir, legal: Legal) {
    let Legal { outer: cut, inner, reductions } = legal;
    let Cut { l: outer, factor, most, .. } = cut;
    let level = hir.loop_level(outer);
    let region = hir.region(outer);
    let (count, keeps) = cut.count(hir);
    if let Some(node) = keeps {
        hir.insert_before(outer, node);
    }
    let blobs = &mut hir.blobs;
    let count = count.as_blob(blobs).unwrap_or_else(|| blobs.constant(Int::zero(factor.width())));
    forget_order(hir, outer);
    let mut steps: Vec<Node> = reductions.values().copied().collect();
    steps.sort_unstable();
    steps.into_iter().for_each(|node| reassociate(hir, node));
    let rest = hir.copy(outer);
    let copies: Vec<Node> = (1..factor.bits()).map(|_| hir.copy(outer)).collect();
    let written = written_in(hir, outer).into_iter();
    let mut temps: Vec<Temp> = written.filter(|temp| !reductions.contains_key(temp)).collect();
    temps.sort_unstable();
    in_group(hir, outer, level, factor, 0);
    for (number, copy) in (1..).zip(copies) {
        let names = temps.iter().map(|temp| (*temp, renamed(hir, *temp, number))).collect();
        for node in hir.nodes_in(copy) {
            forms(hir, node, &|form, blobs| form.with_temps(&names, blobs));
        }
        in_group(hir, copy, level, factor, number.into());
        jam(hir, outer, inner, copy);
    }
    for node in inside(hir, rest) {
        let base = whole_groups(hir, count, factor);
        forms(hir, node, &|form, blobs| {
            form.with_ivs(
                &|of| {
                    let base = if of == level { base } else { None };
                    IvSum { base, ..IvSum::of_level(of) }
                },
                blobs,
            )
        });
    }
    bound(hir, outer, rest, count, factor, most);
    if let Some(region) = region {
        hir.refresh_all(region);
    }
}

/// The nodes in the body of `l`, at any depth.
fn inside(hir: &Hir, l: Node) -> Vec<Node> {
    hir.children(l, List::Body).flat_map(|node| hir.nodes_in(node)).collect()
}

/// Substitutes `factor * g + number` for the induction variable of `l` in its body.
fn in_group(hir: &mut Hir, l: Node, level: Level, factor: Int, number: u128) {
    for node in inside(hir, l) {
        forms(hir, node, &|form, blobs| {
            form.with_ivs(
                &|of| match of == level {
                    true => IvSum {
                        terms: [(level, factor.bits())].into_iter().collect(),
                        constant: number,
                        ..IvSum::default()
                    },
                    false => IvSum::of_level(of),
                },
                blobs,
            )
        });
    }
}

/// Appends the parts of a copy to those of `outer`: the code before the inner loop, its body, and the code after it.
fn jam(hir: &mut Hir, outer: Node, inner: Node, copy: Node) {
    let mut is_before = true;
    for node in hir.children(copy, List::Body).collect::<Vec<_>>() {
        hir.remove(node);
        if is_before && is_loop(hir, node) {
            is_before = false;
            hir.move_all((node, List::Body), (inner, List::Body));
        } else if is_before {
            hir.insert_before(inner, node);
        } else {
            hir.insert_last(outer, List::Body, node);
        }
    }
}

/// `factor * (count / factor)`; `None` if it is the constant zero.
fn whole_groups(hir: &mut Hir, count: Blob, factor: Int) -> Option<Blob> {
    let blobs = &mut hir.blobs;
    let by = blobs.constant(factor);
    let quotient = blobs.udiv(count, by);
    let product = blobs.scaled(quotient, factor);
    (blobs.as_constant(product) != Some(Int::zero(factor.width()))).then_some(product)
}

/// Sets the bounds of both loops, and inserts the remainder loop after the other one, if there may be a remainder.
fn bound(hir: &mut Hir, outer: Node, rest: Node, count: Blob, factor: Int, most: Option<u128>) {
    let width = factor.width();
    let whole = whole_groups(hir, count, factor);
    let blobs = &mut hir.blobs;
    let last = factor.sub(Int::one(width));
    let (minus_one, minus_last) = (Int::all_ones(width), blobs.constant(Int::zero(width).sub(last)));
    let by = blobs.constant(factor);
    let room = blobs.add(width, &[count, minus_last]);
    let groups = blobs.udiv(room, by);
    let left = match whole {
        Some(whole) => {
            let negated = blobs.scaled(whole, minus_one);
            blobs.add(width, &[count, negated])
        }
        None => count,
    };
    let known = blobs.as_constant(count);
    let form = |hir: &Hir, blob: Blob| CanonExpr::of_blob(&hir.blobs, blob);
    let test = |hir: &Hir, pred: IntPredicate, blob: Blob| {
        let refs = [form(hir, blob), CanonExpr::of_constant(last)].map(RegDdRef::terminal);
        Predicate::new(Compare::Int(pred), refs)
    };
    let groups = form(hir, groups);
    let of_groups = known.is_none().then(|| test(hir, IntPredicate::Uge, count));
    hir.edit_loop(outer, |of| {
        set_upper(of, groups);
        of.ztt.extend(of_groups);
        of.most = most.map(|most| most.saturating_sub(last.bits()) / factor.bits());
    });
    let known_left = hir.blobs.as_constant(left);
    if known_left == Some(last) {
        return;
    }
    let of_rest = known_left.is_none().then(|| test(hir, IntPredicate::Ne, left));
    let left = form(hir, left);
    hir.edit_loop(rest, |of| {
        set_upper(of, left);
        of.ztt.extend(of_rest);
        of.name = format!("{}.rest", of.name).into();
        let longest = last.bits() - 1;
        of.most = Some(of.most.map_or(longest, |most| most.min(longest)));
    });
    hir.insert_after(outer, rest);
}

/// Unrolls and jams the loops of a region that contain a single innermost loop.
pub fn run(hir: &mut Hir, region: Node, factor: u64, profit: Profit) -> Vec<Outcome> {
    perfect::run(hir, region);
    let mut outcomes = Vec::new();
    for outer in loops_in(hir, region) {
        let has_innermost = |inner: Node| is_loop(hir, inner) && loops_in(hir, inner).len() == 1;
        let depth = loops_in(hir, outer).len();
        if depth > 1 && !hir.children(outer, List::Body).any(has_innermost) {
            // Loops with a nested nest are handled at that nest.
            if !hir.children(outer, List::Body).any(|node| is_loop(hir, node)) {
                outcomes.push(Outcome::of(hir, outer, Err(TransformMissed::NotPerfect)));
            }
            continue;
        }
        let is_inner = depth == 1 && hir.parent_loop(outer).is_some();
        let legal = check(hir, outer, factor).and_then(|legal| decide(hir, &legal, profit).map(|()| legal));
        let outcome = Outcome::attempt(
            hir,
            outer,
            legal,
            |legal| TransformDone::UnrolledAndJammed(legal.factor()),
            apply,
        );
        if !is_inner {
            outcomes.push(outcome);
        }
    }
    outcomes
}
