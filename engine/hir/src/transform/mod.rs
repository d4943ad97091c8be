//! Transforms of nests.
//!
//! Each is a file of its own in three parts that can be read, and called, alone: `check` says whether a loop or nest may be
//! transformed so, by the graph of dependences and the structure of the tree alone, or why not ([`Missed`]); `decide` says
//! whether it should, unless nobody asks ([`Profit`]); `apply` takes what `check` gave and cannot fail. `run` does all three on the loops of a region.
//!
//! | transform | module |
//! |---|---|
//! | strip-mining: a loop of strips of a loop | [`strip_mine`] |
//! | interchange: the inner loop becomes the outer one | [`interchange`] |
//! | tiling: a nest is executed box by box | [`tile`] |
//! | unroll-and-jam: several iterations of the outer of two loops are executed as one | [`unroll_and_jam`] |
//! | distribution: the body of a loop is divided among several | [`distribute`] |
//! | fusion: two loops become one | [`fuse`] |
//! | copies of variables are put out of nests, which several do first | [`perfect`] |
//! | variables with which iterations combine something in any order | `reduction` |
//! | what several ask of a nest: structure, what may be reordered, variables | `legal`; of a perfect one: `band` |
//! | what is asked of a loop whose iterations are taken several at a time | `cut` |
//! | how much of memory is gone through | `locality` |
//! | what is weighed, and whether it is | [`Profit`] |
//! | closed forms in other loops | `rewrite` |
//!
//! # What all of them rely on
//!
//! A transform executes what the nest executed, the same nodes in the same iterations on the same values, in another order.
//! So everything that is undefined in it was undefined in the nest, if all of the nest was executed: if its loops are counted
//! and left by their ends alone, and nothing in it may not return or is seen by others where it happens
//! ([`crate::node::HlInst::reorderable`]). That is asked of whatever changes the order of iterations. Values are the same if
//! no two accesses that depend on each other change places. What has no edge is independent, and an edge that is assumed is
//! never reasoned about.
//!
//! Of variables, those are no matter whose values stay in one iteration: they are written anew in each before they are read,
//! so that whatever is written in others is not seen. Lowering finds for each read the writes that reach it. What is summed
//! up over all iterations is the other case: integers have one sum in any order.

mod band;
mod cut;
pub mod distribute;
pub mod fuse;
pub mod interchange;
mod legal;
mod locality;
pub mod perfect;
mod profit;
mod reduction;
mod rewrite;
pub mod strip_mine;
pub mod tile;
pub mod unroll_and_jam;

pub(crate) use legal::chain;
pub use profit::{Gain, Profit};

use crate::barrier::Barrier;
use std::fmt;

/// What was done to a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// It was made of strips of so many iterations.
    StripMined(u64),
    /// It was exchanged with the loop in it.
    Interchanged,
    /// The nest of so many loops from it on is executed in tiles of so many iterations of each.
    Tiled {
        /// How many loops.
        depth: usize,
        /// Iterations of each loop in a tile.
        size: u64,
    },
    /// So many iterations are executed as one.
    UnrolledAndJammed(u64),
    /// It was divided into so many loops.
    Distributed(usize),
    /// The loop behind it became part of it.
    Fused,
}

/// Why a loop is left as it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// It has no bounds: how often it runs is not known when it is entered, or it is left elsewhere than at its end.
    NotCounted,
    /// It has no more iterations than one strip.
    OneStrip,
    /// The factor is less than two.
    Factor,
    /// There is no loop in it.
    NoNest,
    /// More is in its body than one loop.
    NotPerfect,
    /// How often the loop in it runs differs from one iteration to another.
    Bounds,
    /// It can be left other than by its end.
    SeveralExits,
    /// A loop in it may not end.
    MayNotEnd,
    /// An instruction in it must not be reordered.
    Order,
    /// There is no graph of its dependences.
    NoGraph,
    /// A variable has a value from an iteration in another.
    Scalar,
    /// The last value of a variable is read behind it.
    LiveOut,
    /// A dependence is assumed.
    Assumed,
    /// A dependence does not allow it.
    Dependence,
    /// A goto in it leads from one part of its body to another.
    Control,
    /// A variable connects all parts of its body: it would have to be kept for each iteration.
    Expansion,
    /// No loop stands behind it.
    NoNeighbour,
    /// Between it and the loop behind it something stands that must stay there.
    Between(Barrier),
    /// Something is done under the test of a loop, in front of it or behind it, that would have to be moved.
    Parts,
    /// The loop behind it does not run as often, or that is not known.
    OtherCount,
    /// It is too large.
    TooLarge,
    /// It may be done, but nothing is gained by it.
    NotWorthIt(Gain),
}

