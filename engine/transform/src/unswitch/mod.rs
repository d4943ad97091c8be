//! `simple-loop-unswitch`: takes decisions that are the same in all iterations out of the loop.
//!
//! *Trivial*: an exit that is taken in the first iteration or never, before anything has happened, is taken in front of
//! the loop.
//!
//! ```text
//! preheader → header: br c, exit, body        preheader: br c, exit, header' → header → body
//! ```
//! Needs a loop in loop simplify form and LCSSA form, and restores both. What the branch in front of the loop depends on
//! is frozen where it may be poison or undef and the loop need not have branched on it: parts of a conjunction. Where
//! it is the whole condition, the loop branches on it first thing, so that it was undefined behaviour already.

mod apply;
mod branch;
mod check;
mod condition;
mod effects;
mod known;

use crate::clone::Uncopyable;
use crate::form;
use crate::pass::{LoopPass, Unit};
use backedge_ir::entity::Block;
use check::{Exits, Facts};
use condition::Invariant;
use std::fmt;

pub use crate::rotate::FormPart;

/// The pass's name.
pub const NAME: &str = "simple-loop-unswitch";

/// How many exits are taken in front of one loop.
const MAX_TRIVIAL: usize = 64;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// Exits are taken in front of the loop.
    Trivial {
        /// How many branches and switches.
        branches: usize,
    },
}

impl Done {
    /// The name of what was done.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Trivial { .. } => "Trivial",
        }
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trivial { branches } => write!(f, "took {branches} exit(s) in front of the loop"),
        }
    }
}

/// Why a loop is not unswitched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// The loop is not in loop simplify form.
    NotSimplified(FormPart),
    /// No exit can be taken in front of the loop, and nothing else was asked for.
    NoTrivialExit,
    /// The loop can't be copied.
    Uncopyable(Uncopyable),
}

impl Missed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified(_) => "NotSimplified",
            Self::NoTrivialExit => "NoTrivialExit",
            Self::Uncopyable(why) => why.name(),
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified(FormPart::Preheader) => f.write_str("the loop has no preheader"),
            Self::NotSimplified(FormPart::SingleBackedge) => f.write_str("the loop has several backedges"),
            Self::NotSimplified(FormPart::DedicatedExits) => {
                f.write_str("an exit block is entered from outside the loop too")
            }
            Self::NoTrivialExit => f.write_str("no exit is settled before the loop is entered"),
            Self::Uncopyable(why) => why.fmt(f),
        }
    }
}

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SimpleLoopUnswitch {
    /// Whether exits are taken in front of loops.
    pub trivial: bool,
}

impl Default for SimpleLoopUnswitch {
    fn default() -> Self {
        Self { trivial: true }
    }
}

impl LoopPass for SimpleLoopUnswitch {
    fn text(&self) -> String {
        NAME.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        match self.unswitch(unit, header) {
            Ok(Some(done)) => unit.remark(NAME, header, done),
            Ok(None) => {}
            Err(missed) => unit.remark(NAME, header, missed),
        }
        unit.shape().loops.with_header(header).map(|_| header)
    }
}

impl SimpleLoopUnswitch {
    fn unswitch(&self, unit: &mut Unit<'_>, header: Block) -> Result<Option<Done>, Missed> {
        let mut branches = 0;
        while self.trivial && branches < MAX_TRIVIAL && take_exit(unit, header)? {
            branches += 1;
        }
        if branches > 0 {
            return Ok(Some(Done::Trivial { branches }));
        }
        Err(Missed::NoTrivialExit)
    }
}

/// What is so of the loop with that header, if it is one.
fn facts_of(unit: &mut Unit<'_>, header: Block) -> Result<Option<Facts>, Missed> {
    let shape = unit.shape();
    let Some(l) = shape.loops.with_header(header) else { return Ok(None) };
    check::check(unit.body(), &shape, l).map(Some)
}

/// Takes one exit in front of the loop, if there is one to take.
fn take_exit(unit: &mut Unit<'_>, header: Block) -> Result<bool, Missed> {
    let Some(facts) = facts_of(unit, header)? else { return Ok(false) };
    let shape = unit.shape();
    let Some(trivial) = check::trivial(unit.at(), &shape, &facts) else { return Ok(false) };
    let freeze = match &trivial.exits {
        Exits::Branch { invariant: Invariant::Parts { parts, .. }, .. } => {
            check::maybe_undefined(unit.at(), &facts, parts)
        }
        Exits::Branch { .. } | Exits::Switch(_) => Vec::new(),
    };
    apply::take_exit(&mut unit.editor(), &shape, &facts, &trivial, &freeze);
    form::restore(unit);
    Ok(true)
}
