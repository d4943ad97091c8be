//! Drops candidate facts until the rest follow from each other (Flanagan, Leino 2001).

use crate::proof::check::Flaw;
use crate::proof::decide::ask::Asker;
use crate::proof::decide::plain::split;
use crate::proof::decide::polynomial;
use crate::proof::lang::certificate::Draft;
use crate::proof::lang::fact::Fact;
use crate::proof::lang::step::{Node, Step};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::question::Question;
use crate::solver::Answer;
use crate::term::{Evaluator, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Minimum units of a query about facts: with less, the budget is used up before the solver has read the query.
const LEAST_UNITS: u64 = 20_000;

/// Facts by node.
pub(super) type Facts = BTreeMap<Node, Vec<Fact>>;

/// Drops facts until the remaining ones are inductive. The facts of `sure` are known to be inductive without the
/// others.
pub(super) fn houdini(
    pair: &Pair<'_>,
    draft: &mut Draft,
    sure: &Facts,
    asker: &mut Asker,
) -> Result<(), Flaw> {
    let steps: Vec<(Step, Node)> = draft.steps.iter().filter_map(|s| Some((*s, s.to()?))).collect();
    let mut work: BTreeSet<usize> = (0..steps.len()).collect();
    let mut kept: BTreeMap<usize, Question> = BTreeMap::new();
    while let Some(index) = work.pop_first() {
        let (step, to) = steps[index];
        if draft.facts[&to].is_empty() {
            continue;
        }
        let mut question = match kept.remove(&index) {
            Some(question) => question,
            None => {
                let mut question = pair.question_of(draft, step).map_err(Flaw::Reason)?;
                // The check proves that the source follows the schedule. If it does not, no facts help.
                question.follow();
                question.settle_calls(asker).map_err(Flaw::Reason)?;
                if question.long {
                    question.settle_places(asker).map_err(Flaw::Reason)?;
                }
                question
            }
        };
        let before = draft.facts[&to].len();
        let sure = sure.get(&to).map_or(&[][..], Vec::as_slice);
        drop_unproved(&mut question, draft.facts.get_mut(&to).expect("each node has facts"), sure, asker)?;
        if draft.facts[&to].len() < before {
            for (i, (other, _)) in steps.iter().enumerate() {
                if other.from == to {
                    kept.remove(&i);
                    work.insert(i);
                }
            }
        }
        if step.from != to {
            kept.insert(index, question);
        }
    }
    Ok(())
}
/// Drops the facts that do not follow after a step, except those of `sure`.
fn drop_unproved(
    question: &mut Question,
    facts: &mut Vec<Fact>,
    sure: &[Fact],
    asker: &mut Asker,
) -> Result<(), Flaw> {
    let Some(after) = question.after.clone() else { return Ok(()) };
    let terms = &mut question.world.terms;
    // A fact that the step does not change is a premise.
    let given: BTreeSet<Term> = question.given.iter().copied().collect();
    let mut open: Vec<(Fact, Term)> = Vec::new();
    facts.retain(|fact| match fact.term(terms, &after) {
        Some(_) if sure.contains(fact) => true,
        Some(term) => {
            if terms.as_bool(term) != Some(true) && !given.contains(&term) {
                open.push((fact.clone(), term));
            }
            true
        }
        None => false,
    });
    let Some(mut wrong) = drop_contradicted(question, &mut open, asker)? else { return Ok(()) };
    let units = (asker.units / 16).max(LEAST_UNITS);
    // Batches of facts to prove in one query, each with its units; an undecided batch is halved. Facts with products
    // are harder, so they have their own batch, and so do facts about memory.
    let terms = &question.world.terms;
    let with_memory = look_at_memory(terms, &open);
    let (with, without): (Vec<_>, Vec<_>) = open.into_iter().partition(|o| polynomial::occur(terms, &[o.1]));
    let (looking, plain) = without.into_iter().partition(|o| with_memory.contains(&o.1));
    let mut work: Vec<(Vec<(Fact, Term)>, u64)> = vec![(with, units), (looking, units), (plain, units)];
    while let Some((mut open, units)) = work.pop() {
        if open.is_empty() {
            continue;
        }
        let all = question.world.terms.and_all(open.iter().map(|o| o.1));
        match question.can_fail(all, asker, units).map_err(Flaw::Reason)? {
            Answer::Unsat => {}
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new(&question.world.terms, &model);
                let mut drop = |list: &mut Vec<(Fact, Term)>| {
                    list.retain(|(fact, term)| {
                        let holds = evaluator.truth(*term);
                        if !holds {
                            wrong.push(fact.clone());
                        }
                        holds
                    });
                };
                drop(&mut open);
                work.iter_mut().for_each(|(open, _)| drop(open));
                work.push((open, units));
            }
            // Drop a fact that is undecided on its own.
            Answer::Unknown(_) if open.len() == 1 => wrong.push(open.swap_remove(0).0),
            Answer::Unknown(_) => {
                // A fact without memory that fails in a model without memory seldom holds because of memory.
                if let Some(model) = asker.hint.take() {
                    let mut evaluator = Evaluator::new(&question.world.terms, &model);
                    open.retain(|(fact, term)| {
                        let fails = !with_memory.contains(term) && !evaluator.truth(*term);
                        if fails {
                            wrong.push(fact.clone());
                        }
                        !fails
                    });
                }
                let rest = open.split_off(open.len() / 2);
                let units = (units / 2).max(LEAST_UNITS);
                work.extend([(rest, units), (open, units)]);
            }
        }
    }
    facts.retain(|fact| !wrong.contains(fact));
    Ok(())
}

/// Removes from `open` the facts that are `false` after a step, and other facts that fail when the step is taken;
/// returns the removed facts. Returns `None` if the step is infeasible: then all facts hold after it, and the solver
/// can derive even a fact that has become `false` from the premises.
fn drop_contradicted(
    question: &mut Question,
    open: &mut Vec<(Fact, Term)>,
    asker: &mut Asker,
) -> Result<Option<Vec<Fact>>, Flaw> {
    let terms = &mut question.world.terms;
    let no = terms.bool(false);
    let (never, mut rest): (Vec<_>, Vec<_>) = open.drain(..).partition(|(_, term)| *term == no);
    let mut wrong: Vec<Fact> = never.into_iter().map(|(fact, _)| fact).collect();
    if !wrong.is_empty() {
        match question.can_fail(no, asker, LEAST_UNITS).map_err(Flaw::Reason)? {
            Answer::Unsat => return Ok(None),
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new(&question.world.terms, &model);
                rest.retain(|(fact, term)| {
                    let holds = evaluator.truth(*term);
                    if !holds {
                        wrong.push(fact.clone());
                    }
                    holds
                });
            }
            Answer::Unknown(_) => {}
        }
    }
    *open = rest;
    Ok(Some(wrong))
}

/// The terms of facts that depend on memory.
fn look_at_memory(terms: &Terms, facts: &[(Fact, Term)]) -> BTreeSet<Term> {
    split(terms, facts.iter().map(|f| f.1).collect()).0.into_iter().collect()
}
