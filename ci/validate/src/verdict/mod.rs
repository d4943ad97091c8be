//! The question and the answer, as data: options, verdicts with their reasons, refutations and cases, reports.
//!
//! Nothing here runs a function, asks the solver, or decides a verdict. The `Display` implementations hold the text for
//! people; the serialized form is the content of the JSON lines. The room imports `pair` only.
//!
//! | file | contents |
//! |---|---|
//! | `options` | limits and semantic options of a check |
//! | `mod` | verdicts, methods, assumptions |
//! | `reason` | why a verdict is inconclusive |
//! | `failure` | kinds of refinement failure |
//! | `error` | contradictions between the engines |
//! | `kind` | verdicts without details |
//! | `combine` | verdicts from verdicts |
//! | `witness` | refutations: both runs, input and environment |
//! | `case` | a pair of runs in a form that can be stored and rerun |
//! | `report` | a verdict, its evidence and its cost |
//! | `schema` | types of other crates in the JSON schema of records |

pub mod case;
mod combine;
mod error;
mod failure;
mod kind;
mod options;
mod reason;
mod report;
mod schema;
pub mod witness;

pub use backedge_smt::refinement::Uninit;
pub use case::Case;
pub use error::InternalError;
pub use failure::Failure;
pub use kind::VerdictKind;
pub use options::Options;
pub use reason::{Reason, Suspicion};
pub use report::Report;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use witness::{Refutation, UndefinedSource};

/// Verdict on "target refines source".
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Verdict {
    /// Refines for every input, environment and number of iterations.
    RefinesAll {
        /// Deciding method.
        method: Method,
        /// Assumptions.
        assumed: Vec<Assumption>,
    },
    /// Refines in all runs within a bound. Says nothing about longer runs.
    RefinesUpTo {
        /// Backedges taken per entry of a loop.
        bound: u32,
        /// Parts of the functions that no run within the bound reached.
        unreached: Unreached,
        /// Assumptions.
        assumed: Vec<Assumption>,
    },
    /// Does not refine, shown by two runs of the interpreter.
    Refuted(Box<Refutation>),
    /// Does not refine, but every counterexample found needs an undef input.
    RefutedByUndef {
        /// Two interpreter runs on an undef input.
        refutation: Box<Refutation>,
        /// The verdict without undef inputs; never a refutation.
        otherwise: Box<Verdict>,
    },
    /// The source is UB on every input, so that any target refines it.
    Vacuous {
        /// Deciding method.
        method: Method,
        /// One of the inputs, with the violated rule and its place.
        #[serde(default)]
        example: Option<Box<UndefinedSource>>,
    },
    /// Unknown.
    Inconclusive {
        /// Why.
        reason: Reason,
    },
    /// The interpreter did not confirm the solver's refutation: one of the two is wrong. Never counts as refuted, never
    /// as accepted.
    InternalError(Box<InternalError>),
}

/// Method that decided for all inputs and iterations.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Both functions are the same code in the same module context.
    Identical,
    /// Every input and every choice ran to its end, on both sides.
    ExhaustiveRuns,
    /// The solver's encoding covered every path: none was cut at the bound.
    AllPaths,
    /// Both run side by side: each step of the target is a step of the source on the same values.
    Simulation,
    /// Induction over iterations, with loop-header invariants that the solver proved.
    Induction,
    /// No run of either side ends or has visible effects, and the target is never UB.
    NoRunEnds,
}

/// Assumptions that do not follow from the functions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Assumption {
    /// No argument and no byte of the initial memory is poison, as [`Options::poison_inputs`] says.
    NoPoisonInputs,
    /// No argument and no byte of the initial memory is undef: the query with undef inputs was too hard.
    NoUndefInputs,
    /// These functions, which the two modules define differently and the pair calls or names, refine their sources:
    /// each is a pair of its own.
    Callees(Vec<String>),
    /// Claims of the target's attributes and metadata beyond the source's, in words (`@f is nofree`), neither proved
    /// nor refuted.
    Claims(Vec<String>),
}

/// Blocks and exiting edges, by label, that no run within the bound reached.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Unreached {
    /// In the source.
    pub source: Vec<String>,
    /// In the target.
    pub target: Vec<String>,
}

impl Unreached {
    /// Whether everything was reached.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty() && self.target.is_empty()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identical => "identical functions",
            Self::ExhaustiveRuns => "every input and choice was run",
            Self::AllPaths => "every path was encoded",
            Self::Simulation => "both run side by side",
            Self::NoRunEnds => "no run of either ends",
            Self::Induction => "from one iteration to the next",
        })
    }
}

