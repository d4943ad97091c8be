//! Verdicts on a pair of functions, as types. The `Display` implementations and [`crate::report`] hold the text for
//! people; the serialized form is the content of the JSON lines.

use crate::check::Side;
use crate::witness::{Refutation, UndefinedSource};
use backedge_ir::print::module_to_string;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Verdict on "target refines source".
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Both functions are the same code in the same module context.
    Identical,
    /// Every input and every choice ran to its end, on both sides.
    ExhaustiveRuns,
    /// The solver's encoding covered every path: none was cut at the bound.
    AllPaths,
    /// Induction over iterations, with loop-header invariants that the solver proved.
    Induction,
    /// No run of either side ends or has visible effects, and the target is never UB.
    NoRunEnds,
}

/// Assumptions that do not follow from the functions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assumption {
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
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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

/// Why nothing is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Reason {
    /// A wall-clock limit decided.
    Time {
        /// The limit in milliseconds.
        limit_ms: u64,
    },
    /// The solver's budget of resource units was used up.
    Budget {
        /// The limit in Z3's `rlimit` units.
        rlimit: u32,
    },
    /// The memory limit was reached.
    Memory {
        /// The limit in megabytes.
        limit_mb: u32,
    },
    /// Every defined run takes more iterations than the bound, or every run that reaches certain places of the source
    /// does.
    PastBound {
        /// Backedges taken per entry of a loop.
        bound: u32,
        /// The places: labels of blocks and edges as in [`Unreached`]; empty for all runs.
        #[serde(default)]
        places: Vec<String>,
    },
    /// One side takes more iterations than the bound in runs in which the other one ends at once; these runs were not
    /// compared.
    Apart {
        /// Backedges taken per entry of a loop.
        bound: u32,
        /// The side, and its behavior.
        what: String,
    },
    /// An unmodelled feature is used.
    Unsupported {
        /// The feature.
        feature: String,
        /// Where: function, block, instruction, as far as known.
        place: String,
    },
    /// The model over-approximates the language, and the answer depends on it.
    Approximation {
        /// The over-approximation.
        what: String,
    },
    /// The answer of the bounded check is inconclusive because its query over-approximates the question. A proof uses a
    /// different query.
    Inexact {
        /// The over-approximation.
        what: String,
    },
    /// A copy of the pair with narrower integers fails; no run of the pair itself confirmed it.
    Suspect {
        /// Failure of the copy.
        suspicion: Suspicion,
        /// Bound in backedges per entry of a loop up to which the pair itself refines, if known.
        bound: Option<u32>,
    },
    /// The two functions are incomparable: their signatures differ.
    Incomparable {
        /// The difference.
        what: String,
    },
    /// No run showed a violation, and the solver was disabled.
    RunsAlone {
        /// Pairs of runs compared.
        runs: u64,
        /// Compared pairs in which the source is defined.
        defined: u64,
    },
    /// The solver found a counterexample that needs an undef input, and no run confirms it. A proof for undef inputs
    /// uses a different query; a proof that excludes them is unaffected.
    UndefInput {
        /// The failure, and why no run shows it.
        what: String,
    },
    /// The solver gave up with its own message.
    Solver {
        /// The message.
        word: String,
    },
    /// The worker process of the solver could not be started, was killed externally, or got no memory from the system.
    Worker {
        /// The event.
        what: String,
    },
}

/// Failure of a copy of the pair with narrower integers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Suspicion {
    /// Bits of the copy's widest parameter.
    pub width: u32,
    /// Kind of failure.
    pub failure: Failure,
    /// Failing input.
    pub input: String,
}

/// A contradiction between two engines or a panic in one: a bug in this program, with the data needed to reproduce it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InternalError {
    /// The error.
    pub what: String,
    /// The solver's description of the unconfirmed refutation, if any.
    pub claimed: Option<String>,
    /// The source's module as text.
    pub source: String,
    /// The target's module as text.
    pub target: String,
    /// The functions compared, without `@`.
    pub functions: [String; 2],
}

