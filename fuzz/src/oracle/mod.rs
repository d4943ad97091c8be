//! What is asked of programs and of what an optimizer makes of them. Each oracle is a file with one function that can be
//! called on one input, and a type for what it finds.
//!
//! | file | the question |
//! |---|---|
//! | `text` | does a printed module read as itself? |
//! | `optimize` | do passes leave code that is right, without a panic, within bounds of work, memory and size? |
//! | `trees` | do passes on trees of nests leave loops and trees in form? (asked by `optimize`) |
//! | `runs` | does the target do on many inputs what the source allows? |
//! | `claims` | does what scalar evolution says hold on runs? |
//! | `dependences` | do graphs of dependences allow what runs show? |
//! | `forms` | are closed forms of trees what runs compute? |
//! | `proof` | does what was proved hold on runs? |
//! | `encoder` | do the interpreter and the solver's encoding say the same of a run? |
//! | `settling` | do passes come to an end if they run again and again? |
//! | `again` | does a pass that promises so change nothing the second time? |
//!
//! An end that does not come is not found by a clock here, so that what is found is the same on every machine: work is
//! counted. Who runs oracles must stop them from outside if they run on forever.

pub mod again;
pub mod claims;
pub mod dependences;
pub mod encoder;
pub mod forms;
pub mod optimize;
mod position;
pub mod proof;
pub mod runs;
pub mod settling;
pub mod text;
pub mod trees;

use std::fmt;

/// Something that an oracle found.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// A module does not read as it was printed.
    Text(text::Misread),
    /// A pass broke a rule of its work.
    Optimizer(optimize::Fault),
    /// The target does what the source does not allow.
    Miscompile(runs::Miscompile),
    /// A claim is wrong.
    Claim(claims::WrongClaim),
    /// A dependence has no edge.
    Dependence(Box<dependences::Uncovered>),
    /// A closed form is wrong.
    Form(Box<forms::WrongForm>),
    /// A verdict is wrong.
    Verdict(proof::WrongVerdict),
    /// Interpreter and encoder differ.
    Encoder(encoder::Disagreement),
    /// Passes undo each other, or never have enough.
    Settling(settling::Unsettled),
    /// A pass is not done after the first time.
    Again(again::Unfinished),
}

impl Finding {
    /// The oracle's name.
    pub fn oracle(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Optimizer(_) => "optimize",
            Self::Miscompile(_) => "runs",
            Self::Claim(_) => "claims",
            Self::Dependence(_) => "dependences",
            Self::Form(_) => "forms",
            Self::Verdict(_) => "proof",
            Self::Encoder(_) => "encoder",
            Self::Settling(_) => "settling",
            Self::Again(_) => "again",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.oracle())?;
        match self {
            Self::Text(found) => write!(f, "{found}"),
            Self::Optimizer(found) => write!(f, "{found}"),
            Self::Miscompile(found) => write!(f, "{found}"),
            Self::Claim(found) => write!(f, "{found}"),
            Self::Dependence(found) => write!(f, "{found}"),
            Self::Form(found) => write!(f, "{found}"),
            Self::Verdict(found) => write!(f, "{found}"),
            Self::Encoder(found) => write!(f, "{found}"),
            Self::Settling(found) => write!(f, "{found}"),
            Self::Again(found) => write!(f, "{found}"),
        }
    }
}

macro_rules! from {
    ($($variant:ident = $ty:ty,)*) => {
        $(impl From<$ty> for Finding {
            fn from(found: $ty) -> Self {
                Self::$variant(found)
            }
        })*
    };
}

from! {
    Text = text::Misread,
    Optimizer = optimize::Fault,
    Miscompile = runs::Miscompile,
    Claim = claims::WrongClaim,
    Dependence = Box<dependences::Uncovered>,
    Form = Box<forms::WrongForm>,
    Verdict = proof::WrongVerdict,
    Encoder = encoder::Disagreement,
    Settling = settling::Unsettled,
    Again = again::Unfinished,
}
