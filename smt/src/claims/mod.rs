//! Checks claims of an analysis on one function, straight from what they mean: no analysis of our own takes part.
//!
//! First the function is unrolled up to a bound: a run within the bound that ends without undefined behaviour and
//! violates a claim refutes it, and is given as a witness to be run again by an interpreter. Where no run passes the
//! bound, or the claim is on points that come before any loop, that there is no such run is a proof. Then all loops
//! are opened at once (see [`induction`](self)): each header is visited once in an arbitrary state, and what the
//! claims say of arrivals is proved from one arrival to the next, claims that fail being dropped as hypotheses until
//! those left prove each other (Houdini). Nothing is refuted by that.
//!
//! A claim is violated only by a run that ends without undefined behaviour; poison leaves are excused.
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

/// How hard to try.
#[derive(Clone, Debug)]
pub struct ClaimOptions {
    /// At most so many backedges per entry of a loop in runs that are looked for.
    pub bound: u32,
    /// Resource units of the solver for all questions together.
    pub units: u64,
    /// Wall-clock time for everything together.
    pub time: Duration,
    /// Megabytes for a question.
    pub memory: u32,
    /// What reading uninitialised memory gives.
    pub uninit: Uninit,
    /// Whether claims that hold within the bound are to be proved for all iterations.
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

/// How a claim was proved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// It says nothing.
    SaysNothing,
    /// No run passes the bound, and none within it violates the claim.
    Unrolled,
    /// It is looked at before any loop only, and no run violates it.
    BeforeLoops,
    /// From one iteration to the next.
    Induction,
}

/// Why a question was not decided.
#[derive(Clone, Debug)]
pub enum Reason {
    /// That of the claim is not modelled.
    Claim(String),
    /// That of the function is not modelled, or a limit was reached.
    Model(ModelReason),
    /// The solver gave up.
    Solver(UnknownReason),
    /// It does not follow from one iteration to the next with the facts at hand. It may hold all the same.
    NotInductive,
    /// A proof for all iterations was not asked for.
    NotAsked,
}

/// What was found of a claim.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds in all runs.
    Proved(Method),
    /// It holds in all runs within the bound.
    Bounded {
        /// The bound: backedges per entry of a loop.
        bound: u32,
        /// Why nothing is said of the others.
        beyond: Reason,
    },
    /// A run within the bound violates it. To be confirmed by running it.
    Refuted {
        /// The run. The function counts as the source; choices and calls of the target are empty.
        witness: Box<Witness>,
        /// The header of the loop that the claim speaks of there, and the number of the arrival, from 0.
        at: Option<(Block, u64)>,
        /// In which form a flag of a sum or product fails.
        form: Option<Form>,
        /// Whether no value shows it within the bound: a flag or range of a recurrence is wrong by its definition, but
        /// whenever a value that is stated in it executes, that is poison or the recurrence in range.
        hidden: bool,
    },
    /// Not decided.
    Inconclusive(Reason),
}

/// A claim with what was found.
#[derive(Clone, Debug)]
pub struct ClaimVerdict {
    /// What was checked.
    pub subject: Subject,
    /// What was found.
    pub verdict: Verdict,
}

/// What was found of all claims that were asked about.
#[derive(Clone, Debug)]
pub struct ClaimReport {
    /// One for each subject, in the order asked.
    pub verdicts: Vec<ClaimVerdict>,
    /// Whether inputs (arguments, initial memory, answers of calls) were taken to have no undefined bits, which they
    /// may have: what is proved is proved of the others.
    pub assumes_no_undef_inputs: bool,
    /// Blocks that no run within the bound was found to reach that ends within it without undefined behaviour: what
    /// [`Verdict::Bounded`] says nothing about. Blocks that can't be reached at all are not listed.
    pub unreached_blocks: Vec<Block>,
    /// The same of edges between blocks that are reached.
    pub unreached_edges: Vec<Edge>,
    /// What the questions used up.
    pub cost: Cost,
    /// Where the model is coarser than the language: a refutation may be due to it, a proof is not.
    pub approximations: Vec<ModelApproximation>,
}

/// Checks those of `claims` that are `selected` on all runs of their function of `module`.
pub fn check_claims(
    module: &Module,
    claims: &Claims,
    selected: &[Subject],
    options: &ClaimOptions,
) -> ClaimReport {
    let function = FunctionRef { module, func: claims.func };
    let start = Instant::now();
    let limits = |time| Limits::new(start, time, options.units);
    // What the search for runs leaves is for proofs.
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

/// What is asked, with what both methods need.
struct Question<'a> {
    function: FunctionRef<'a>,
    claims: &'a Claims,
    graph: &'a Graph<'a>,
    options: &'a ClaimOptions,
    limits: Limits,
}

impl Question<'_> {
    /// What is to be observed of the function.
    fn plan(&self, open: Option<u32>) -> crate::encode::observe::Plan {
        let mut plan = crate::encode::observe::Plan { open, ..Default::default() };
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
            // What comes to headers is looked at on the edges.
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