impl InternalError {
    /// The error `what` in comparing `source` and `target`.
    pub fn new(what: String, claimed: Option<String>, source: Side<'_>, target: Side<'_>) -> Self {
        Self {
            what,
            claimed,
            source: module_to_string(source.module),
            target: module_to_string(target.module),
            functions: [source, target].map(|side| side.name().to_owned()),
        }
    }
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "INTERNAL ERROR: {}", self.what)?;
        if let Some(claimed) = &self.claimed {
            writeln!(f, "unconfirmed refutation:\n{claimed}")?;
        }
        let [source, target] = &self.functions;
        writeln!(
            f,
            "to reproduce it, compare @{source} of\n{}\nwith @{target} of\n{}",
            self.source, self.target
        )
    }
}

/// Kind of refinement failure, in Alive2's terms.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// Both return, different values.
    ValueMismatch,
    /// The target returns poison, the source does not.
    MorePoisonous,
    /// The target is UB, the source is not.
    MoreDefined,
    /// Memory that the caller can see differs.
    MemoryMismatch,
    /// The sequences of calls and volatile accesses differ.
    EventMismatch,
    /// The target runs forever, the source ends.
    NonTermination,
    /// The target ends, the source runs forever without an obligation to make progress.
    Termination,
}

impl Failure {
    /// Text of the failure.
    pub fn words(self) -> &'static str {
        match self {
            Self::ValueMismatch => "value mismatch",
            Self::MorePoisonous => "target is more poisonous than source",
            Self::MoreDefined => "source is more defined than target",
            Self::MemoryMismatch => "mismatch in memory",
            Self::EventMismatch => "event mismatch",
            Self::NonTermination => "target does not terminate where source does",
            Self::Termination => "target terminates where source does not",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identical => "identical functions",
            Self::ExhaustiveRuns => "every input and choice was run",
            Self::AllPaths => "every path was encoded",
            Self::NoRunEnds => "no run of either ends",
            Self::Induction => "from one iteration to the next",
        })
    }
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, failure, input } = self;
        write!(
            f,
            "suspect at i{width}: {failure} on {input}; no run at full width of at most the steps that runs are given \
             shows it"
        )
    }
}

