//! Two memory references as a system of inequalities over ℤ.
//!
//! # The question
//!
//! Let the first reference, `A`, execute in iterations `i1, i2, …` of the loops around it, and the second, `B`, in
//! iterations `i1 + d1, …` of the loops around both, and `j…` of its own loops. They touch a common byte exactly if
//! the address of `A` minus that of `B` is greater than minus the size of `A`, and less than the size of `B`. The
//! system has a solution for each such pair of executions; if it is unsatisfiable, the references are independent.
//!
//! # Wrapping arithmetic
//!
//! Closed forms denote values modulo 2^w (see [`crate::canon`]), so a form must not be equated with its value in ℤ. A
//! subscript is its linear form *plus 2^w times an unknown integer*, bounded by the range of its type; the unknown is
//! omitted only if the linear form cannot leave that range. An address is likewise the sum of its dimensions as
//! signed plus 2^w times an unknown, unless the reference is `nusw` ([`crate::MemRef::flags`]). Then the address is
//! that sum, and because no object wraps around the end of memory, two addresses with common bytes differ by less
//! than their sizes in ℤ, without a multiple of 2^w.
//!
//! # Variables
//!
//! A variable is one unknown for both executions if it provably has the same value in both ([`PairPlace::same_from`]),
//! and two unknowns otherwise. Each is bounded by its known range, or replaced by its definition if that is a form of
//! the same iterations, or a conversion or sum of such forms ([`PairPlace::computed_by`]). The product of an induction
//! variable and a blob is an unknown too; the fact that it advances by the distance times the blob between the two
//! executions is kept separately ([`Advance`]).
//!
//! If dimensions were recovered from one subscript, no subscript leaves its row ([`crate::MemRef::flat`]): elements
//! of the same array coincide only if all their subscripts are equal.
//!
//! Loop bounds become inequalities if they cannot wrap and depend only on variables that the region does not write.
//! The same holds for the guards of an access, from the loops and ifs around it (`super::guards`).

mod addresses;
mod conditions;
mod forms;

use super::facts::Facts;
use super::solve::{Interval, Linear, System, Var};
use super::vector::Directions;
use crate::blob::{Blob, Temp};
use crate::canon::CanonExpr;
use crate::ddref::{MemRef, RegDdRef};
use crate::node::{Hir, HlInst, Node};
use backedge_ir::inst::IntPredicate;
use rustc_hash::FxHashMap;

/// No system is built for integers wider than this many bits.
const WIDEST: u32 = 64;

/// Limit on the variables replaced by their definitions in one system.
const MOST_COMPUTED: u32 = 8;

/// One of the two references.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum PairSide {
    A,
    B,
}

/// A reference at its place: the induction variables of its loops are iteration numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'h> {
    pub(super) mem: &'h MemRef,
    /// The number of bytes touched; `None` if unknown.
    pub(super) bytes: Option<i128>,
    /// The loops around it, outermost first.
    pub(super) loops: &'h [Node],
    /// The guards under which it executes.
    pub(super) guards: &'h [Guard<'h>],
}

/// A comparison of integers.
pub(super) type Guard<'h> = (IntPredicate, &'h [RegDdRef; 2]);

/// Facts about the places of both references.
pub(super) trait PairPlace {
    /// The least number of outermost loops whose iterations must be equal in both executions for the variable to have
    /// the same value in both; `None` if no number is known to suffice.
    fn same_from(&self, temp: Temp) -> Option<usize>;
    /// Whether the region does not write the variable.
    fn is_invariant(&self, temp: Temp) -> bool;
    /// The instruction that computed the variable as read by an access, in the same iterations of all loops around
    /// the instruction; `None` if unknown.
    fn computed_by(&self, temp: Temp, side: PairSide) -> Option<&HlInst>;
}

/// `advance = blob * distance`, where `distance` is the distance of a loop.
#[derive(Clone, Copy, Debug)]
struct Advance {
    level: usize,
    advance: Var,
    distance: Var,
    blob: Var,
}

/// The system of a pair, with its unknowns.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) system: System,
    /// The distance for each loop around both; `None` if it is assumed to be zero.
    pub(super) distances: Vec<Option<Var>>,
    advances: Vec<Advance>,
}

