//! Dependences of memory between iterations: how many lanes may be computed together, and which accesses must be known to
//! lie apart first.
//!
//! In vectors an instruction is executed for all lanes before the next one in the linear order is. So of two accesses `a`
//! and, later in the linear order, `b`, what changes is the order of `b` in an iteration and `a` in a later one of the
//! same vector. If both can touch the same bytes `d` iterations apart, fewer than `d + 1` lanes may be together: the number
//! of lanes is at most the least such `d`. What `a` does is still done before what `b` does in the same and in later
//! iterations, and one instruction does its lanes in order. This holds of `vscale`-free vectors interleaved or not: lanes
//! are those of all parts together.
//!
//! With the addresses `a0 + s * i` and `b0 + s * i`, of equal constant steps and a constant difference, the bytes that are
//! `d` iterations apart are compared modulo the size of the address space, one distance after the other: nothing needs to be
//! known of wrapping. Other pairs, if they are not told apart by what the pointers are based on, are left to checks at run
//! time ([`super::checks`]).
//!
//! Stores of what reductions have come to are made behind the vector loop, in their order: two of these do not matter to each
//! other. What else touches what they do, in any iteration, does so at all distances, since they stay in place.

use super::access::Access;
use super::checks::{self, Checks};
use super::{Form, Limits, Missed};
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations};
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::{Expr, ScalarEvolution};

/// How many lanes all parts of a vector may have together: dependences that keep more apart are none.
pub const MOST_LANES: u32 = 256;

/// What memory allows.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// How many lanes may be computed together, all interleaved parts taken together; `None` if any number may.
    pub most_lanes: Option<u32>,
    /// What must be checked in front of the vector loop, if anything must.
    pub checks: Option<Checks>,
}

/// What is known of two accesses.
enum Relation {
    /// They never touch the same bytes, or not closer than lanes can be.
    Apart,
    /// They do, so many iterations apart.
    Within(u32),
    /// Nothing: they must be checked.
    Unknown,
}

pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    (accesses, deferred): (&[Access], &[(Inst, Inst)]),
    (taken, limits): (Expr, Limits),
) -> Result<Dependences, Missed> {
    let is_deferred = |a: &Access| deferred.iter().any(|(store, _)| *store == a.inst);
    let mut most = None;
    let mut unknown = Vec::new();
    for (later, b) in accesses.iter().enumerate() {
        for (earlier, a) in accesses[..later].iter().enumerate() {
            if !a.is_store && !b.is_store || is_deferred(a) && is_deferred(b) {
                continue;
            }
            match relation(scev, form, a, b) {
                Relation::Apart => {}
                Relation::Within(lanes) => most = Some(most.map_or(lanes, |m: u32| m.min(lanes))),
                Relation::Unknown => unknown.push((earlier, later)),
            }
        }
    }
    // A vector has two lanes at least.
    if most.is_some_and(|lanes| lanes < 2) {
        return Err(Missed::UnsafeDependence);
    }
    let checks = match unknown.is_empty() {
        true => None,
        false => Some(checks::plan(scev, form, (accesses, taken), &unknown, limits)?),
    };
    Ok(Dependences { most_lanes: most, checks })
}

/// How `a` and `b`, later in the linear order, are related.
fn relation(scev: &mut ScalarEvolution<'_>, form: &Form, a: &Access, b: &Access) -> Relation {
    let aliasing = Aliasing::new(scev.at);
    if aliasing.alias_accesses(a.inst, b.inst, Iterations::Any(form.l)) == AliasResult::NoAlias {
        return Relation::Apart;
    }
    let (Some((a0, step)), Some((b0, of_b))) = (a.affine, b.affine) else { return Relation::Unknown };
    if step != of_b || scev.ty(a0) != scev.ty(b0) {
        return Relation::Unknown;
    }
    let difference = scev.sub(b0, a0);
    if scev.is_could_not_compute(difference) {
        return Relation::Unknown;
    }
    match scev.as_constant(difference) {
        Some(difference) => match first_conflict(difference, step, (a.bytes, b.bytes)) {
            Some(distance) => Relation::Within(distance),
            None => Relation::Apart,
        },
        None => Relation::Unknown,
    }
}

/// The least distance, from 1 to [`MOST_LANES`] - 1, at which `b`, `difference` bytes behind `a`, touches what `a` does that many
/// iterations later.
pub(super) fn first_conflict(difference: Int, step: i64, (of_a, of_b): (u64, u64)) -> Option<u32> {
    let width = difference.width();
    let step = Int::from_i128(width, step.into());
    let mut ahead = difference;
    for distance in 1..MOST_LANES {
        // How far `b` is behind `a`.
        ahead = ahead.sub(step);
        let apart = ahead.bits() >= u128::from(of_a) && ahead.neg().bits() >= u128::from(of_b);
        if !apart {
            return Some(distance);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against bytes that are counted one by one, in an address space of 2^8.
    #[test]
    fn conflicts_are_those_of_bytes() {
        let bytes = |at: i128, size: u64| (0..size).map(move |n| (at + i128::from(n)).rem_euclid(256));
        let mut found = 0;
        for difference in -40..40i128 {
            for step in -12..=12i64 {
                for (of_a, of_b) in [(1, 1), (4, 4), (2, 8), (8, 1), (3, 5)] {
                    let conflicts = |d: u32| {
                        let a = i128::from(step) * i128::from(d);
                        bytes(a, of_a).any(|x| bytes(difference, of_b).any(|y| x == y))
                    };
                    let expected = (1..MOST_LANES).find(|d| conflicts(*d));
                    let got = first_conflict(Int::from_i128(8, difference), step, (of_a, of_b));
                    assert_eq!(got, expected, "{difference} {step} {of_a} {of_b}");
                    found += usize::from(got.is_some());
                }
            }
        }
        assert!(found > 1000, "{found}");
    }
}
