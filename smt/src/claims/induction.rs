//! Proves claims for all runs: every loop is opened, and properties of arrivals at a header are proved from one arrival
//! to the next.
//!
//! Hypotheses are the claims checked after the phis of a header, and a few auxiliary facts (see [`Prover::own`]). A
//! hypothesis is assumed in the visit of its header, which represents an arbitrary arrival. It is proved on the edges
//! to the header: on entry edges, where the arrival number is 0, and on backedges, where the number is one more than in
//! the visit. Hypotheses that cannot be proved are dropped until the remaining ones prove each other (Houdini:
//! Flanagan, Leino 2001). A proof may use only hypotheses of earlier visits: those of later visits are about later
//! points and must not be used.
//!
//! The absence of UB is assumed for the whole run, including the part after the checked place up to the next backedge:
//! a run that violates a claim and later has UB refutes nothing.
//!
//! The remaining hypotheses hold in all runs, and the other claims are proved from them.

use crate::claims::ask::{Asker, ConditionStatus, Premises};
use crate::claims::bounded::{Encoded, encode, narrowed, without_ub};
use crate::claims::counts::Count;
use crate::claims::evaluate::{Evaluator, Modelled};
use crate::claims::goals::{Goal, Goals, Instance, Violation};
use crate::claims::points::Point;
use crate::claims::subject::target;
use crate::claims::{ClaimReport, Method, Question, Reason, Subject, Verdict, subject, subjects};
use crate::encode::observed::Observed;
use crate::encode::value::Sym;
use crate::encode::world::World;
use crate::refinement::Reason as ModelReason;
use crate::solver::Answer;
use crate::term::{Op, Term};
use backedge_claim::claim::{ClaimKind, CountKind};
use backedge_claim::expr::Node;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use rustc_hash::FxHashMap;

/// Tries to prove for all runs the claims that are only known up to the bound, or undecided.
pub(super) fn improve(
    question: &Question<'_>,
    selected: &[Subject],
    verdicts: &mut [Verdict],
    report: &mut ClaimReport,
) {
    let open = |v: &Verdict| match v {
        Verdict::Bounded { .. } | Verdict::Inconclusive(Reason::Solver(_)) => true,
        Verdict::Inconclusive(Reason::Model(ModelReason::Time | ModelReason::TooLarge { .. })) => true,
        Verdict::Inconclusive(_) | Verdict::Proved(_) | Verdict::Refuted { .. } => false,
    };
    if !verdicts.iter().any(open) {
        return;
    }
    let mut asker = Asker {
        options: question.options,
        limits: question.limits,
        units: question.options.units,
        cost: report.cost,
    };
    let found = prove(question, selected, &mut asker);
    report.cost = asker.cost;
    for (i, verdict) in verdicts.iter_mut().enumerate().filter(|(_, v)| open(v)) {
        let outcome = match &found {
            Ok(list) => list[i].clone(),
            Err(reason) => Err(reason.clone()),
        };
        match (outcome, verdict) {
            (Ok(()), verdict) => *verdict = Verdict::Proved(Method::Induction),
            (Err(reason), Verdict::Bounded { beyond, .. }) => *beyond = reason,
            (Err(_), _) => {}
        }
    }
}

/// Number of bits of the iteration number beyond the width of the widest expression, so that the number does not wrap
/// before an expression does.
const SPARE_BITS: u32 = 6;