impl fmt::Display for Unreached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |name: &str, list: &[String]| {
            (!list.is_empty()).then(|| format!("in {name}: {}", list.join(", ")))
        };
        let sides: Vec<_> =
            [side("source", &self.source), side("target", &self.target)].into_iter().flatten().collect();
        f.write_str(&sides.join("; "))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RefinesAll { method, assumed } => {
                write!(f, "{ALL_ITERATIONS} ({method}){}", assuming(assumed))
            }
            Self::RefinesUpTo { bound, unreached, assumed } => {
                let all = "every block and exit was reached".to_owned();
                let reach =
                    if unreached.is_empty() { all } else { format!("not shown to be reached {unreached}") };
                write!(f, "refines up to {bound} iterations (bounded check; {reach}){}", assuming(assumed))
            }
            Self::Refuted(refutation) => {
                write!(f, "refuted: {} ({})", refutation.failure, refutation.found_by)
            }
            Self::RefutedByUndef { refutation, otherwise } => {
                let Refutation { failure, found_by, .. } = &**refutation;
                write!(f, "refuted by an undef input: {failure} ({found_by}); if no input is undef: ")?;
                f.write_str(otherwise.to_string().trim_end_matches(IF_NO_UNDEF))
            }
            Self::Vacuous { method, example } => {
                write!(f, "vacuous: the source is always undefined ({method})")?;
                example.as_ref().map_or(Ok(()), |example| write!(f, ", {example}"))
            }
            Self::Inconclusive { reason } => write!(f, "inconclusive: {reason}"),
            Self::InternalError(error) => write!(f, "internal error: {}", error.what),
        }
    }
}

/// The text with its lines joined by spaces, and without indentation.
pub(crate) fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// Text of [`Verdict::RefinesAll`] for functions with loops, and for others.
const ALL_ITERATIONS: &str = "refines, all iterations";
const ALL_RUNS: &str = "refines";

/// Text of [`Assumption::NoUndefInputs`].
const IF_NO_UNDEF: &str = ", if no input is undef";

fn assuming(list: &[Assumption]) -> String {
    let words = list.iter().map(|assumption| match assumption {
        Assumption::NoPoisonInputs => ", if no input is poison".to_owned(),
        Assumption::NoUndefInputs => IF_NO_UNDEF.to_owned(),
        Assumption::Callees(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
            format!(
                ", if {} too",
                if let [name] = &names[..] {
                    format!("{name} refines")
                } else {
                    format!("{} refine", names.join(", "))
                }
            )
        }
        Assumption::Claims(claims) => {
            claims.iter().map(|claim| format!(", if {claim}")).collect::<Vec<_>>().concat()
        }
    });
    words.collect()
}

impl Verdict {
    /// The verdict on one line. Iterations are named only if one of the functions has loops.
    pub fn words(&self, loops: bool) -> String {
        let otherwise = |verdict: &Self| match verdict {
            Self::RefutedByUndef { otherwise, .. } => matches!(**otherwise, Self::RefinesAll { .. }),
            verdict => matches!(verdict, Self::RefinesAll { .. }),
        };
        let text = one_line(&self.to_string());
        if loops || !otherwise(self) { text } else { text.replacen(ALL_ITERATIONS, ALL_RUNS, 1) }
    }
    /// Why the verdict is inconclusive; `None` for other verdicts.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Inconclusive { reason } => Some(reason),
            Self::RefinesAll { .. }
            | Self::RefinesUpTo { .. }
            | Self::Refuted(_)
            | Self::RefutedByUndef { .. }
            | Self::Vacuous { .. }
            | Self::InternalError(_) => None,
        }
    }
    /// The refutation, with or without undef inputs; `None` for other verdicts.
    pub fn refutation(&self) -> Option<&Refutation> {
        match self {
            Self::Refuted(refutation) | Self::RefutedByUndef { refutation, .. } => Some(refutation),
            Self::RefinesAll { .. }
            | Self::RefinesUpTo { .. }
            | Self::Vacuous { .. }
            | Self::Inconclusive { .. }
            | Self::InternalError(_) => None,
        }
    }
    /// Mutable [`Verdict::refutation`].
    pub(crate) fn refutation_mut(&mut self) -> Option<&mut Refutation> {
        match self {
            Self::Refuted(refutation) | Self::RefutedByUndef { refutation, .. } => Some(refutation),
            Self::RefinesAll { .. }
            | Self::RefinesUpTo { .. }
            | Self::Vacuous { .. }
            | Self::Inconclusive { .. }
            | Self::InternalError(_) => None,
        }
    }
    /// Owned [`Verdict::refutation`].
    pub fn into_refutation(self) -> Option<Box<Refutation>> {
        match self {
            Self::Refuted(refutation) | Self::RefutedByUndef { refutation, .. } => Some(refutation),
            Self::RefinesAll { .. }
            | Self::RefinesUpTo { .. }
            | Self::Vacuous { .. }
            | Self::Inconclusive { .. }
            | Self::InternalError(_) => None,
        }
    }
}
