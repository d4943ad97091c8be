//! Checks claims on runs within a bound: the function is unrolled, and the solver searches for a run that violates a
//! claim.

use crate::claims::ask::{Asker, Batch, ConditionStatus, Premises};
use crate::claims::evaluate::Evaluator;
use crate::claims::goals::{Goal, Goals, Instance};
use crate::claims::{ClaimReport, Form, Method, Question, Reason, Subject, Verdict, subject};
use crate::encode::function::{Encoder, Ends};
use crate::encode::observed::{Observed, Plan};
use crate::encode::world::{ChoiceKind, Side, World};
use crate::refinement::inputs::{Given, Simple};
use crate::refinement::{Edge, Reason as ModelReason, halted, inputs, witness};
use crate::solver::Answer;
use crate::term::{Assignment, Bits, Evaluator as TermEvaluator, Term};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::InstKind;
use rustc_hash::FxHashSet;

/// An encoded function with its observations.
pub(super) struct Encoded {
    pub(super) world: World,
    pub(super) ends: Ends,
    pub(super) observed: Observed,
    pub(super) args: Vec<crate::encode::value::Sym>,
}

/// Encodes the function of the question.
pub(super) fn encode(question: &Question<'_>, plan: &Plan) -> Result<Encoded, ModelReason> {
    let options = question.options;
    let once = |undef_memory| {
        let f = question.function;
        let given = Given { uninit: options.uninit, undef: false, undef_memory, poison: true };
        let (mut world, args) = inputs::prepare(f, f, given, question.limits)?;
        let bound = if plan.open.is_some() { 0 } else { options.bound };
        let function = (f.module, f.func);
        let found = Encoder::encode_observed(&mut world, function, args.clone(), bound, plan.clone());
        let (ends, observed) = found.map_err(|halt| halted(halt, &world))?;
        Ok(Encoded { world, ends, observed, args })
    };
    let first: Encoded = once(false)?;
    if first.world.needs_undef_mask { once(true) } else { Ok(first) }
}

/// Condition that the encoded part of the run has no UB.
pub(super) fn without_ub(encoded: &mut Encoded) -> Term {
    let ub: Vec<Term> = encoded.ends.ub.iter().map(|u| u.path).collect();
    let ub = encoded.world.terms.or_all(ub);
    encoded.world.terms.not(ub)
}

/// Runs that choose undef bits once where different uses of a derived value may see different choices.
pub(super) fn narrowed(question: &Question<'_>, world: &mut World) -> Term {
    let body = question.graph.body;
    let only_frozen = |inst: Inst| {
        let uses = body.uses(inst.into());
        uses.len() <= 1 && uses.iter().all(|u| matches!(body.inst(u.user).kind, InstKind::Freeze))
    };
    let mut all = Vec::new();
    for choice in world.choices[Side::Source.index()].clone() {
        if choice.kind == ChoiceKind::Undef && !only_frozen(choice.inst) {
            let open = world.terms.is_nonzero(choice.open);
            all.push(world.terms.and(choice.made, open));
        }
    }
    world.terms.or_all(all)
}

/// Why the solver cannot refute a count of an exit that may be passed several times in an iteration.
const REPEATED_EXIT: &str = "an exit that an iteration may pass several times";

/// Checks all subjects on runs within the bound.
pub(super) fn check(question: &Question<'_>, selected: &[Subject], report: &mut ClaimReport) -> Vec<Verdict> {
    let encoded = match encode(question, &question.plan(None)) {
        Ok(encoded) => encoded,
        Err(reason) => return vec![Verdict::Inconclusive(Reason::Model(reason)); selected.len()],
    };
    // The remaining units are for proofs.
    let units = if question.options.induction { question.options.units / 2 } else { question.options.units };
    let asker = Asker { options: question.options, limits: question.limits, units, cost: report.cost };
    let mut check = Check { question, encoded, asker, report };
    let verdicts = check.run(selected);
    let (cost, approximations) = (check.asker.cost, check.encoded.world.approximations.clone());
    report.cost = cost;
    report.approximations = approximations;
    verdicts
}

struct Check<'q, 'a> {
    question: &'q Question<'a>,
    encoded: Encoded,
    asker: Asker<'q>,
    report: &'q mut ClaimReport,
}

/// What the solver finds about the goals on runs within the bound.
struct Found {
    /// Answers for violations that values show.
    shown: Batch,
    /// Answers for all violations.
    all: Batch,
    /// Whether no run is left out: otherwise no unrefuted claim has a verdict.
    sure: Result<(), Reason>,
}