fn prove(
    question: &Question<'_>,
    selected: &[Subject],
    asker: &mut Asker<'_>,
) -> Result<Vec<Result<(), Reason>>, Reason> {
    let exprs = &question.claims.exprs;
    let layout = &question.function.module.env.layout;
    let width = |ty: backedge_ir::types::Type| {
        ty.int_bits().or_else(|| ty.ptr_space().map(|space| layout.index_bits(space))).unwrap_or(1)
    };
    let widest = exprs.iter().map(|(id, _)| width(exprs.ty(id))).max().unwrap_or(1).min(128);
    let plan = question.plan(Some(widest + SPARE_BITS));
    let mut encoded = encode(question, &plan).map_err(Reason::Model)?;
    if encoded.world.needs_undef_mask || encoded.world.layout.undef {
        return Err(Reason::Claim("undef in memory, in a proof by induction".to_owned()));
    }
    // Unknown memory contains no pointer to an argument's own block. This holds at the entry, but not at a header.
    if encoded.world.layout.pointers && encoded.world.blocks.len() as u32 > encoded.world.global_count {
        let why = "pointers in memory and parameters with memory of their own, in a proof by induction";
        return Err(Reason::Claim(why.to_owned()));
    }
    let observed = std::mem::take(&mut encoded.observed);
    let no_ub = without_ub(&mut encoded);
    Prover { question, encoded, observed: &observed, no_ub, asker, meanings: Vec::new(), phis: Vec::new() }
        .run(selected)
}

struct Prover<'p, 'a, 'o> {
    question: &'p Question<'a>,
    encoded: Encoded,
    observed: &'p Observed,
    no_ub: Term,
    asker: &'p mut Asker<'o>,
    /// Definitions of product variables, which are added only when needed.
    meanings: Vec<(Term, Term)>,
    /// The claims about the values of header phis.
    phis: Vec<Phi>,
}

/// A header phi with a claim about its value.
#[derive(Clone, Copy, Debug)]
struct Phi {
    claim: Subject,
    inst: Inst,
    /// The phi's bits and poison flag in the visit of the header; both are variables.
    bits: Term,
    poison: Term,
    /// Whether the expression has no value there, and its bits.
    none: Term,
    expr: Term,
}

/// A fact about arrivals at a header.
#[derive(Debug)]
struct Hypothesis {
    edges: Vec<Instance>,
    visits: Vec<Instance>,
    says: Says,
}

/// The goal of a subject, or why it has none.
type Asked = Result<Goal, Reason>;

/// The statement of a hypothesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Says {
    /// The subject's claim about arrivals.
    Subject(Subject),
    /// The phi is not poison.
    Defined(Inst),
    /// Another auxiliary fact.
    Own,
}

