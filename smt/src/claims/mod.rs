//! Checks an analysis's claims about one function directly from their definitions in docs/semantics.md, without an
//! analysis of our own.
//!
//! First the function is unrolled up to a bound. A run within the bound that ends without UB and violates a claim
//! refutes it, and is returned as a witness for an interpreter. If no run exceeds the bound, or the claim is only about
//! points before any loop, the absence of such a run is a proof. Then all loops are opened at once (see
//! [`induction`](self)): each header is visited once in an arbitrary state, and the claims about arrivals are proved
//! from one arrival to the next. Claims that fail are dropped as hypotheses until the remaining ones prove each other
//! (Houdini). This second step refutes nothing.
//!
//! Only a run that ends without UB violates a claim; poison leaves excuse it.
//!
//! | file | holds |
//! |---|---|
//! | `subject` | what a claim is checked as |
//! | `points` | where it is looked at |
//! | `evaluate`, `exact` | expressions and no-wrap flags in terms |
//! | `goals`, `counts` | the conditions that violate it |
//! | `ask` | batches of questions to the solver |
//! | `bounded`, `induction` | the two methods |

mod ask;
mod bounded;
mod counts;
mod evaluate;
mod exact;
mod goals;
mod induction;
mod points;
mod subject;

pub use backedge_claim::derive::{Subject, subjects};
pub use exact::Form;

use crate::encode::world::Uninit;
use crate::limits::Limits;
use crate::refinement::{Edge, FunctionRef, ModelApproximation, Reason as ModelReason, Witness};
use crate::solver::{Cost, UnknownReason};
use backedge_claim::claim::Claims;
use backedge_ir::entity::{Block, EntitySet};
use backedge_ir::inst::Value;
use backedge_ir::module::Module;
use points::Graph;
use std::time::{Duration, Instant};

/// Parameters and limits of a check.
#[derive(Clone, Debug)]
pub struct ClaimOptions {
    /// Maximum number of backedges per entry of a loop in the search for runs.
    pub bound: u32,
    /// Resource units of the solver for all queries together.
    pub units: u64,
    /// Wall-clock time for the whole check.
    pub time: Duration,
    /// Megabytes per query.
    pub memory: u32,
    /// The result of reading uninitialized memory.
    pub uninit: Uninit,
    /// Whether to prove claims that hold within the bound for all iterations.
    pub induction: bool,
}

impl Default for ClaimOptions {
    fn default() -> Self {
        Self {
            bound: 4,
            units: 60_000_000,
            time: Duration::from_secs(60),
            memory: 4096,
            uninit: Uninit::Undef,
            induction: true,
        }
    }
}

/// The method that proved a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// The claim is trivially true.
    SaysNothing,
    /// No run exceeds the bound, and none within it violates the claim.
    Unrolled,
    /// The claim is only about points before any loop, and no run violates it.
    BeforeLoops,
    /// Induction from one iteration to the next.
    Induction,
}

/// Why a claim is undecided.
#[derive(Clone, Debug)]
pub enum Reason {
    /// A part of the claim is not modelled.
    Claim(String),
    /// A part of the function is not modelled, or a limit was reached.
    Model(ModelReason),
    /// The solver gave up.
    Solver(UnknownReason),
    /// The claim does not follow from one iteration to the next with the known facts. It may still hold.
    NotInductive,
    /// A proof for all iterations was not requested.
    NotAsked,
}

/// The result for a claim.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The claim holds in all runs.
    Proved(Method),
    /// The claim holds in all runs within the bound.
    Bounded {
        /// The bound: backedges per entry of a loop.
        bound: u32,
        /// Why other runs are undecided.
        beyond: Reason,
    },
    /// A run within the bound violates the claim. Running the witness must confirm it.
    Refuted {
        /// The run. The function is the source; choices and calls of the target are empty.
        witness: Box<Witness>,
        /// The header of the loop that the claim is about, and the number of the arrival, from 0.
        at: Option<(Block, u64)>,
        /// The form in which a flag of a sum or product fails.
        form: Option<Form>,
        /// Whether no value shows the violation within the bound: a flag or range of a recurrence is wrong by its
        /// definition, but whenever a value defined by it executes, that value is poison or the recurrence is in range.
        hidden: bool,
    },
    /// Not decided.
    Inconclusive(Reason),
}