impl Check<'_, '_> {
    fn run(&mut self, selected: &[Subject]) -> Vec<Verdict> {
        let (mut verdicts, goals) = self.goals(selected);
        if verdicts.iter().all(Option::is_some) {
            return verdicts.into_iter().flatten().collect();
        }
        let world = &mut self.encoded.world;
        let cut = world.terms.or_all(self.encoded.ends.cut.iter().map(|cut| cut.path));
        let no_ub = without_ub(&mut self.encoded);
        let world = &mut self.encoded.world;
        let within = world.terms.not(cut);
        let given = [no_ub, within];
        let conditions: Vec<Term> = goals.iter().map(|g| any(world, g)).collect();
        let asked: Vec<Term> = conditions
            .iter()
            .zip(&verdicts)
            .map(|(c, v)| if v.is_some() { world.terms.bool(false) } else { *c })
            .collect();
        let found = self.search(&goals, &asked, given);
        // Handles claims before any loop, and checks whether runs exceed the bound at all.
        let finite = self.asks_never(&[no_ub, cut]);
        let early = self.question.graph.before_cycles();
        let bound = self.encoded.ends.bound;
        for (i, goal) in goals.iter().enumerate() {
            if verdicts[i].is_some() {
                continue;
            }
            let verdict = self.answered(goal, i, &found);
            verdicts[i] = Some(verdict.unwrap_or_else(|| match &found.sure {
                Err(reason) => Verdict::Inconclusive(reason.clone()),
                Ok(()) if finite => Verdict::Proved(Method::Unrolled),
                Ok(()) => {
                    let is_early = goal.blocks.iter().all(|b| early(*b));
                    let late = match found.all.found[i] {
                        Some(ConditionStatus::Never) => conditions[i],
                        _ => self.encoded.world.terms.bool(true),
                    };
                    if is_early && self.asks_never(&[no_ub, late]) {
                        Verdict::Proved(Method::BeforeLoops)
                    } else {
                        Verdict::Bounded { bound, beyond: Reason::NotAsked }
                    }
                }
            }));
        }
        if verdicts.iter().any(|v| matches!(v, Some(Verdict::Bounded { .. }))) {
            self.unreached(&given);
        }
        verdicts.into_iter().flatten().collect()
    }
    /// Searches for violations of the goals, where `asked` is the condition of each. Violations that values show are
    /// searched for first: a violation that no value shows is reported differently.
    fn search(&mut self, goals: &[Goal], asked: &[Term], given: [Term; 2]) -> Found {
        let world = &mut self.encoded.world;
        let args = self.encoded.args.clone();
        let small =
            inputs::are_simple(world, &args, Simple { limit: 32, writable: true, any_integers: false });
        let first: Vec<Term> = goals
            .iter()
            .zip(asked)
            .map(|(goal, asked)| match &goal.shown {
                Some(shown) if world.terms.as_bool(*asked) != Some(false) => {
                    world.terms.or_all(shown.iter().map(|i| i.condition))
                }
                Some(_) | None => *asked,
            })
            .collect();
        let sure = self.is_sure(&given);
        let world = &mut self.encoded.world;
        let premises = Premises { no_ub: given[0], facts: &given[1..] };
        let shown = self.asker.each(world, premises, &first, Some(small));
        let asked: Vec<Term> = goals
            .iter()
            .zip(asked)
            .zip(&shown.found)
            .map(|((goal, asked), found)| {
                let again = goal.shown.is_some() && !matches!(found, Some(ConditionStatus::Holds(_)));
                if again { *asked } else { world.terms.bool(false) }
            })
            .collect();
        let mut all = self.asker.each(world, premises, &asked, Some(small));
        for ((found, first), goal) in all.found.iter_mut().zip(&shown.found).zip(goals) {
            if goal.shown.is_none() {
                found.clone_from(first);
            }
        }
        Found { shown, all, sure }
    }
    /// The verdict on goal `i` if the solver found a violation or gave up; `None` if no run within the bound violates
    /// the goal.
    fn answered(&mut self, goal: &Goal, i: usize, found: &Found) -> Option<Verdict> {
        let Found { shown, all, .. } = found;
        if let (Some(instances), Some(ConditionStatus::Holds(number))) = (&goal.shown, &shown.found[i]) {
            return Some(self.refuted(instances.iter().copied(), &shown.models[*number], false));
        }
        let hidden = goal.shown.is_some();
        let models = if hidden { &all.models } else { &shown.models };
        match &all.found[i] {
            Some(ConditionStatus::Holds(_)) if goal.stronger => {
                Some(Verdict::Inconclusive(Reason::Claim(REPEATED_EXIT.to_owned())))
            }
            Some(ConditionStatus::Holds(number)) => {
                Some(self.refuted(instances(goal), &models[*number], hidden))
            }
            Some(ConditionStatus::Unknown(reason)) => Some(Verdict::Inconclusive(reason.clone())),
            Some(ConditionStatus::Never) | None => None,
        }
    }
    /// The goals of `selected`, and the verdicts that are known without the solver.
    fn goals(&mut self, selected: &[Subject]) -> (Vec<Option<Verdict>>, Vec<Goal>) {
        let observed = std::mem::take(&mut self.encoded.observed);
        let env = &self.question.function.module.env;
        let claims = self.question.claims;
        let evaluator = Evaluator::new(env, &claims.exprs, &observed, false);
        let mut maker = Goals::new(evaluator, self.question.graph, claims);
        let mut of =
            |subject: &Subject| match subject::goal(&mut maker, &mut self.encoded.world, claims, *subject) {
                Ok(Some(goal)) => (None, goal),
                Ok(None) => (Some(Verdict::Proved(Method::SaysNothing)), Goal::default()),
                Err(why) => (Some(Verdict::Inconclusive(Reason::Claim(why.0))), Goal::default()),
            };
        selected.iter().map(&mut of).unzip()
    }
    /// Whether the solver shows that the conditions never hold together.
    fn asks_never(&mut self, conditions: &[Term]) -> bool {
        matches!(self.asker.ask(&mut self.encoded.world, conditions), Ok(Answer::Unsat))
    }
    /// Checks that no run was left out because undef bits were chosen once.
    fn is_sure(&mut self, given: &[Term]) -> Result<(), Reason> {
        let narrowed = narrowed(self.question, &mut self.encoded.world);
        let mut all = given.to_vec();
        all.push(narrowed);
        match self.asker.ask(&mut self.encoded.world, &all)? {
            Answer::Unsat => Ok(()),
            Answer::Sat(_) => Err(Reason::Model(ModelReason::UndefChosenOnce)),
            Answer::Unknown(reason) => Err(Reason::Solver(reason)),
        }
    }

