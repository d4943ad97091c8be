//! The check that steps, facts and measures prove refinement for all iterations. A proof depends only on this file, its
//! imports and the solver; the search that found it is not trusted.
//!
//! The check walks the nodes that are reachable from the start, where it assumes no facts. It shows that:
//! - the draft has a step for each way in which a target segment can end,
//! - in each step, the goals hold, and so do the facts of the node that the step leads to,
//! - no run stays forever in steps in which only one side moves, except the source if it must make progress: such a run
//!   is UB.

use crate::encode::world::Side;
use crate::proof::decide::ask::Asker;
use crate::proof::lang::certificate::{Certificate, Draft};
use crate::proof::lang::fact::Linear;
use crate::proof::lang::step::{Node, Place, START, SourceMove, Step, TargetEnd};
use crate::proof::vc::pair::{Pair, Shape};
use crate::proof::vc::promises;
use crate::proof::vc::question::{Goal, Question};
use crate::refinement::inputs::{self, Given};
use crate::refinement::{InputAssumption, Reason};
use crate::solver::{Answer, UnknownReason};
use crate::term::{Evaluator, Term};
use std::collections::BTreeSet;

/// Reason why a draft is not a proof.
#[derive(Clone, Debug)]
pub(super) enum Flaw {
    /// The target makes a promise that the source does not make.
    Promised(String),
    /// The draft has no step for some continuation of this node.
    Missing(Node),
    /// The premises do not imply a goal, or the solver did not decide whether they do.
    Goal(Step, Goal, Option<UnknownReason>),
    /// The premises do not imply the facts after a step, or the solver did not decide whether they do.
    Facts(Step, Option<UnknownReason>),
    /// One side may run forever while the other side waits.
    Endless(Side, Node),
    /// The query could not be built or asked.
    Reason(Reason),
    /// The draft names cuts that do not exist.
    Cuts,
}

/// Maximum number of segments that the source may take in one step.
const MOST_WITHIN: u32 = 64;

/// A refinement for all iterations that [`verify`] has proved. Only `verify` constructs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    certificate: Certificate,
    assumed: Vec<InputAssumption>,
}

impl Proved {
    /// The certificate that the target refines its source.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }
    /// The certificate, by value.
    pub fn into_certificate(self) -> Certificate {
        self.certificate
    }
    /// Assumptions about inputs beyond their attributes.
    pub fn assumed(&self) -> &[InputAssumption] {
        &self.assumed
    }
    /// The steps and facts.
    pub(super) fn draft(&self) -> &Draft {
        &self.certificate.draft
    }
    /// Adds the proof in words.
    pub(super) fn shown(mut self, words: Vec<String>) -> Self {
        self.certificate.shown = words;
        self
    }
}

/// Refuses a target that promises more than its source: a proof must not depend on promises that the encoding does not
/// check.
pub(super) fn admit(pair: &Pair<'_>) -> Result<(), Flaw> {
    match promises::excess_promise(&pair.source, &pair.target) {
        Some(what) => Err(Flaw::Promised(what)),
        None => Ok(()),
    }
}