impl Prover<'_, '_, '_> {
    fn run(&mut self, selected: &[Subject]) -> Result<Vec<Result<(), Reason>>, Reason> {
        // Subjects that are not selected may still serve as hypotheses.
        let all = subjects(self.question.claims);
        let (goals, own) = self.goals(&all);
        let mut hypotheses: Vec<Hypothesis> = Vec::new();
        for (subject, goal) in all.iter().zip(&goals) {
            if let Ok(goal) = goal
                && !goal.edges.is_empty()
            {
                let (edges, visits) = (goal.edges.clone(), goal.visits.clone());
                hypotheses.push(Hypothesis { edges, visits, says: Says::Subject(*subject) });
            }
        }
        hypotheses.extend(own.into_iter().map(|(says, goal)| Hypothesis {
            edges: goal.edges,
            visits: goal.visits,
            says,
        }));
        let hypotheses = self.settle(hypotheses);
        let facts: Vec<Term> = hypotheses.iter().flat_map(|h| &h.visits).map(|v| v.condition).collect();
        let terms = &mut self.encoded.world.terms;
        let given: Vec<Term> = facts.into_iter().map(|f| terms.not(f)).collect();
        self.is_sure(&given)?;
        let wanted: Vec<(Subject, Asked)> = selected
            .iter()
            .map(|s| (*s, all.iter().position(|a| a == s)))
            .map(|(s, at)| (s, at.map_or(Err(Reason::NotInductive), |i| goals[i].clone())))
            .collect();
        Ok(self.rest(&wanted, &hypotheses, &given))
    }
    /// Checks that no run was left out because undef bits were chosen once.
    fn is_sure(&mut self, given: &[Term]) -> Result<(), Reason> {
        let narrowed = narrowed(self.question, &mut self.encoded.world);
        let mut all = given.to_vec();
        all.extend([self.no_ub, narrowed]);
        match self.asker.ask(&mut self.encoded.world, &all)? {
            Answer::Unsat => Ok(()),
            Answer::Sat(_) => Err(Reason::Model(ModelReason::UndefChosenOnce)),
            Answer::Unknown(reason) => Err(Reason::Solver(reason)),
        }
    }
    /// The results for the subjects that follow from the proved hypotheses.
    fn rest(
        &mut self,
        wanted: &[(Subject, Asked)],
        hypotheses: &[Hypothesis],
        given: &[Term],
    ) -> Vec<Result<(), Reason>> {
        let terms = &mut self.encoded.world.terms;
        let conditions: Vec<Term> = wanted
            .iter()
            .map(|(subject, goal)| {
                let Ok(goal) = goal else { return terms.bool(false) };
                let shown = hypotheses.iter().any(|h| h.says == Says::Subject(*subject));
                let arrivals = goal.visits.iter().filter(|_| !shown);
                let all: Vec<Term> = arrivals.chain(&goal.elsewhere).map(|i| i.condition).collect();
                terms.or_all(all)
            })
            .collect();
        let premises = Premises { no_ub: self.no_ub, facts: given };
        let mut batch = self.asker.each(&mut self.encoded.world, premises, &conditions, None);
        // The remaining conditions are asked with phis in closed form, and with multiplications where the closed forms
        // have some.
        let never = self.encoded.world.terms.bool(false);
        let open = |f: &Option<ConditionStatus>| !matches!(f, Some(ConditionStatus::Never));
        let left = batch.found.iter().zip(&conditions);
        let left: Vec<Term> = left.map(|(f, c)| if open(f) { *c } else { never }).collect();
        let mut replaced = self.closed_forms(hypotheses);
        for &(low, meant) in &self.meanings {
            let meant = self.encoded.world.terms.substitute(meant, &replaced);
            replaced.insert(low, meant);
        }
        if left.iter().any(|c| *c != never) && !replaced.is_empty() {
            let terms = &mut self.encoded.world.terms;
            let (left, given) =
                (terms.substitute_all(&left, &replaced), terms.substitute_all(given, &replaced));
            let premises = Premises { no_ub: terms.substitute(self.no_ub, &replaced), facts: &given };
            batch = self.asker.each(&mut self.encoded.world, premises, &left, None);
        }
        wanted
            .iter()
            .zip(batch.found)
            .map(|((_, goal), found)| match (goal, found) {
                (Err(reason), _) => Err(reason.clone()),
                (Ok(_), Some(ConditionStatus::Unknown(reason))) => Err(reason),
                (Ok(_), Some(ConditionStatus::Never)) => Ok(()),
                (Ok(_), Some(ConditionStatus::Holds(_)) | None) => Err(Reason::NotInductive),
            })
            .collect()
    }

    /// The goals of the subjects, and the auxiliary facts.
    fn goals(&mut self, selected: &[Subject]) -> (Vec<Asked>, Vec<(Says, Goal)>) {
        let question = self.question;
        let env = &question.function.module.env;
        let evaluator = Evaluator::new(env, &question.claims.exprs, self.observed, true);
        let mut maker = Goals::new(evaluator, question.graph, question.claims);
        let world = &mut self.encoded.world;
        let goals = selected
            .iter()
            .map(|subject| match subject::goal(&mut maker, world, question.claims, *subject) {
                Ok(goal) => Ok(goal.unwrap_or_default()),
                Err(why) => Err(Reason::Claim(why.0)),
            })
            .collect();
        let own = own(question, &mut maker, world);
        self.phis = phis(question, &mut maker, world);
        self.meanings = maker.e.meanings;
        (goals, own)
    }

    /// Replacements for phis that are proved to have their claimed values in each visit of their header. Where the
    /// header is not visited or a phi is poison, its bits are arbitrary, so the replacement is valid there too.
    fn closed_forms(&mut self, hypotheses: &[Hypothesis]) -> FxHashMap<Term, Term> {
        let mut forms: FxHashMap<Term, Term> = FxHashMap::default();
        for phi in self.phis.clone() {
            let proved = hypotheses.iter().any(|h| h.says == Says::Subject(phi.claim));
            let defined = hypotheses.iter().any(|h| h.says == Says::Defined(phi.inst));
            let terms = &mut self.encoded.world.terms;
            let (none, expr) = (terms.substitute(phi.none, &forms), terms.substitute(phi.expr, &forms));
            let circular = terms.variables(&[expr, none]).contains(&phi.bits);
            if !proved || circular || forms.contains_key(&phi.bits) {
                continue;
            }
            let bits = terms.ite(none, phi.bits, expr);
            forms.insert(phi.bits, bits);
            if defined {
                let no = terms.bool(false);
                forms.insert(phi.poison, no);
            }
        }
        forms
    }

    /// Drops hypotheses until the remaining ones prove each other.
    fn settle(&mut self, mut hypotheses: Vec<Hypothesis>) -> Vec<Hypothesis> {
        loop {
            let mut conditions = Vec::new();
            for hypothesis in &hypotheses {
                let all: Vec<Term> = hypothesis.edges.iter().map(|e| self.under(e, &hypotheses)).collect();
                conditions.push(self.encoded.world.terms.or_all(all));
            }
            let premises = Premises { no_ub: self.no_ub, facts: &[] };
            let batch = self.asker.each(&mut self.encoded.world, premises, &conditions, None);
            let before = hypotheses.len();
            let mut kept = batch.found.iter().map(|f| matches!(f, Some(ConditionStatus::Never)));
            hypotheses.retain(|_| kept.next() == Some(true));
            if hypotheses.len() == before {
                return hypotheses;
            }
        }
    }
    /// An instance under the hypotheses of earlier visits.
    fn under(&mut self, instance: &Instance, hypotheses: &[Hypothesis]) -> Term {
        let terms = &mut self.encoded.world.terms;
        let mut all = vec![instance.condition];
        for fact in hypotheses.iter().flat_map(|h| &h.visits).filter(|v| v.position <= instance.position) {
            all.push(terms.not(fact.condition));
        }
        terms.and_all(all)
    }
}

