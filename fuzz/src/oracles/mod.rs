//! Oracles for programs and for the output of an optimizer. To add an oracle, add its file here, and one line to the
//! list below: names, campaigns and the command line follow from the list.
//!
//! An oracle's file has a function `check` that checks one input, a type for its findings, and a unit struct that
//! implements [`Oracle`]. Besides the oracles of the list there is
//!
//! | file | question |
//! |---|---|
//! | `optimize` | do passes leave valid code, without a panic and within bounds on work, memory and size? |
//! | `trees` | do HIR passes leave loops and trees in canonical form? (called by `optimize`) |
//!
//! which accompany every run of passes. `oracle` and `label` are the interface; `position` has code that oracles for
//! loop nests share.
//!
//! Oracles count work instead of measuring time, so that findings are the same on every machine. They do not detect
//! nontermination; the caller must stop an oracle that does not end.

pub mod again;
pub mod claims;
pub mod dependences;
pub mod encoder;
pub mod forms;
pub mod label;
pub mod optimize;
mod oracle;
mod position;
pub mod proof;
pub mod runs;
pub mod settling;
pub mod text;
pub mod trees;

pub use label::{Evidence, Label};
pub use oracle::{FunctionCase, Judge, Oracle, PairCase, PipelineCase, Work};

use std::fmt;

/// Derives from the list of oracles: [`OracleId`], and [`Finding`] with its conversions.
macro_rules! oracles {
    ($($module:ident::$name:ident finds $finding:ty,)*) => {
        /// An oracle of the list; its name is the name of its file.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum OracleId {
            $(
                #[doc = concat!("See [`", stringify!($module), "`].")]
                $name,
            )*
        }

        impl OracleId {
            /// All oracles, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name of the oracle.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($module),)*
                }
            }
            /// The oracle.
            pub fn oracle(self) -> &'static dyn Oracle {
                match self {
                    $(Self::$name => &$module::$name,)*
                }
            }
        }

        /// A finding of an oracle.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Finding {
            /// A pass broke a rule.
            Optimizer(optimize::Fault),
            $(
                #[doc = concat!("A finding of [`", stringify!($module), "`].")]
                $name($finding),
            )*
        }

        impl Finding {
            /// The name of the oracle.
            pub fn oracle(&self) -> &'static str {
                match self {
                    Self::Optimizer(_) => optimize::NAME,
                    $(Self::$name(_) => OracleId::$name.name(),)*
                }
            }
            fn evidence(&self) -> &dyn Evidence {
                match self {
                    Self::Optimizer(fault) => fault,
                    $(Self::$name(finding) => finding,)*
                }
            }
        }

        $(
            impl From<$finding> for Finding {
                fn from(finding: $finding) -> Self {
                    Self::$name(finding)
                }
            }
        )*
    };
}

// Add new oracles at the end: the position of an oracle determines which programs it examines (`Shares::asks`).
oracles! {
    runs::Runs finds runs::Miscompile,
    proof::Proof finds proof::WrongVerdict,
    claims::Claims finds claims::WrongClaim,
    text::Text finds text::Misread,
    encoder::Encoder finds encoder::Disagreement,
    settling::Settling finds settling::Unsettled,
    again::Again finds again::Unfinished,
    dependences::Dependences finds Box<dependences::Uncovered>,
    forms::Forms finds Box<forms::WrongForm>,
}

impl OracleId {
    /// Looks up an oracle by name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|oracle| oracle.name() == name)
    }
    /// The names of all oracles, separated by commas.
    pub fn names() -> String {
        Self::ALL.iter().map(|oracle| oracle.name()).collect::<Vec<_>>().join(", ")
    }
}

impl From<optimize::Fault> for Finding {
    fn from(fault: optimize::Fault) -> Self {
        Self::Optimizer(fault)
    }
}

impl Finding {
    /// The properties by which campaigns group findings.
    pub fn label(&self) -> Label {
        self.evidence().label()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.oracle(), self.evidence())
    }
}
