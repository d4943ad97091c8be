//! Random generator of loops, as input for an optimizer. It builds the IR in memory, without a textual form in
//! between.
//!
//! A program is one function `@f`, generated from bytes: first a set of [`Knobs`], then the code. A fixed algorithm
//! expands a seed to bytes, so that findings of fuzzers and of campaigns over seeds are reproducible. Most loops are
//! bounded by construction, and many programs are well-defined on most inputs; knobs introduce the exceptions.
//!
//! | file | contents |
//! |---|---|
//! | `knobs` | features of programs |
//! | `frame` | the module, the signature, declarations |
//! | `writer` | the scope, operands, single instructions |
//! | `values` | arithmetic: flags, casts, divisions, selects, intrinsics |
//! | `memory` | memory objects, addresses, loads, stores, allocas |
//! | `metadata` | metadata on loads and calls, pointers in memory |
//! | `region` | statements, conditions, branches, switches, irreducible cycles |
//! | `nest` | loops: entry, body, latches |
//! | `affine` | nests of counted loops over memory at affine addresses |
//! | `long` | single long-running loops over such memory, and loop-carried values |
//! | `fill` | loops that fill or copy memory and whose trip count wraps |
//! | `pointer_loop` | loops that end when a pointer reaches the end of memory |
//! | `float_sums` | floating-point sums over the iterations of affine nests |
//! | `full_range` | narrow counters that run through most of their values |
//! | `loop_steps` | recurrences whose step is computed in the loop |
//! | `other_flags` | flags of casts and comparisons |
//! | `bits` | intrinsics on bits, arithmetic with an overflow bit |
//! | `exits` | exiting edges, exit blocks and their phis, code after a loop |
//! | `counter` | the tested counter: start, step, bound, test |
//! | `conditions` | conditions on the counter that change in different iterations |
//! | `recurrence` | the other header phis |
//!
//! To add a feature, add a knob at the end and code that queries [`Writer::wants`](writer::Writer::wants) for it. The
//! tests require that it makes some pass fire. Draw the decisions of that code in
//! [`Writer::aside`](writer::Writer::aside), so that programs without the feature stay the same.

mod affine;
mod bits;
mod conditions;
mod counter;
pub(crate) mod draw;
mod exits;
mod fill;
mod float_sums;
mod frame;
mod full_range;
mod knobs;
mod long;
mod loop_steps;
mod memory;
mod metadata;
mod nest;
mod other_flags;
mod pointer_loop;
mod recurrence;
mod region;
mod values;
mod writer;

pub use knobs::{Knob, Knobs};

use arbitrary::{Arbitrary, Unstructured};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use draw::Draw;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};
use std::fmt;

/// Number of bytes derived from a seed, more than almost every program needs.
const SEED_BYTES: usize = 4096;

/// The origin of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A seed.
    Seed(u64),
    /// The bytes that the generator read.
    Bytes(Vec<u8>),
}

/// A generated program.
#[derive(Clone)]
pub struct Generated {
    /// The module, whose one function with code is `@f`.
    pub module: Module,
    /// The function `@f`.
    pub func: FuncId,
    /// The enabled knobs.
    pub knobs: Knobs,
    /// The enabled knobs that had an effect on the program.
    pub used: Knobs,
    /// Knobs that were always enabled and used more often than the others.
    pub favoured: Knobs,
    /// The number of generated loops.
    pub loops: usize,
    /// The origin of the program.
    pub origin: Origin,
}

impl Generated {
    /// Generates the program of `seed`, the same on every machine.
    pub fn from_seed(seed: u64) -> Self {
        Self::from_seed_favouring(seed, Knobs::NONE)
    }
    /// Generates the program of `seed` with the `favoured` knobs enabled and used wherever they apply, in most cases.
    pub fn from_seed_favouring(seed: u64, favoured: Knobs) -> Self {
        let bytes = bytes_of_seed(seed);
        Self { origin: Origin::Seed(seed), ..Self::drawn(&bytes, None, favoured) }
    }
    /// Generates the program of `seed` with these knobs instead of the seed's own.
    pub fn with_knobs(seed: u64, knobs: Knobs) -> Self {
        let bytes = bytes_of_seed(seed);
        Self::drawn(&bytes, Some(knobs), Knobs::NONE)
    }
    /// Generates a program from arbitrary bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::from_bytes_favouring(bytes, Knobs::NONE)
    }
    /// Generates a program from bytes with the `favoured` knobs enabled and used wherever they apply, in most cases.
    pub fn from_bytes_favouring(bytes: &[u8], favoured: Knobs) -> Self {
        Self::drawn(bytes, None, favoured)
    }
    /// A Rust expression that recreates the program.
    pub fn recreating_call(&self) -> String {
        let (how, end) = match self.favoured == Knobs::NONE {
            true => ("", String::new()),
            false => ("_favouring", format!(", {:?}", self.favoured)),
        };
        match &self.origin {
            Origin::Seed(seed) => format!("Generated::from_seed{how}({seed}{end})"),
            Origin::Bytes(bytes) => format!("Generated::from_bytes{how}(&{bytes:?}{end})"),
        }
    }
    fn drawn(bytes: &[u8], given: Option<Knobs>, favoured: Knobs) -> Self {
        let later = draw::later(bytes, Knob::EARLY);
        let (mut unread, mut unread_later) = (Unstructured::new(bytes), Unstructured::new(&later));
        let (mut draw, mut later) = (Draw::new(&mut unread), Draw::new(&mut unread_later));
        let drawn = Knobs::drawn(&mut draw, &mut later);
        let knobs = favoured.iter().fold(given.unwrap_or(drawn), Knobs::with);
        let written = frame::program([draw, later], knobs, favoured);
        let read = bytes.len() - unread.len();
        Self {
            module: written.module,
            func: written.func,
            knobs,
            used: written.used,
            favoured,
            loops: written.loops,
            origin: Origin::Bytes(bytes[..read].to_vec()),
        }
    }
}

/// Expands a seed to bytes.
pub fn bytes_of_seed(seed: u64) -> [u8; SEED_BYTES] {
    let mut bytes = [0; SEED_BYTES];
    Xoshiro256PlusPlus::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes
}

impl<'a> Arbitrary<'a> for Generated {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::from_bytes(u.bytes(u.len())?))
    }
}

impl fmt::Display for Generated {
    /// The IR, and a comment with the call that recreates it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; made by {}\n; with {:?}\n",
            module_to_string(&self.module),
            self.recreating_call(),
            self.used
        )
    }
}

impl fmt::Debug for Generated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