/// Checks that `draft` proves that the target refines the source.
pub(super) fn verify(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<Proved, Flaw> {
    admit(pair)?;
    follows_all_steps(pair, draft, asker)?;
    let may_be_undef = inputs::may_be_undef(pair.source.function, pair.target.function);
    let excluded = [
        (pair.given.poison, InputAssumption::NoPoisonInputs),
        (pair.given.undef, InputAssumption::NoUndefInputs),
    ];
    let assumed = excluded.into_iter().filter(|(is_covered, _)| !is_covered && may_be_undef);
    let assumed = assumed.map(|(_, assumption)| assumption).collect();
    let Given { undef, poison, .. } = pair.given;
    let certificate = Certificate { shown: Vec::new(), undef, poison, draft: draft.clone() };
    Ok(Proved { certificate, assumed })
}

/// Checks that each run of the target follows the steps of `draft` and is allowed by the source.
fn follows_all_steps(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<(), Flaw> {
    let shapes = pair.shapes().map_err(Flaw::Reason)?;
    if draft.steps.iter().any(|s| !exists(pair, s)) {
        return Err(Flaw::Cuts);
    }
    if draft.facts.get(&START).is_some_and(|f| !f.is_empty()) {
        return Err(Flaw::Missing(START));
    }
    let both_run = |node: &Node| matches!((node.source, node.target), (Place::Cut(_), Place::Cut(_)));
    if let Some((node, _)) =
        draft.apart.iter().find(|(n, list)| !list.is_empty() && (**n == START || !both_run(n)))
    {
        return Err(Flaw::Missing(*node));
    }
    let mut seen = BTreeSet::from([START]);
    let mut work = vec![START];
    let mut alone = Vec::new();
    while let Some(node) = work.pop() {
        if let Some(step) = source_step_to_ub(shapes, node) {
            check_step(pair, draft, step, asker)?;
        }
        for end in ends(shapes, node) {
            let step = draft.steps.iter().find(|s| s.from == node && is_for(s, &end));
            let step = *step.ok_or(Flaw::Missing(node))?;
            let mut question = check_step(pair, draft, step, asker)?;
            let Some(to) = question.to else { continue };
            // Feasibility does not matter for a step in which both sides move to a node that was seen before.
            let matters =
                step.end == TargetEnd::Waits || step.source == SourceMove::Stays || !seen.contains(&to);
            if matters && !is_possible(&mut question, step, asker)? {
                continue;
            }
            if seen.insert(to) {
                work.push(to);
            }
            let side = match (step.end, step.source) {
                (TargetEnd::Waits, _) => Some(Side::Source),
                (_, SourceMove::Stays) => Some(Side::Target),
                _ => None,
            };
            alone.extend(side.map(|side| Alone { side, step, to, question }));
        }
    }
    for side in [Side::Source, Side::Target] {
        let own = alone.iter_mut().filter(|a| a.side == side).collect();
        check_termination(pair, side, own, &draft.measures, asker)?;
    }
    Ok(())
}

/// Whether the cuts that the step names exist.
fn exists(pair: &Pair<'_>, step: &Step) -> bool {
    let (source, target) = (pair.source.cuts.len(), pair.target.cuts.len());
    let place = |place, count| match place {
        Place::Cut(cut) | Place::Returned(cut) => cut < count,
    };
    let end = !matches!(step.end, TargetEnd::Reaches(cut) if cut >= target);
    let goal = !matches!(step.source, SourceMove::Arrives { cut, .. } if cut >= source);
    place(step.from.source, source) && place(step.from.target, target) && end && goal
}

/// A continuation of a node that needs a step.
struct Wanted {
    end: TargetEnd,
    /// Destination of a source that moves alone: `Some(Some(cut))`, or `Some(None)` for its end.
    alone: Option<Option<usize>>,
}

fn ends(shapes: &[Vec<Shape>; 2], node: Node) -> Vec<Wanted> {
    let plain = |end| Wanted { end, alone: None };
    match (node.source, node.target) {
        (_, Place::Cut(cut)) => {
            let shape = &shapes[Side::Target.index()][cut];
            let mut list: Vec<Wanted> = shape.reaches.iter().map(|c| plain(TargetEnd::Reaches(*c))).collect();
            list.extend(shape.returns.then(|| plain(TargetEnd::Returns)));
            list.extend(shape.stops.then(|| plain(TargetEnd::Stops)));
            list.extend(shape.undefined.then(|| plain(TargetEnd::Undefined)));
            list
        }
        (Place::Cut(cut), Place::Returned(_)) => {
            let shape = &shapes[Side::Source.index()][cut];
            let waits = |to| Wanted { end: TargetEnd::Waits, alone: Some(to) };
            let mut list: Vec<Wanted> = shape.reaches.iter().map(|c| waits(Some(*c))).collect();
            list.extend(shape.returns.then(|| waits(None)));
            list.extend(shape.stops.then_some(Wanted { end: TargetEnd::Stops, alone: Some(None) }));
            list
        }
        (Place::Returned(_), Place::Returned(_)) => Vec::new(),
    }
}

/// The step in which the source moves alone and reaches UB, if its segment can. The step leads to no node, so drafts
/// need not list it.
fn source_step_to_ub(shapes: &[Vec<Shape>; 2], node: Node) -> Option<Step> {
    let (Place::Cut(cut), Place::Returned(_)) = (node.source, node.target) else { return None };
    let step = Step { from: node, end: TargetEnd::Undefined, source: SourceMove::Ends { within: 1 } };
    shapes[Side::Source.index()][cut].undefined.then_some(step)
}

/// Whether a step covers that continuation and respects the limits on steps.
fn is_for(step: &Step, wanted: &Wanted) -> bool {
    let moves = match (wanted.alone, step.source) {
        (None, SourceMove::Stays) => true,
        (None, SourceMove::Arrives { count, within, .. }) => {
            (1..=within).contains(&count) && within <= MOST_WITHIN
        }
        (None, SourceMove::Ends { within }) => within <= MOST_WITHIN,
        (Some(Some(to)), SourceMove::Arrives { cut, count: 1, within: 1 }) => cut == to,
        (Some(None), SourceMove::Ends { within: 1 }) => true,
        (Some(_), _) => false,
    };
    step.end == wanted.end && moves
}

/// Proves the goals of a step and the facts after it.
pub(super) fn check_step(
    pair: &Pair<'_>,
    draft: &Draft,
    step: Step,
    asker: &mut Asker,
) -> Result<Question, Flaw> {
    let none = Vec::new();
    let mut question = pair.question_of(draft, step).map_err(Flaw::Reason)?;
    let follows = question.follows();
    let units = asker.units / 8;
    // The path conditions alone usually decide this goal; so ask first with calls and memory unconstrained.
    if question.can_fail_unconstrained(follows, asker, units / 2).map_err(Flaw::Reason)? != Answer::Unsat {
        shown(&mut question, step, vec![(Some(Goal::Follows), follows)], asker)?;
    }
    question.follow();
    question.settle_calls(asker).map_err(Flaw::Reason)?;
    if goes_on(step.source) {
        question.settle_tests(asker).map_err(Flaw::Reason)?;
        question.settle_places(asker).map_err(Flaw::Reason)?;
    }
    let mut parts: Vec<(Option<Goal>, Term)> = question.goals.iter().map(|(g, t)| (Some(*g), *t)).collect();
    let following = question.to.and_then(|to| draft.facts.get(&to)).unwrap_or(&none);
    if let Some(after) = question.after.clone() {
        for fact in following {
            let term = fact.term(&mut question.world.terms, &after);
            parts.push((None, term.ok_or(Flaw::Facts(step, None))?));
        }
    }
    shown(&mut question, step, parts, asker)?;
    Ok(question)
}
/// Whether the source may take more than one segment.
fn goes_on(source: SourceMove) -> bool {
    match source {
        SourceMove::Stays => false,
        SourceMove::Arrives { within, .. } | SourceMove::Ends { within } => within > 1,
    }
}
/// Whether a step is feasible, after its goals have been proved.
fn is_possible(question: &mut Question, step: Step, asker: &mut Asker) -> Result<bool, Flaw> {
    match step.source {
        // A step in which the source ends leads to no node.
        SourceMove::Ends { .. } => Ok(question.to.is_some()),
        SourceMove::Stays | SourceMove::Arrives { .. } => {
            let no = question.world.terms.bool(false);
            let units = asker.units / 32;
            Ok(!matches!(question.can_fail(no, asker, units).map_err(Flaw::Reason)?, Answer::Unsat))
        }
    }
}
/// Proves goals of a step and facts after it, all in one query; one by one if the solver cannot decide that query.
fn shown(
    question: &mut Question,
    step: Step,
    mut parts: Vec<(Option<Goal>, Term)>,
    asker: &mut Asker,
) -> Result<(), Flaw> {
    parts.retain(|(_, t)| question.world.terms.as_bool(*t) != Some(true));
    if parts.is_empty() {
        return Ok(());
    }
    let all = question.world.terms.and_all(parts.iter().map(|p| p.1));
    let units = asker.units / 8;
    let flaw = |goal: Option<Goal>, why: Option<UnknownReason>| match goal {
        Some(goal) => Flaw::Goal(step, goal, why),
        None => Flaw::Facts(step, why),
    };
    match question.can_fail(all, asker, units).map_err(Flaw::Reason)? {
        Answer::Unsat => Ok(()),
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new(&question.world.terms, &model);
            let wrong = parts.iter().find(|(_, t)| !evaluator.truth(*t));
            Err(flaw(wrong.and_then(|p| p.0), None))
        }
        Answer::Unknown(reason) if parts.len() == 1 => Err(flaw(parts[0].0, Some(reason))),
        Answer::Unknown(_) => {
            for (goal, term) in &parts {
                match question.can_fail(*term, asker, units).map_err(Flaw::Reason)? {
                    Answer::Unsat => {}
                    Answer::Sat(_) => return Err(flaw(*goal, None)),
                    Answer::Unknown(reason) => return Err(flaw(*goal, Some(reason))),
                }
            }
            Ok(())
        }
    }
}
/// A step in which only one side moves.
pub(super) struct Alone {
    side: Side,
    step: Step,
    to: Node,
    question: Question,
}

/// Proves that no run stays in these steps forever: in each cycle of steps, some measure never rises and falls in some
/// steps; those steps are removed until no cycle is left.
fn check_termination(
    pair: &Pair<'_>,
    side: Side,
    mut steps: Vec<&mut Alone>,
    measures: &[Linear],
    asker: &mut Asker,
) -> Result<(), Flaw> {
    loop {
        let edges: Vec<(Node, Node)> = steps.iter().map(|a| (a.step.from, a.to)).collect();
        steps.retain(|a| reaches(&edges, a.to, a.step.from));
        let Some(first) = steps.first().map(|a| a.step.from) else { return Ok(()) };
        let edges: Vec<(Node, Node)> = steps.iter().map(|a| (a.step.from, a.to)).collect();
        let inside =
            |node: Node| node == first || reaches(&edges, first, node) && reaches(&edges, node, first);
        if side == Side::Source
            && steps.iter().filter(|a| inside(a.step.from)).all(|a| makes_progress(pair, a))
        {
            steps.retain(|a| !inside(a.step.from));
            continue;
        }
        let mut falls = Vec::new();
        'measures: for measure in measures {
            falls.clear();
            for (i, alone) in steps.iter_mut().enumerate().filter(|(_, a)| inside(a.step.from)) {
                match change(alone, measure, asker)? {
                    Change::Falls => falls.push(i),
                    Change::Stays => {}
                    Change::Unknown => {
                        falls.clear();
                        continue 'measures;
                    }
                }
            }
            if !falls.is_empty() {
                break;
            }
        }
        if falls.is_empty() {
            return Err(Flaw::Endless(side, first));
        }
        let mut index = 0;
        steps.retain(|_| {
            index += 1;
            !falls.contains(&(index - 1))
        });
    }
}
/// Whether a source run that repeats this step forever is UB because the source must make progress and makes none.
/// LangRef `mustprogress`: calls that may write or not return, volatile accesses and `llvm.sideeffect` are progress;
/// atomic accesses and fences are not modelled here.
fn makes_progress(pair: &Pair<'_>, alone: &Alone) -> bool {
    let Place::Cut(cut) = alone.step.from.source else { return false };
    // Each cycle of cuts contains the header of a cycle of blocks, so cuts that are not headers need no check.
    let cut = &pair.source.cuts[cut];
    !alone.question.source_progress && (!cut.header || pair.source.must_progress.contains(cut.block))
}