    fn refuted(
        &mut self,
        mut instances: impl Iterator<Item = Instance>,
        model: &Assignment,
        hidden: bool,
    ) -> Verdict {
        let world = &mut self.encoded.world;
        let mut evaluator = TermEvaluator::new(&world.terms, model);
        let holds = instances.find(|i| evaluator.truth(i.condition));
        let at = holds.and_then(|i| i.at).map(|(header, number)| {
            let number = evaluator.value(number);
            let number = number.as_bits().and_then(Bits::to_u128).unwrap_or_default();
            (header, u64::try_from(number).unwrap_or(u64::MAX))
        });
        let form = holds.and_then(|i| i.weak);
        let form = form.map(|weak| if evaluator.truth(weak) { Form::Weak } else { Form::Strong });
        let args = self.encoded.args.clone();
        let witness = Box::new(witness::read(world, model, &args));
        Verdict::Refuted { witness, at, form, hidden }
    }

    /// Searches for runs until none reaches a new part, and reports the unreached parts.
    fn unreached(&mut self, given: &[Term]) {
        /// Maximum number of runs searched for: each is a query. Parts that further runs would reach count as
        /// unreached.
        const MANY_RUNS: usize = 12;
        let mut parts: Vec<((Block, Option<Block>), Term)> = Vec::new();
        let ends = &self.encoded.ends;
        let reached = ends.reached.iter().map(|(block, path)| ((*block, None), *path));
        let taken = ends.taken.iter().map(|e| ((e.from, Some(e.to)), e.path));
        for (key, path) in reached.chain(taken) {
            match parts.iter_mut().find(|p| p.0 == key) {
                Some(part) => part.1 = self.encoded.world.terms.or(part.1, path),
                None => parts.push((key, path)),
            }
        }
        let mut seen: FxHashSet<(Block, Option<Block>)> = FxHashSet::default();
        for _ in 0..MANY_RUNS {
            let missing: Vec<Term> = parts.iter().filter(|p| !seen.contains(&p.0)).map(|p| p.1).collect();
            if missing.is_empty() {
                break;
            }
            let mut all = given.to_vec();
            all.push(self.encoded.world.terms.or_all(missing));
            let Ok(Answer::Sat(model)) = self.asker.ask(&mut self.encoded.world, &all) else { break };
            let mut evaluator = TermEvaluator::new(&self.encoded.world.terms, &model);
            seen.extend(parts.iter().filter(|p| evaluator.truth(p.1)).map(|p| p.0));
        }
        let graph = self.question.graph;
        let blocks: EntitySet<Block> = graph.body.blocks().filter(|b| seen.contains(&(*b, None))).collect();
        for from in graph.body.blocks().filter(|b| graph.cfg.is_reachable(*b)) {
            if !blocks.contains(from) {
                self.report.unreached_blocks.push(from);
                continue;
            }
            for &to in graph.cfg.succs(from) {
                let edge = Edge { from, to };
                let new = !self.report.unreached_edges.contains(&edge);
                if blocks.contains(to) && !seen.contains(&(from, Some(to))) && new {
                    self.report.unreached_edges.push(edge);
                }
            }
        }
    }
}

fn instances(goal: &Goal) -> impl Iterator<Item = Instance> + '_ {
    goal.visits.iter().chain(&goal.elsewhere).copied()
}

/// Whether any instance of a goal holds.
fn any(world: &mut World, goal: &Goal) -> Term {
    let all: Vec<Term> = instances(goal).map(|i| i.condition).collect();
    world.terms.or_all(all)
}