impl Reason {
    /// The bound that runs exceed, so that a higher bound may decide.
    pub(crate) fn bound_to_raise(&self) -> Option<u32> {
        match self {
            Self::PastBound { bound, .. } | Self::Apart { bound, .. } => Some(*bound),
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time { limit_ms } => write!(f, "time limit of {limit_ms} ms"),
            Self::Budget { rlimit } => write!(f, "solver budget of {rlimit} units"),
            Self::Memory { limit_mb } => write!(f, "memory limit of {limit_mb} MB"),
            Self::PastBound { bound, places } if places.is_empty() => {
                write!(f, "every defined run takes more than {bound} iterations")
            }
            Self::PastBound { bound, places } => {
                let places = places.join(", ");
                write!(f, "no defined run of the source through {places} ends within {bound} iterations")
            }
            Self::Apart { bound, what } => write!(f, "{what}; within {bound} iterations it refines"),
            Self::Unsupported { feature, place } if place.is_empty() => write!(f, "unsupported: {feature}"),
            Self::Unsupported { feature, place } => write!(f, "unsupported: {feature} in {place}"),
            Self::Approximation { what } | Self::Inexact { what } => {
                write!(f, "approximation in the model: {what}")
            }
            Self::Suspect { suspicion, bound: None } => suspicion.fmt(f),
            Self::Suspect { suspicion, bound: Some(bound) } => {
                write!(f, "{suspicion}; it refines up to {bound} iterations")
            }
            Self::Incomparable { what } => write!(f, "not comparable: {what}"),
            Self::RunsAlone { runs, defined } => {
                write!(
                    f,
                    "no violation on {runs} pair(s) of runs, {defined} defined, and the solver is not asked"
                )
            }
            Self::UndefInput { what } => write!(f, "an undef input may refute it: {what}"),
            Self::Solver { word } => write!(f, "the solver gave up: {word}"),
            Self::Worker { what } => write!(f, "worker process: {what}"),
        }
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
                write!(f, "refines, all iterations ({method}){}", assuming(assumed))
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

/// Text of [`Assumption::NoUndefInputs`].
const IF_NO_UNDEF: &str = ", if no input is undef";

fn assuming(list: &[Assumption]) -> String {
    let words = list.iter().map(|assumption| match assumption {
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

/// A verdict without its details, for counting.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// [`Verdict::RefinesAll`].
    RefinesAll,
    /// [`Verdict::RefinesUpTo`].
    RefinesUpTo,
    /// [`Verdict::RefinesAll`] or [`Verdict::RefinesUpTo`], under [`Assumption::Claims`].
    RefinesIfClaims,
    /// [`Verdict::RefinesAll`] under [`Assumption::NoUndefInputs`].
    RefinesAllIfNoUndef,
    /// [`Verdict::RefinesUpTo`] under [`Assumption::NoUndefInputs`].
    RefinesUpToIfNoUndef,
    /// [`Verdict::Refuted`].
    Refuted,
    /// [`Verdict::RefutedByUndef`].
    RefutedByUndef,
    /// [`Verdict::Vacuous`].
    Vacuous,
    /// [`Verdict::Inconclusive`].
    Inconclusive,
    /// [`Verdict::InternalError`].
    InternalError,
}

impl Verdict {
    /// The conjunction of two verdicts: the weaker one, with the assumptions of both. `None` if they contradict each
    /// other.
    pub(crate) fn of_both(&self, other: &Self) -> Option<Self> {
        let of_both = |assumed: &[Assumption], more: &[Assumption]| {
            let more = more.iter().filter(|assumption| !assumed.contains(assumption));
            assumed.iter().chain(more).cloned().collect()
        };
        match (self, other) {
            (Self::RefinesAll { method, assumed }, Self::RefinesAll { assumed: more, .. }) => {
                Some(Self::RefinesAll { method: *method, assumed: of_both(assumed, more) })
            }
            (
                Self::RefinesUpTo { bound: lower, unreached, assumed },
                Self::RefinesUpTo { bound, assumed: more, .. },
            )
            | (
                Self::RefinesUpTo { bound, assumed: more, .. },
                Self::RefinesUpTo { bound: lower, unreached, assumed },
            ) if lower <= bound => Some(Self::RefinesUpTo {
                bound: *lower,
                unreached: unreached.clone(),
                assumed: of_both(assumed, more),
            }),
            (Self::RefinesUpTo { bound, unreached, assumed }, Self::RefinesAll { assumed: more, .. })
            | (Self::RefinesAll { assumed: more, .. }, Self::RefinesUpTo { bound, unreached, assumed }) => {
                Some(Self::RefinesUpTo {
                    bound: *bound,
                    unreached: unreached.clone(),
                    assumed: of_both(assumed, more),
                })
            }
            _ => (self.kind() == other.kind()).then(|| self.clone()),
        }
    }

    /// The verdict without its details.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Self::RefinesAll { assumed, .. } | Self::RefinesUpTo { assumed, .. }
                if assumed.iter().any(|a| matches!(a, Assumption::Claims(_))) =>
            {
                VerdictKind::RefinesIfClaims
            }
            Self::RefinesAll { assumed, .. } if assumed.contains(&Assumption::NoUndefInputs) => {
                VerdictKind::RefinesAllIfNoUndef
            }
            Self::RefinesUpTo { assumed, .. } if assumed.contains(&Assumption::NoUndefInputs) => {
                VerdictKind::RefinesUpToIfNoUndef
            }
            Self::RefinesAll { .. } => VerdictKind::RefinesAll,
            Self::RefinesUpTo { .. } => VerdictKind::RefinesUpTo,
            Self::Refuted(_) => VerdictKind::Refuted,
            Self::RefutedByUndef { .. } => VerdictKind::RefutedByUndef,
            Self::Vacuous { .. } => VerdictKind::Vacuous,
            Self::Inconclusive { .. } => VerdictKind::Inconclusive,
            Self::InternalError(_) => VerdictKind::InternalError,
        }
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

impl fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RefinesAll => "refines (all)",
            Self::RefinesUpTo => "refines (bounded)",
            Self::RefinesIfClaims => "refines (if attributes hold)",
            Self::RefinesAllIfNoUndef => "refines if no input is undef (all)",
            Self::RefinesUpToIfNoUndef => "refines if no input is undef (bounded)",
            Self::Refuted => "refuted",
            Self::RefutedByUndef => "refuted by an undef input",
            Self::Vacuous => "vacuous",
            Self::Inconclusive => "inconclusive",
            Self::InternalError => "internal error",
        })
    }
}
