//! Transforms of nests.
//!
//! Each is a file of its own in three parts that can be read, and called, alone: `check` says whether a loop or nest may be
//! transformed so, by the graph of dependences and the structure of the tree alone, or why not ([`Missed`]); `decide` says
//! whether it should; `apply` takes what `check` gave and cannot fail. `run` does all three on the loops of a region.
//!
//! | transform | module |
//! |---|---|
//! | strip-mining: a loop of strips of a loop | [`strip_mine`] |
//! | what several ask of a nest: structure, what may be reordered, variables | `legal` |
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
//! so that whatever is written in others is not seen. Lowering finds for each read the writes that reach it.

mod legal;
mod rewrite;
pub mod strip_mine;

use std::fmt;

/// What was done to a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// It was made of strips of so many iterations.
    StripMined(u64),
}

/// Why a loop is left as it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// How often it runs is not known when it is entered.
    NotCounted,
    /// It has no more iterations than one strip.
    OneStrip,
    /// The factor is less than two, or more than the type of its count can say.
    Factor,
}

impl Done {
    /// What it is called in remarks.
    pub fn name(self) -> &'static str {
        match self {
            Self::StripMined(_) => "StripMined",
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
        }
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StripMined(size) => write!(f, "strip-mined by {size}"),
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotCounted => "how often it runs is not known when it is entered",
            Self::OneStrip => "it has no more iterations than one strip",
            Self::Factor => "the factor is too small, or too large for the type of the count",
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
}
