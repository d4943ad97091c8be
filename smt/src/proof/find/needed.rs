//! Reduces a proof to the facts that it needs: fewer facts make cheaper queries, above all at full width.
//!
//! The reduction works backwards from the goals. A step starts without premises. Where the solver finds a state in
//! which the step fails, the cheapest of the facts that exclude this state is added, until the step is proved. The
//! steps that lead to a node must then prove the facts that were added there.

use crate::proof::check::Flaw;
use crate::proof::decide::ask::Asker;
use crate::proof::lang::certificate::Draft;
use crate::proof::lang::fact::Fact;
use crate::proof::lang::step::{Known, Node, START, SourceMove, Step};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::question::Question;
use crate::solver::Answer;
use crate::term::{Evaluator, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A step, and whether it is infeasible; infeasibility must then be proved.
struct Way {
    step: Step,
    impossible: bool,
}

/// The facts of the proof `draft` that its steps need. Facts that only measures need may be missing.
pub(in crate::proof) fn core(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<Draft, Flaw> {
    let ways = ways(pair, draft, asker)?;
    let mut needed: BTreeMap<Node, BTreeSet<usize>> = BTreeMap::new();
    let mut work: BTreeSet<usize> = (0..ways.len()).collect();
    while let Some(index) = work.pop_last() {
        let from = ways[index].step.from;
        let before = needed.get(&from).map_or(0, BTreeSet::len);
        take(pair, draft, &ways[index], &mut needed, asker)?;
        if needed.get(&from).map_or(0, BTreeSet::len) > before {
            let leads = |way: &Way| !way.impossible && way.step.to() == Some(from);
            work.extend(ways.iter().enumerate().filter(|(_, way)| leads(way)).map(|(i, _)| i));
        }
    }
    let mut core = draft.clone();
    for (node, facts) in &mut core.facts {
        let kept = needed.remove(node).unwrap_or_default();
        *facts = kept.into_iter().map(|i| facts[i].clone()).collect();
    }
    Ok(core)
}

/// The steps from reachable nodes.
fn ways(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<Vec<Way>, Flaw> {
    let none = Vec::new();
    let mut ways = Vec::new();
    let mut seen = BTreeSet::from([START]);
    let mut work = vec![START];
    while let Some(node) = work.pop() {
        for step in draft.steps.iter().filter(|s| s.from == node) {
            let mut impossible = false;
            // For a source that must end, its goals already state that the target's path is otherwise infeasible.
            if !matches!(step.source, SourceMove::Ends { .. }) {
                let facts = draft.facts.get(&node).unwrap_or(&none);
                let known = Known { facts, apart: apart(draft, Some(node)) };
                let following = Known { facts: &none, apart: apart(draft, step.to()) };
                let mut question = pair.question(*step, known, following).map_err(Flaw::Reason)?;
                let conditions = question.given.clone();
                let units = asker.units / 32;
                let answer = asker.ask(&mut question.world, &conditions, units).map_err(Flaw::Reason)?;
                impossible = answer == Answer::Unsat;
            }
            ways.push(Way { step: *step, impossible });
            if let Some(to) = step.to().filter(|_| !impossible)
                && seen.insert(to)
            {
                work.push(to);
            }
        }
    }
    Ok(ways)
}

/// The accesses at which memories may differ at a node.
fn apart(draft: &Draft, node: Option<Node>) -> &[u32] {
    node.and_then(|node| draft.apart.get(&node)).map_or(&[], Vec::as_slice)
}

/// Adds facts at the start node of a step until the step can be proved.
fn take(
    pair: &Pair<'_>,
    draft: &Draft,
    way: &Way,
    needed: &mut BTreeMap<Node, BTreeSet<usize>>,
    asker: &mut Asker,
) -> Result<(), Flaw> {
    let (none, step) = (Vec::new(), way.step);
    let all = draft.facts.get(&step.from).unwrap_or(&none);
    let to = step.to();
    let expected = to.and_then(|to| draft.facts.get(&to)).unwrap_or(&none);
    let looked: Vec<Fact> = all.iter().chain(expected).cloned().collect();
    loop {
        let chosen = |node: Option<Node>, facts: &[Fact]| -> Vec<Fact> {
            let list = node.and_then(|node| needed.get(&node));
            list.into_iter().flatten().map(|i| facts[*i].clone()).collect()
        };
        let (premises, wanted) = (chosen(Some(step.from), all), chosen(to, expected));
        let known = Known { facts: &premises, apart: apart(draft, Some(step.from)) };
        let following = Known { facts: &looked, apart: apart(draft, to) };
        let mut question = pair.question(step, known, following).map_err(Flaw::Reason)?;
        let units = asker.units / 32;
        let answer = if way.impossible {
            let no = question.world.terms.bool(false);
            question.can_fail(no, asker, units).map_err(Flaw::Reason)?
        } else {
            let follows = question.follows();
            match question.can_fail(follows, asker, units).map_err(Flaw::Reason)? {
                Answer::Unsat => {
                    question.follow();
                    question.settle_calls(asker).map_err(Flaw::Reason)?;
                    let goal = goal(&mut question, &wanted);
                    question.can_fail(goal, asker, units).map_err(Flaw::Reason)?
                }
                other => other,
            }
        };
        let model = match answer {
            Answer::Unsat => return Ok(()),
            Answer::Sat(model) => model,
            // Too few facts for a quick proof: add those of the next price.
            Answer::Unknown(reason) => {
                let taken = needed.entry(step.from).or_default();
                let open = (0..all.len()).filter(|i| !taken.contains(i));
                let next = open.clone().map(|i| price(&all[i])).min();
                let next = next.ok_or(Flaw::Facts(step, Some(reason)))?;
                let more: Vec<usize> = open.filter(|i| price(&all[*i]) == next).collect();
                taken.extend(more);
                continue;
            }
        };
        let before = question.before.clone();
        let open = (0..all.len()).filter(|i| needed.get(&step.from).is_none_or(|n| !n.contains(i)));
        let open: Vec<(usize, Term)> =
            open.filter_map(|i| Some((i, all[i].term(&mut question.world.terms, &before)?))).collect();
        let mut evaluator = Evaluator::new(&question.world.terms, &model);
        let wrong = open.into_iter().filter(|(_, term)| !evaluator.truth(*term)).map(|(i, _)| i);
        let best = wrong.min_by_key(|i| (price(&all[*i]), *i)).ok_or(Flaw::Facts(step, None))?;
        needed.entry(step.from).or_default().insert(best);
    }
}

/// The goals of a step, and that `wanted` holds after it.
fn goal(question: &mut Question, wanted: &[Fact]) -> Term {
    let mut parts: Vec<Term> = question.goals.iter().map(|(_, term)| *term).collect();
    if let Some(after) = question.after.clone() {
        let terms = &mut question.world.terms;
        parts.extend(wanted.iter().filter_map(|fact| fact.term(terms, &after)));
    }
    question.world.terms.and_all(parts)
}

/// Estimated solver cost of a fact. An equation that defines a part makes queries smaller, so it is cheap.
fn price(fact: &Fact) -> u32 {
    match fact {
        Fact::Linear(linear) => {
            let products = linear.summands.iter().filter(|(_, p)| p.len() > 1).count() as u32;
            let resizes = linear.summands.iter().any(|(_, p)| p.iter().any(|p| p.reading.is_resized()));
            let size = linear.summands.len() as u32 + u32::from(resizes);
            if linear.solved().is_some() { size + 20 * products } else { 10 + size + 20 * products }
        }
        Fact::Defined(_) => 3,
        Fact::PoisonTogether(..) => 4,
        Fact::PoisonOnlyWith(..) | Fact::EqualUnlessPoison(..) => 6,
        Fact::Gathers { parts, .. } => 5 + parts.len() as u32,
        Fact::Compare { .. } => 8,
        Fact::Settled(_) => 9,
    }
}
