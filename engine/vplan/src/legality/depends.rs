//! Memory dependences between iterations: the number of lanes that may execute together, and the accesses that need
//! run-time checks.
//!
//! In vector code an instruction executes for all lanes before the next one in linear order. So for an access `a` and
//! an access `b` that is later in linear order, only one order changes: that of `b` in an iteration and `a` in a later
//! iteration of the same vector. If both can touch the same bytes `d` iterations apart, fewer than `d + 1` lanes may
//! execute together, so the number of lanes is at most the least such `d`. `a` still executes before `b` of the same
//! and of later iterations, and an instruction executes its lanes in order. This holds for fixed-length vectors with
//! and without interleaving; the lanes of all parts count together.
//!
//! For addresses `a0 + s * i` and `b0 + s * i`, with equal constant steps and a constant difference, the bytes `d`
//! iterations apart are compared modulo the size of the address space, for each distance in turn, so wrapping needs no
//! assumptions. Other pairs need run-time checks ([`super::checks`]) unless alias analysis separates them.
//!
//! Stores of reduction results execute after the vector loop in their original order, so they do not conflict with each
//! other. Any other access to the same bytes conflicts at all distances, because the stores' addresses are invariant.

use super::access::Access;
use super::checks::{self, Checks};
use super::{Form, LegalityMissed, Limits};
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations};
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::{Expr, ScalarEvolution};

/// Limit for the number of lanes of all interleaved parts: each distance below it is tested. Dependences at greater
/// distances do not matter.
pub const MOST_LANES: u32 = 256;

/// The constraints that memory dependences impose on vectorization.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// The maximum number of lanes of all interleaved parts together; `None` if there is no limit.
    pub most_lanes: Option<u32>,
    /// The run-time checks before the vector loop, if any are needed.
    pub checks: Option<Checks>,
}

/// The relation of two accesses.
enum Relation {
    /// They never touch the same bytes, or only at distances that exceed the number of lanes.
    Apart,
    /// They touch the same bytes this many iterations apart.
    Within(u32),
    /// Unknown: a run-time check is needed.
    Unknown,
}

pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    accesses: &[Access],
    deferred: &[(Inst, Inst)],
    taken: Expr,
    limits: Limits,
) -> Result<Dependences, LegalityMissed> {
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
    // A vector has at least two lanes.
    if most.is_some_and(|lanes| lanes < 2) {
        return Err(LegalityMissed::UnsafeDependence);
    }
    let checks = match unknown.is_empty() {
        true => None,
        false => Some(checks::plan(scev, form, accesses, taken, &unknown, limits)?),
    };
    Ok(Dependences { most_lanes: most, checks })
}

/// The relation of `a` and `b`, which is later in linear order.
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
        Some(difference) => {
            match (Spacing { difference, step, bytes: [a.bytes, b.bytes] }).first_conflict() {
                Some(distance) => Relation::Within(distance),
                None => Relation::Apart,
            }
        }
        None => Relation::Unknown,
    }
}

/// Two accesses, `a` and `b`, that advance by the same step.
#[derive(Copy, Clone, Debug)]
pub(super) struct Spacing {
    /// The bytes from `a` to `b` of the same iteration.
    pub(super) difference: Int,
    /// The bytes by which both advance per iteration.
    pub(super) step: i64,
    /// The bytes that each accesses.
    pub(super) bytes: [u64; 2],
}

impl Spacing {
    /// The least distance from 1 to [`MOST_LANES`] - 1 at which `b` overlaps `a` of that many iterations later.
    pub(super) fn first_conflict(self) -> Option<u32> {
        let [of_a, of_b] = self.bytes;
        let step = Int::from_i128(self.difference.width(), self.step.into());
        let mut ahead = self.difference;
        for distance in 1..MOST_LANES {
            // The distance in bytes from `a` to `b`.
            ahead = ahead.sub(step);
            let apart = ahead.bits() >= u128::from(of_a) && ahead.neg().bits() >= u128::from(of_b);
            if !apart {
                return Some(distance);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a byte-by-byte enumeration in an address space of 2^8.
    #[test]
    fn conflicts_match_byte_enumeration() {
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
                    let bytes = [of_a, of_b];
                    let difference = Int::from_i128(8, difference);
                    let got = Spacing { difference, step, bytes }.first_conflict();
                    assert_eq!(got, expected, "{difference} {step} {of_a} {of_b}");
                    found += usize::from(got.is_some());
                }
            }
        }
        assert!(found > 1000, "{found}");
    }
}