impl Pair {
    /// Restricts a level to one of the three directions.
    pub(super) fn restrict(&mut self, level: usize, to: Directions) {
        let Some(distance) = self.distances[level] else { return };
        let domain = match to {
            Directions::LESS => Interval { lo: Some(1), hi: None },
            Directions::EQUAL => Interval::ZERO,
            Directions::GREATER => Interval { lo: None, hi: Some(-1) },
            _ => return,
        };
        self.system.restrict(distance, domain);
        for at in 0..self.advances.len() {
            let advance = self.advances[at];
            if advance.level == level {
                self.advance_by(advance, to);
            }
        }
    }
    /// Adds the consequences of the sign of the distance for a product.
    fn advance_by(&mut self, Advance { advance, distance, blob, .. }: Advance, to: Directions) {
        if to == Directions::EQUAL {
            return self.system.restrict(advance, Interval::ZERO);
        }
        let Interval { lo, hi } = self.system.domain(blob);
        let mut at_least = |minuend: &Linear, subtrahend: Linear| {
            let mut difference = minuend.clone();
            if difference.add(&subtrahend, -1).is_some() {
                self.system.require(&difference, Interval { lo: Some(0), hi: None });
            }
        };
        let scaled = |var: Var, by: i128| Linear { terms: vec![(var, by)], constant: 0 };
        let product = scaled(advance, 1);
        let is_later = to == Directions::LESS;
        // lo <= blob <= hi, multiplied by the distance; a negative distance swaps the bounds.
        let (below, above) = if is_later { (lo, hi) } else { (hi, lo) };
        if let Some(by) = below.filter(|by| by.unsigned_abs() < 1 << 64) {
            at_least(&product, scaled(distance, by));
        }
        if let Some(by) = above.filter(|by| by.unsigned_abs() < 1 << 64) {
            at_least(&scaled(distance, by), product.clone());
        }
        // A nonnegative blob times at least one iteration is at least the blob.
        if lo.is_some_and(|lo| lo >= 0) {
            if is_later {
                at_least(&product, scaled(blob, 1));
            } else {
                at_least(&scaled(blob, -1), product);
            }
        }
    }
}

/// Builds systems for two references.
pub(super) struct Builder<'h, P> {
    pub(super) hir: &'h Hir,
    pub(super) region: Node,
    pub(super) facts: &'h Facts,
    pub(super) a: Subject<'h>,
    pub(super) b: Subject<'h>,
    /// The number of loops around both.
    pub(super) common: usize,
    pub(super) place: P,
}

/// A system under construction.
struct Making<'m, 'h, P> {
    of: &'m Builder<'h, P>,
    /// The number of outermost loops whose distance is assumed to be zero.
    equal: usize,
    system: System,
    /// The iterations of the loops around `A`.
    first: Vec<Var>,
    /// The iterations of the loops around `B`.
    second: Vec<Linear>,
    distances: Vec<Option<Var>>,
    blobs: FxHashMap<(Blob, Option<PairSide>), Var>,
    products: FxHashMap<(Blob, usize, PairSide), Linear>,
    advances: Vec<Advance>,
    /// Linear forms of added blobs.
    terms: FxHashMap<(Blob, Option<PairSide>), Linear>,
    /// The number of variables that may still be replaced by their definitions.
    left: u32,
}

impl<P: PairPlace> Builder<'_, P> {
    /// The system for executions in equal iterations of the `equal` outermost loops. `None` if nothing can be proved.
    pub(super) fn pair(&self, equal: usize) -> Option<Pair> {
        let mut making = Making {
            of: self,
            equal,
            system: System::default(),
            first: Vec::new(),
            second: Vec::new(),
            distances: Vec::new(),
            blobs: FxHashMap::default(),
            products: FxHashMap::default(),
            advances: Vec::new(),
            terms: FxHashMap::default(),
            left: MOST_COMPUTED,
        };
        making.iterations();
        making.bounds();
        making.addresses()?;
        let Making { system, distances, advances, .. } = making;
        Some(Pair { system, distances, advances })
    }
    /// Whether a blob has the same value in both executions, in equal iterations of the `equal` outermost loops.
    fn is_same(&self, blob: Blob, equal: usize) -> bool {
        let temps = self.hir.blobs.temps_in([blob]);
        temps.into_iter().all(|t| self.place.same_from(t).is_some_and(|from| from <= equal))
    }
    fn is_same_form(&self, form: &CanonExpr, equal: usize) -> bool {
        form.ivs().iter().all(|(level, _)| *level as usize <= equal)
            && form.all_blobs().all(|blob| self.is_same(blob, equal))
    }
}
