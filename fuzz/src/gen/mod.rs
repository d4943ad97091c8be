//! Loops made at random, to be put through an optimizer. Code is built in memory, without text on the way.
//!
//! A program is one function `@f`, drawn from bytes: first a set of [`Knobs`], then what stands in it. A seed makes the
//! bytes by a fixed algorithm, so that what a fuzzer finds and what a campaign over seeds finds are reproduced alike.
//! Loops are bounded by construction as a rule, and many programs are well-defined on most inputs; knobs say which of
//! them are not.
//!
//! | file | what it writes |
//! |---|---|
//! | `knobs` | what a program may have |
//! | `frame` | the module, the signature, what is declared around it |
//! | `writer` | what is in scope, operands, single instructions |
//! | `values` | arithmetic: flags, casts, divisions, selects, intrinsics |
//! | `memory` | objects, addresses, loads, stores, local objects |
//! | `region` | statements, conditions, branches, switches, cycles with two entries |
//! | `nest` | loops: how they are entered, what they do, how they go on |
//! | `affine` | nests of counted loops over memory at affine places |
//! | `long` | single loops of many iterations over such memory, and what they carry |
//! | `exits` | exiting edges, exit blocks and their phis, what comes behind a loop |
//! | `counter` | the counter that is tested: start, step, bound, test |
//! | `recurrence` | the other phis of headers |
//!
//! To add a feature: a knob, and a place that asks [`Writer::wants`](writer::Writer::wants) for it. The tests demand that
//! it makes some pass fire.

mod affine;
mod counter;
pub(crate) mod draw;
mod exits;
mod frame;
mod knobs;
mod long;
mod memory;
mod nest;
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

/// Bytes that a seed makes: more than nearly all programs need.
const SEED_BYTES: usize = 4096;

/// Where a program came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A seed.
    Seed(u64),
    /// Bytes, those that were read.
    Bytes(Vec<u8>),
}

/// A generated program.
#[derive(Clone)]
pub struct Generated {
    /// The module, whose one function with code is `@f`.
    pub module: Module,
    /// `@f`.
    pub func: FuncId,
    /// The knobs that were on.
    pub knobs: Knobs,
    /// Those of them of which there is something in it.
    pub used: Knobs,
    /// Those that were on whatever was drawn, and asked for more often than by others.
    pub favoured: Knobs,
    /// How many loops were written.
    pub loops: usize,
    /// What it was made from.
    pub origin: Origin,
}

impl Generated {
    /// The program of `seed`, the same on every machine.
    pub fn from_seed(seed: u64) -> Self {
        Self::from_seed_favouring(seed, Knobs::NONE)
    }
    /// The program of `seed` with these knobs on, and what they stand for in most places where it can be.
    pub fn from_seed_favouring(seed: u64, favoured: Knobs) -> Self {
        let bytes = bytes_of_seed(seed);
        Self { origin: Origin::Seed(seed), ..Self::drawn(&bytes, None, favoured) }
    }
    /// The program of `seed` with these knobs on instead of those that the seed would have.
    pub fn with_knobs(seed: u64, knobs: Knobs) -> Self {
        let bytes = bytes_of_seed(seed);
        Self::drawn(&bytes, Some(knobs), Knobs::NONE)
    }
    /// The program that `bytes` stand for: any bytes do.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::from_bytes_favouring(bytes, Knobs::NONE)
    }
    /// The program that `bytes` stand for with these knobs on, and what they stand for in most places where it can be.
    pub fn from_bytes_favouring(bytes: &[u8], favoured: Knobs) -> Self {
        Self::drawn(bytes, None, favoured)
    }
    /// The call that makes it again.
    pub fn made_by(&self) -> String {
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
        let mut unread = Unstructured::new(bytes);
        let mut draw = Draw::new(&mut unread);
        let drawn = Knobs::drawn(&mut draw);
        let knobs = favoured.iter().fold(given.unwrap_or(drawn), Knobs::with);
        let written = frame::program(draw, knobs, favoured);
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

/// The bytes that a seed stands for.
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
    /// The IR, and a line that says how to make it again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; made by {}\n; with {:?}\n", module_to_string(&self.module), self.made_by(), self.used)
    }
}

impl fmt::Debug for Generated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