/// Auxiliary facts that others may follow from: a backedge is never taken, a phi is not poison, and the count of an
/// exit whose branch is reached in each iteration bounds the number of arrivals.
fn own(question: &Question<'_>, maker: &mut Goals<'_, '_>, world: &mut World) -> Vec<(Says, Goal)> {
    let graph = question.graph;
    let mut found: Vec<(Says, Modelled<Goal>)> = Vec::new();
    for natural in &graph.loops.loops {
        let header = natural.header;
        let point = Point { block: header, at: 1 };
        let never_again = maker.at(world, point, &mut |g, w, place| {
            let Some(number) = g.e.number(w, place, header) else { return Ok(w.terms.bool(false).into()) };
            let zero = w.terms.number(1, 0);
            let first = g.compare(w, number, zero).equal;
            Ok(Violation::from(w.terms.not(first)))
        });
        found.push((Says::Own, never_again));
        for phi in graph.body.phis(header) {
            let defined = maker.at(world, point, &mut |g, w, place| {
                let scalars = g.e.sym(place, phi.into()).map(|s| s.scalars()).unwrap_or_default();
                Ok(Violation::from(w.terms.or_all(scalars.into_iter().map(|s| s.poison))))
            });
            found.push((Says::Defined(phi), defined));
        }
    }
    found.extend(flags_of_phis(question, maker, world).into_iter().map(|g| (Says::Own, g)));
    found.extend(exits(question, maker, world).into_iter().map(|g| (Says::Own, g)));
    // Facts that cannot be modelled are dropped.
    found.into_iter().filter_map(|(says, goal)| Some((says, goal.ok()?))).collect()
}

