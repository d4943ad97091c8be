//! Transforms of nests.
//!
//! Each transform is a file with three parts that can be read and called alone. `check` decides legality from the
//! dependence graph and the structure of the tree alone, and returns a reason if the answer is no ([`TransformMissed`]).
//! `decide` weighs the profit, if the caller asks for that ([`Profit`]). `apply` takes the result of `check` and
//! cannot fail. `run` performs all three on the loops of a region.
//!
//! | transform | module |
//! |---|---|
//! | strip-mining: a loop over strips of a loop | [`strip_mine`] |
//! | interchange: the inner loop becomes the outer one | [`interchange`] |
//! | tiling: a nest is executed box by box | [`tile`] |
//! | unroll-and-jam: several iterations of the outer of two loops are executed as one | [`unroll_and_jam`] |
//! | distribution: the body of a loop is split over several loops | [`distribute`] |
//! | fusion: two loops become one | [`fuse`] |
//! | moving copies of variables out of nests, the first step of several transforms | [`perfect`] |
//! | reductions: variables that iterations may update in any order | `reduction` |
//! | shared legality checks: structure, reordering, variables | `legal`; for perfect nests: `band` |
//! | legality of executing several iterations at a time | `cut` |
//! | memory locality of a nest | `locality` |
//! | profitability policy, and the gains that are weighed | [`Profit`] |
//! | closed forms rewritten for other loops | `rewrite` |
//!
//! # Invariants that all transforms rely on
//!
//! A transform executes the nodes of the nest, in the same iterations and on the same values, in another order.
//! Therefore UB in the result implies UB in the nest, provided that the nest is executed completely: all of its loops
//! are counted and have no exit but their end, every instruction returns, and no instruction has an effect that is
//! observable where it happens ([`crate::node::HlInst::reorderable`]). Every transform that changes the order of
//! iterations requires this. Values are the same if no two dependent accesses change places. Accesses without an edge
//! are independent; assumed edges are never reasoned about.
//!
//! A variable whose values stay within one iteration does not matter: each iteration writes it before reading it, so
//! values written by other iterations are never seen. Lowering finds the reaching writes of each read. The other case
//! is a variable that accumulates over all iterations: integer sums do not depend on the order.

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

/// The transform that was applied to a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TransformDone {
    /// The loop was divided into strips of this many iterations.
    StripMined(u64),
    /// The loop was interchanged with its inner loop.
    Interchanged,
    /// The nest of `depth` loops that starts at this loop is executed in tiles.
    Tiled {
        /// Number of loops.
        depth: usize,
        /// Iterations of each loop in a tile.
        size: u64,
    },
    /// This many iterations are executed as one.
    UnrolledAndJammed(u64),
    /// The loop was split into this many loops.
    Distributed(usize),
    /// The next loop was merged into this one.
    Fused,
}

/// Why a loop is left unchanged.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TransformMissed {
    /// The loop has no bounds: its trip count is unknown on entry, or it has another exit than its end.
    NotCounted,
    /// The loop has no more iterations than one strip.
    OneStrip,
    /// The factor is less than two.
    Factor,
    /// The loop contains no loop.
    NoNest,
    /// The body contains code besides a single inner loop.
    NotPerfect,
    /// The trip count of an inner loop varies between iterations.
    Bounds,
    /// The loop has an exit other than its end.
    SeveralExits,
    /// An inner loop may not terminate.
    MayNotEnd,
    /// The loop contains an instruction that must not be reordered.
    Order,
    /// There is no dependence graph of the loop.
    NoGraph,
    /// A variable carries a value from one iteration to another.
    Scalar,
    /// The last value of a variable is read after the loop.
    LiveOut,
    /// A dependence is assumed.
    Assumed,
    /// A dependence forbids the transform.
    Dependence,
    /// A goto leads from one part of the body to another.
    Control,
    /// A variable connects all parts of the body: it would have to be expanded, with one value per iteration.
    Expansion,
    /// No loop follows this one.
    NoNeighbour,
    /// A barrier between this loop and the next one cannot be moved.
    Between(Barrier),
    /// Code under the loop's zero-trip test, before or after the loop, would have to be moved.
    Parts,
    /// The next loop has another trip count, or its trip count is unknown.
    OtherCount,
    /// The loop is too large.
    TooLarge,
    /// The transform is legal but not profitable.
    NotWorthIt(Gain),
}

impl TransformDone {
    /// The transform's name in remarks.
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

impl TransformMissed {
    /// The reason's name in remarks.
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

impl fmt::Display for TransformDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StripMined(size) => write!(f, "strip-mined by {size}"),
            Self::Interchanged => f.write_str("interchanged with its inner loop"),
            Self::Tiled { depth, size } => write!(f, "tiled {depth} loops by {size}"),
            Self::UnrolledAndJammed(factor) => write!(f, "unrolled and jammed by {factor}"),
            Self::Distributed(parts) => write!(f, "distributed into {parts} loops"),
            Self::Fused => f.write_str("fused with the next loop"),
        }
    }
}

impl fmt::Display for TransformMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotWorthIt(gain) => return write!(f, "not profitable: {gain}"),
            Self::Between(barrier) => return write!(f, "{barrier} is between it and the next loop"),
            Self::NotCounted => {
                "its trip count is unknown on entry, or its latch is not exiting (loop-rotate may help)"
            }
            Self::OneStrip => "it has no more iterations than one strip",
            Self::Factor => "the factor is less than two",
            Self::NoNest => "it contains no loop",
            Self::NotPerfect => "its body contains code besides a single inner loop",
            Self::Bounds => "the trip count of an inner loop varies between iterations",
            Self::SeveralExits => "it has an exit other than its end",
            Self::MayNotEnd => "an inner loop may not terminate",
            Self::Order => "an instruction in it must not be reordered",
            Self::NoGraph => "it has no dependence graph",
            Self::Scalar => "a variable carries a value between iterations",
            Self::LiveOut => "the last value of a variable is read after it",
            Self::Assumed => "a dependence is assumed",
            Self::Dependence => "a dependence forbids it",
            Self::Control => "a goto leads from one part of its body to another",
            Self::Expansion => "a variable connects the parts of its body",
            Self::NoNeighbour => "no loop follows it",
            Self::Parts => "code before or after a loop is under its zero-trip test",
            Self::OtherCount => "the next loop has another trip count",
            Self::TooLarge => "it is too large",
        })
    }
}

/// The outcome of a transform for one loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The loop's name: the name of its header.
    pub header: Box<str>,
    /// The applied transform, or the reason why the loop is unchanged.
    pub result: Result<TransformDone, TransformMissed>,
}

impl Outcome {
    fn of(hir: &crate::Hir, l: crate::Node, result: Result<TransformDone, TransformMissed>) -> Self {
        let header = match hir.kind(l) {
            crate::node::Kind::Loop(of) => of.name.clone(),
            _ => Box::default(),
        };
        Self { header, result }
    }
    /// The outcome of a transform whose legality and profit are decided; applies it with `apply` unless `legal` is a
    /// reason.
    fn attempt<L, T>(
        hir: &mut crate::Hir,
        l: crate::Node,
        legal: Result<L, TransformMissed>,
        done: impl FnOnce(&L) -> TransformDone,
        apply: impl FnOnce(&mut crate::Hir, L) -> T,
    ) -> Self {
        let outcome = Self::of(hir, l, legal.as_ref().map(done).map_err(|missed| *missed));
        if let Ok(legal) = legal {
            apply(hir, legal);
        }
        outcome
    }
}