impl Done {
    /// What it is called in remarks.
    pub fn name(self) -> &'static str {
        match self {
            Self::StripMined(_) => "StripMined",
            Self::Interchanged => "Interchanged",
            Self::Tiled { .. } => "Tiled",
            Self::UnrolledAndJammed(_) => "UnrolledAndJammed",
            Self::Distributed(_) => "Distributed",
            Self::Fused => "Fused",
        }
    }
}

impl Missed {
    /// What it is called in remarks.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotCounted => "NotCounted",
            Self::OneStrip => "OneStrip",
            Self::Factor => "Factor",
            Self::NoNest => "NoNest",
            Self::NotPerfect => "NotPerfect",
            Self::Bounds => "Bounds",
            Self::SeveralExits => "SeveralExits",
            Self::MayNotEnd => "MayNotEnd",
            Self::Order => "Order",
            Self::NoGraph => "NoGraph",
            Self::Scalar => "Scalar",
            Self::LiveOut => "LiveOut",
            Self::Assumed => "Assumed",
            Self::Dependence => "Dependence",
            Self::Control => "Control",
            Self::Expansion => "Expansion",
            Self::NoNeighbour => "NoNeighbour",
            Self::Between(_) => "Between",
            Self::Parts => "Parts",
            Self::OtherCount => "OtherCount",
            Self::TooLarge => "TooLarge",
            Self::NotWorthIt(_) => "NotWorthIt",
        }
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StripMined(size) => write!(f, "strip-mined by {size}"),
            Self::Interchanged => f.write_str("interchanged with the loop in it"),
            Self::Tiled { depth, size } => write!(f, "tiled {depth} loops by {size}"),
            Self::UnrolledAndJammed(factor) => write!(f, "unrolled and jammed by {factor}"),
            Self::Distributed(parts) => write!(f, "distributed into {parts} loops"),
            Self::Fused => f.write_str("fused with the loop behind it"),
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotWorthIt(gain) => return write!(f, "nothing is gained by it: {gain}"),
            Self::Between(barrier) => return write!(f, "{barrier} stands between it and the loop behind it"),
            Self::NotCounted => {
                "it has no bounds: it is not left at its end (loop-rotate helps), or how often it runs is not known before"
            }
            Self::OneStrip => "it has no more iterations than one strip",
            Self::Factor => "the factor is less than two",
            Self::NoNest => "there is no loop in it",
            Self::NotPerfect => "more is in its body than one loop",
            Self::Bounds => "how often a loop in it runs differs from iteration to iteration",
            Self::SeveralExits => "it can be left other than by its end",
            Self::MayNotEnd => "a loop in it may not end",
            Self::Order => "an instruction in it must not be reordered",
            Self::NoGraph => "there is no graph of its dependences",
            Self::Scalar => "a variable has a value from an iteration in another",
            Self::LiveOut => "the last value of a variable is read behind it",
            Self::Assumed => "a dependence is assumed",
            Self::Dependence => "a dependence does not allow it",
            Self::Control => "a goto leads from one part of its body to another",
            Self::Expansion => "a variable connects the parts of its body",
            Self::NoNeighbour => "no loop stands behind it",
            Self::Parts => "something is done under the test of a loop, in front of it or behind it",
            Self::OtherCount => "the loop behind it does not run as often",
            Self::TooLarge => "it is too large",
        })
    }
}

/// What became of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// What the loop is called: the name of its header.
    pub header: Box<str>,
    /// What was done to it, or why nothing.
    pub result: Result<Done, Missed>,
}

impl Outcome {
    fn of(hir: &crate::Hir, l: crate::Node, result: Result<Done, Missed>) -> Self {
        let header = match hir.kind(l) {
            crate::node::Kind::Loop(of) => of.name.clone(),
            _ => Box::default(),
        };
        Self { header, result }
    }
    /// What comes of a loop that may and should be transformed, or why it is not: it is, with `apply`.
    fn attempt<L, T>(
        hir: &mut crate::Hir,
        l: crate::Node,
        legal: Result<L, Missed>,
        done: impl FnOnce(&L) -> Done,
        apply: impl FnOnce(&mut crate::Hir, L) -> T,
    ) -> Self {
        let outcome = Self::of(hir, l, legal.as_ref().map(done).map_err(|missed| *missed));
        if let Ok(legal) = legal {
            apply(hir, legal);
        }
        outcome
    }
}
