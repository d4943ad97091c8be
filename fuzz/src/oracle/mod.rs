//! Oracles for programs and for the output of an optimizer. Each oracle is a file with one function that checks one
//! input, and a type for its findings.
//!
//! | file | question |
//! |---|---|
//! | `text` | does a printed module parse to itself? |
//! | `optimize` | do passes leave valid code, without a panic and within bounds on work, memory and size? |
//! | `trees` | do HIR passes leave loops and trees in canonical form? (called by `optimize`) |
//! | `runs` | does the target refine the source on many inputs? |
//! | `claims` | do claims of scalar evolution hold on runs? |
//! | `dependences` | do dependence graphs cover the dependences in runs? |
//! | `forms` | do closed forms of trees match runs? |
//! | `proof` | do proofs hold on runs? |
//! | `encoder` | do the interpreter and the SMT encoding agree on a run? |
//! | `settling` | do repeated runs of passes reach a fixed point? |
//! | `again` | does a pass that promises idempotence change nothing in a second run? |
//!
//! Oracles count work instead of measuring time, so that findings are the same on every machine. They do not detect
//! nontermination; the caller must stop an oracle that does not end.

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

/// A finding of an oracle.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// A printed module does not parse to itself.
    Text(text::Misread),
    /// A pass broke a rule.
    Optimizer(optimize::Fault),
    /// The target does not refine the source.
    Miscompile(runs::Miscompile),
    /// A claim of scalar evolution is wrong.
    Claim(claims::WrongClaim),
    /// A dependence has no edge in the graph.
    Dependence(Box<dependences::Uncovered>),
    /// A closed form is wrong.
    Form(Box<forms::WrongForm>),
    /// A verdict is wrong.
    Verdict(proof::WrongVerdict),
    /// Interpreter and encoder differ.
    Encoder(encoder::Disagreement),
    /// Passes undo each other's changes, or never stop changing code.
    Settling(settling::Unsettled),
    /// A second run of an idempotent pass changed the code.
    Again(again::Unfinished),
}

impl Finding {
    /// The name of the oracle.
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