/// A claim with its verdict.
#[derive(Clone, Debug)]
pub struct ClaimVerdict {
    /// The checked subject.
    pub subject: Subject,
    /// The verdict.
    pub verdict: Verdict,
}

/// The verdicts on all requested claims.
#[derive(Clone, Debug)]
pub struct ClaimReport {
    /// One verdict per subject, in the requested order.
    pub verdicts: Vec<ClaimVerdict>,
    /// Whether inputs (arguments, initial memory, answers of calls) were assumed to have no undef bits although they
    /// may have some: proofs then only cover inputs without undef bits.
    pub assumes_no_undef_inputs: bool,
    /// Blocks not reached by any run found that ends within the bound without UB; [`Verdict::Bounded`] does not cover
    /// them. Blocks that are unreachable in the CFG are not listed.
    pub unreached_blocks: Vec<Block>,
    /// Edges not reached in the same sense, between reached blocks.
    pub unreached_edges: Vec<Edge>,
    /// The cost of the queries.
    pub cost: Cost,
    /// The approximations of the model: a refutation may be due to one of them, a proof is not.
    pub approximations: Vec<ModelApproximation>,
}

/// Checks the `selected` subjects of `claims` on all runs of their function in `module`.
pub fn check_claims(
    module: &Module,
    claims: &Claims,
    selected: &[Subject],
    options: &ClaimOptions,
) -> ClaimReport {
    let function = FunctionRef { module, func: claims.func };
    let start = Instant::now();
    let limits = |time| Limits::new(start, time, options.units);
    // The time that the search for runs leaves is for proofs.
    let search = if options.induction { options.time / 2 } else { options.time };
    let mut report = ClaimReport {
        verdicts: Vec::new(),
        assumes_no_undef_inputs: crate::refinement::inputs::may_be_undef(function, function),
        unreached_blocks: Vec::new(),
        unreached_edges: Vec::new(),
        cost: Cost::default(),
        approximations: Vec::new(),
    };
    let Some(body) = module.body(claims.func) else {
        let none = Verdict::Inconclusive(Reason::Claim("a function without a modelled body".to_owned()));
        report.verdicts =
            selected.iter().map(|s| ClaimVerdict { subject: *s, verdict: none.clone() }).collect();
        return report;
    };
    let graph = Graph::new(body);
    let mut question = Question { function, claims, graph: &graph, options, limits: limits(search) };
    let mut verdicts = bounded::check(&question, selected, &mut report);
    if options.induction {
        question.limits = limits(options.time);
        induction::improve(&question, selected, &mut verdicts, &mut report);
    }
    let pairs = selected.iter().zip(verdicts);
    report.verdicts = pairs.map(|(subject, verdict)| ClaimVerdict { subject: *subject, verdict }).collect();
    report
}

/// The question, with the data that both methods need.
struct Question<'a> {
    function: FunctionRef<'a>,
    claims: &'a Claims,
    graph: &'a Graph<'a>,
    options: &'a ClaimOptions,
    limits: Limits,
}

impl Question<'_> {
    /// The observations that the claims need.
    fn plan(&self, open: Option<u32>) -> crate::encode::observed::Plan {
        let mut plan = crate::encode::observed::Plan { open, ..Default::default() };
        let body = self.graph.body;
        let mut keep: EntitySet<_> = EntitySet::new();
        let mut note = |value: Value| match value {
            Value::Inst(inst) => {
                keep.insert(inst);
            }
            Value::Const(c) if !plan.constants.contains(&c) => plan.constants.push(c),
            Value::Arg(_) | Value::Const(_) => {}
        };
        subject::values_of(self.claims).into_iter().for_each(&mut note);
        if open.is_some() {
            // The values that arrive at headers are checked on the edges.
            for natural in &self.graph.loops.loops {
                for phi in body.phis(natural.header) {
                    body.inst(phi).operands.iter().copied().for_each(&mut note);
                }
            }
        }
        plan.keep = keep;
        plan.loops = self.graph.loops.loops.iter().map(|l| (l.header, l.blocks.clone())).collect();
        plan
    }
}