/// The counts of exits whose branch is reached in each iteration bound the number of arrivals, and are not poison after
/// the first iteration.
fn exits(question: &Question<'_>, maker: &mut Goals<'_, '_>, world: &mut World) -> Vec<Modelled<Goal>> {
    let mut found = Vec::new();
    for claim in &question.claims.claims {
        let ClaimKind::ExitCount { header, block, edge, kind: CountKind::Exact, count, predicates } =
            &claim.kind
        else {
            continue;
        };
        if target(question.graph.body, *block, *edge).is_err()
            || !is_passed_each_time(question, *header, *block)
        {
            continue;
        }
        let predicates = predicates.as_deref().unwrap_or_default();
        let count =
            Count { header: *header, kind: CountKind::Exact, count: *count, max_or_zero: false, predicates };
        found.push(maker.at_most(world, &count));
        // After a backedge the branch has been reached, so its count is not poison.
        found.push(maker.at(world, Point { block: *header, at: 1 }, &mut |g, w, place| {
            let Some(number) = g.e.number(w, place, *header) else { return Ok(w.terms.bool(false).into()) };
            let zero = w.terms.number(1, 0);
            let first = g.compare(w, number, zero).equal;
            let (value, assumed) = g.count(w, place, &count)?;
            let later = w.terms.not(first);
            let known = w.terms.not(value.nothing);
            Ok(Violation::from(w.terms.and_all([later, value.poison, known, assumed])))
        }));
    }
    found
}

/// The claims about the values of header phis, outer loops first.
fn phis(question: &Question<'_>, maker: &mut Goals<'_, '_>, world: &mut World) -> Vec<Phi> {
    let claims = &question.claims.claims;
    let mut found = Vec::new();
    for natural in &question.graph.loops.loops {
        let Some(visit) = maker.first_visit(natural.header) else { continue };
        for (index, claim) in claims.iter().enumerate() {
            let ClaimKind::Value { value: Value::Inst(inst), expr } = claim.kind else { continue };
            if maker.is_phi_of(inst.into(), natural.header).is_none() {
                continue;
            }
            let Some(Sym::Scalar(scalar)) = maker.e.sym(visit, inst.into()) else { continue };
            let Ok(value) = maker.e.value(world, visit, expr) else { continue };
            let is_variable = |t: Term| matches!(world.terms.op(t), Op::Var(_));
            let same_width = world.terms.width(scalar.bits) == world.terms.width(value.bits);
            if is_variable(scalar.bits) && is_variable(scalar.poison) && same_width {
                let claim = Subject::Claim(index);
                let (bits, poison) = (scalar.bits, scalar.poison);
                // If a leaf is poison or undef, the claim states nothing.
                let none = world.terms.or(value.poison, value.nothing);
                found.push(Phi { claim, inst, bits, poison, none, expr: value.bits });
            }
        }
    }
    found
}

/// The recurrence of a phi satisfies its flags at least where the phi is not poison.
fn flags_of_phis(
    question: &Question<'_>,
    maker: &mut Goals<'_, '_>,
    world: &mut World,
) -> Vec<Modelled<Goal>> {
    let graph = question.graph;
    let mut found = Vec::new();
    for claim in &question.claims.claims {
        let ClaimKind::Value { value: Value::Inst(inst), expr } = claim.kind else { continue };
        let node = question.claims.exprs.node(expr);
        let Node::AddRec { header, .. } = node else { continue };
        if maker.is_phi_of(inst.into(), *header).is_none() {
            continue;
        }
        for flag in node.flags().iter() {
            let ty = graph.body.ty(inst.into());
            found.push(maker.at(world, Point { block: *header, at: 1 }, &mut |g, w, place| {
                let wrong = g.violates_flag(w, place, expr, flag)?.wrong;
                let value = g.e.leaf(w, place, inst.into(), ty)?;
                let has = g.has_value(w, value);
                Ok(Violation::from(w.terms.and(wrong, has)))
            }));
        }
    }
    found
}

/// Whether `block` dominates every latch of the loop with header `header`.
fn is_passed_each_time(question: &Question<'_>, header: Block, block: Block) -> bool {
    let graph = question.graph;
    let Some(natural) = graph.loops.of_header(header) else { return false };
    let latches = graph.cfg.preds(header).iter().filter(|p| natural.blocks.contains(**p));
    natural.blocks.contains(block) && latches.into_iter().all(|l| graph.dominators.dominates(block, *l))
}