/// Effect of a step on a measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Falls,
    Stays,
    Unknown,
}

fn change(alone: &mut Alone, measure: &Linear, asker: &mut Asker) -> Result<Change, Flaw> {
    let question = &mut alone.question;
    let Some(after) = question.after.clone() else { return Ok(Change::Unknown) };
    let before = question.before.clone();
    let terms = &mut question.world.terms;
    let (Some(old), Some(new)) = (measure.sum(terms, &before, None), measure.sum(terms, &after, None)) else {
        return Ok(Change::Unknown);
    };
    let falls = terms.ult(new, old);
    let units = asker.units / 16;
    if matches!(question.can_fail(falls, asker, units).map_err(Flaw::Reason)?, Answer::Unsat) {
        return Ok(Change::Falls);
    }
    let stays = question.world.terms.ule(new, old);
    let stays = matches!(question.can_fail(stays, asker, units).map_err(Flaw::Reason)?, Answer::Unsat);
    Ok(if stays { Change::Stays } else { Change::Unknown })
}

/// Whether `to` is reachable from `from` along zero or more edges.
fn reaches(edges: &[(Node, Node)], from: Node, to: Node) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if node == to {
            return true;
        }
        work.extend(edges.iter().filter(|e| e.0 == node && seen.insert(e.1)).map(|e| e.1));
    }
    false
}
