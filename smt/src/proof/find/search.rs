//! Searches for a certificate: plans from sample runs, candidate facts in strata, Houdini (Flanagan, Leino 2001),
//! measures. Nothing here is trusted; [`verify`] decides.

use crate::encode::unroll::Schedule;
use crate::encode::world::Side;
use crate::proof::check::{Flaw, Proved, admit, check_step, verify};
use crate::proof::decide::ask::Asker;
use crate::proof::decide::plain::split;
use crate::proof::decide::polynomial;
use crate::proof::find::align::{Plan, is_useful, plans};
use crate::proof::find::candidates::{Stratum, candidates};
use crate::proof::find::columns::Sample;
use crate::proof::find::runs::{Length, RunEnd, RunPair, Runner};
use crate::proof::find::samples::Drawing;
use crate::proof::lang::certificate::Draft;
use crate::proof::lang::fact::{Atom, Fact, Linear, Numbers, Owner, Part, Reading, ValueRef};
use crate::proof::lang::number::mask;
use crate::proof::lang::step::CutIndex;
use crate::proof::lang::step::{Node, Place, START, SourceMove, Step, TargetEnd};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::pair::Shape;
use crate::proof::vc::question::Goal;
use crate::proof::vc::question::Question;
use crate::refinement::{FunctionRef, Reason};
use crate::solver::Answer;
use crate::term::{Evaluator, Term, Terms};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Number of sample runs.
const RUNS: usize = 48;
/// Number of these runs that are extended if none reaches the end of a loop.
const LONG_RUNS: usize = 2;
/// Number of further runs that are tried while some cut of the target has fewer than `FEW_VISITS` visits.
const DEEP_RUNS: u64 = 64;
const FEW_VISITS: usize = 12;
/// A finished run with at least this many visits counts as one that went through a loop.
const LOOP_VISITS: usize = 8;
/// The plans that are tried in each stratum, in order: the likeliest plans with more facts come before the other plans
/// with few.
const PLANS: [(Stratum, std::ops::Range<usize>); 11] = [
    (Stratum::Held, 0..1),
    (Stratum::HeldCompared, 0..1),
    (Stratum::HeldSteering, 0..1),
    (Stratum::Held, 1..2),
    (Stratum::HeldSteering, 1..2),
    (Stratum::Equations, 0..2),
    (Stratum::Steering, 0..2),
    (Stratum::Comparisons, 0..2),
    (Stratum::Products, 0..2),
    (Stratum::Equations, 2..8),
    (Stratum::Comparisons, 2..6),
];
/// Minimum units of a query about facts: with less, the budget is used up before the solver has read the query.
const LEAST_UNITS: u64 = 20_000;
/// Maximum number of nodes of the product of both programs.
const MANY_NODES: usize = 40;

/// Facts by node.
type Facts = BTreeMap<Node, Vec<Fact>>;

/// Proves for all steps, with a small budget and from what is known about numbers alone, that the source follows the
/// schedule. If this fails, the proof usually needs more facts.
fn check_follows(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<(), Flaw> {
    for step in draft.steps.iter().filter(|s| s.end != TargetEnd::Undefined) {
        let mut question = pair.question_of(draft, *step).map_err(Flaw::Reason)?;
        let follows = question.follows();
        let units = asker.units / 24;
        match question.can_fail_unconstrained(follows, asker, units).map_err(Flaw::Reason)? {
            Answer::Unsat => {}
            Answer::Sat(_) => return Err(Flaw::Goal(*step, Goal::Follows, None)),
            Answer::Unknown(why) => return Err(Flaw::Goal(*step, Goal::Follows, Some(why))),
        }
    }
    Ok(())
}
/// Drops facts until the remaining ones are inductive. The facts of `sure` are known to be inductive without the
/// others.
fn houdini(pair: &Pair<'_>, draft: &mut Draft, sure: &Facts, asker: &mut Asker) -> Result<(), Flaw> {
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

/// Source blocks that are not headers of cycles but have the name of a header of a target cycle. If a loop has been
/// rotated, the source is best cut there.
pub(in crate::proof) fn likely_cuts(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<u32> {
    let (Some(s), Some(t)) = (source.module.body(source.func), target.module.body(target.func)) else {
        return Vec::new();
    };
    let headers = |body: &Body| -> Vec<Block> {
        let schedule = Schedule::new(body, 0, usize::MAX);
        body.blocks().filter(|b| schedule.as_ref().is_some_and(|s| s.is_header(*b))).collect()
    };
    let (own, theirs) = (headers(s), headers(t));
    let named = |block: &Block| {
        let name = s.block_name(*block);
        name.is_some_and(|name| theirs.iter().any(|other| t.block_name(*other) == Some(name)))
    };
    let found = s.blocks().skip(1).filter(|b| !own.contains(b) && named(b));
    found.map(|b| b.index() as u32).collect()
}

/// A definite flaw in the steps from the start. No facts are known there, so no choice of facts can repair it. Uses at
/// most a fraction of the asker's remaining budget.
fn first_flaw(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<Option<Flaw>, Reason> {
    const PART: u64 = 16;
    let bare = Draft { facts: BTreeMap::new(), ..draft.clone() };
    let all = asker.units;
    asker.units = asker.cost.units + asker.left() / PART;
    let mut found = Ok(None);
    for step in bare.steps.iter().filter(|s| s.from == START) {
        match check_step(pair, &bare, *step, asker) {
            Err(flaw @ Flaw::Goal(.., None)) => found = Ok(Some(flaw)),
            Err(Flaw::Reason(reason)) => found = Err(reason),
            Ok(_) | Err(_) => continue,
        }
        break;
    }
    asker.units = all;
    found
}

/// The useful sample runs. If none of them reaches the end of a loop, some are extended.
fn runs(pair: &Pair<'_>, runner: &mut Runner) -> Result<Vec<RunPair>, Flaw> {
    let mut runs = Vec::new();
    let mut open = Vec::new();
    let mut through = false;
    for seed in 0..RUNS as u64 {
        if pair.limits.late() {
            return Err(Flaw::Reason(Reason::Time));
        }
        let run = runner.run(pair, (seed, Drawing::Usual), Length::Usual);
        if is_useful(&run) {
            match run.source.end {
                RunEnd::Open => open.push((runs.len(), seed)),
                RunEnd::Returned | RunEnd::Stopped | RunEnd::Undefined => {
                    through |= run.source.visits.len() >= LOOP_VISITS;
                }
            }
            runs.push(run);
        }
    }
    if !through {
        for (at, seed) in open.into_iter().take(LONG_RUNS) {
            let run = runner.run(pair, (seed, Drawing::Usual), Length::Long);
            if is_useful(&run) {
                runs[at] = run;
            }
        }
    }
    deepen(pair, runner, &mut runs)?;
    Ok(runs)
}

/// Adds runs that reach cuts of the target that few of `runs` visit: a value that was seen once looks constant.
fn deepen(pair: &Pair<'_>, runner: &mut Runner, runs: &mut Vec<RunPair>) -> Result<(), Flaw> {
    let mut seen = vec![0; pair.target.cuts.len()];
    let visited = |run: &RunPair| -> Vec<CutIndex> {
        let places = run.target.visits.iter().map(|visit| visit.place);
        let cuts = places.filter_map(|place| match place {
            Place::Cut(cut) => Some(cut),
            Place::Returned(_) => None,
        });
        cuts.collect()
    };
    for cut in runs.iter().flat_map(visited) {
        seen[cut] += 1;
    }
    for seed in 0..DEEP_RUNS {
        if seen[1..].iter().all(|visits| *visits >= FEW_VISITS) {
            break;
        }
        if pair.limits.late() {
            return Err(Flaw::Reason(Reason::Time));
        }
        let run = runner.run(pair, (seed, Drawing::Deep), Length::Usual);
        let cuts = visited(&run);
        if is_useful(&run) && cuts.iter().any(|cut| *cut > 0 && seen[*cut] < FEW_VISITS) {
            for cut in cuts {
                seen[cut] += 1;
            }
            runs.push(run);
        }
    }
    Ok(())
}

/// Searches for a certificate and checks it.
pub(in crate::proof) fn search(pair: &Pair<'_>, asker: &mut Asker) -> Result<Proved, Flaw> {
    admit(pair)?;
    let shapes = pair.shapes().map_err(Flaw::Reason)?;
    let mut runner = Runner::new(pair).map_err(Flaw::Reason)?;
    let runs = runs(pair, &mut runner)?;
    let plans = plans(pair, &runs);
    let mut flaw: Option<Flaw> = None;
    let mut known: Vec<Found> = vec![Found::default(); plans.len()];
    let mut failed: BTreeMap<Stratum, Step> = BTreeMap::new();
    'strata: for (stratum, which) in PLANS {
        for (i, plan) in plans.iter().enumerate().skip(which.start).take(which.len()) {
            let likeliest = known[0].sure.clone();
            let mut attempt = Attempt { pair, shapes, runs: &runs, plan, known: &mut known[i], asker };
            if i == 1 && attempt.shares_failed_step(failed.get(&stratum), likeliest) {
                continue;
            }
            let found = attempt.run(stratum);
            if let (0, Err(Flaw::Goal(step, ..) | Flaw::Facts(step, ..))) = (i, &found) {
                failed.insert(stratum, *step);
            }
            match found {
                Ok(Some(draft)) => return Ok(draft),
                Ok(None) => {}
                Err(Flaw::Reason(reason)) => return Err(Flaw::Reason(reason)),
                // Report the flaw of the likeliest plan, or that one side of some plan may run forever.
                Err(other @ Flaw::Endless(..)) => flaw = Some(other),
                // An exhausted budget says nothing about the step at which it ran out.
                Err(_) if flaw.is_some() && asker.left() == 0 => {}
                Err(other) if i == 0 && !matches!(flaw, Some(Flaw::Endless(..))) => flaw = Some(other),
                Err(_) => {}
            }
            if asker.left() == 0 {
                break 'strata;
            }
        }
    }
    Err(flaw.unwrap_or(Flaw::Missing(START)))
}

/// A proof by the steps and facts of `draft`, or by an inductive subset of its facts.
pub(in crate::proof) fn from_facts(
    pair: &Pair<'_>,
    draft: &Draft,
    asker: &mut Asker,
) -> Result<Proved, Flaw> {
    if let Ok(proved) = verify(pair, draft, asker) {
        return Ok(proved);
    }
    let mut draft = draft.clone();
    houdini(pair, &mut draft, &Facts::new(), asker)?;
    verify(pair, &draft, asker)
}

/// The same proof for inputs that may be undef, where `pair` encodes them so: keeps the facts that still hold, and adds
/// which leaves have no undef bits.
pub(in crate::proof) fn with_undef(
    pair: &Pair<'_>,
    draft: &Draft,
    asker: &mut Asker,
) -> Result<Proved, Flaw> {
    let mut draft = draft.clone();
    for (node, facts) in draft.facts.iter_mut().filter(|(node, _)| **node != START) {
        for (side, owner, place) in
            [(Side::Source, Owner::Source, node.source), (Side::Target, Owner::Target, node.target)]
        {
            let (Place::Cut(cut) | Place::Returned(cut)) = place;
            for inst in &pair.program(side).cuts[cut].leaves {
                let atom = Atom { owner, value: ValueRef::of(*inst), lane: 0 };
                facts.push(Fact::Settled(atom));
            }
        }
    }
    houdini(pair, &mut draft, &Facts::new(), asker)?;
    verify(pair, &draft, asker)
}

/// Whether the source makes several iterations for one of the target. Equations alone do not show that the source does
/// not exit in between.
fn strides(step: &Step) -> bool {
    let several = match step.source {
        SourceMove::Arrives { count, .. } => count > 2,
        SourceMove::Stays | SourceMove::Ends { .. } => false,
    };
    several && step.to() == Some(step.from)
}

struct Attempt<'a, 'm> {
    pair: &'a Pair<'m>,
    shapes: &'a [Vec<Shape>; 2],
    runs: &'a [RunPair],
    plan: &'a Plan,
    known: &'a mut Found,
    asker: &'a mut Asker,
}

/// Results so far for one plan.
#[derive(Clone, Default)]
struct Found {
    /// The facts that were found to be inductive in the last stratum of equations.
    sure: Facts,
    /// The candidates of the lowest stratum, if no query was asked about them.
    likely: Facts,
    /// The facts that were found to be inductive last.
    kept: Facts,
    /// The candidates that were tried last.
    tried: Option<Facts>,
    /// A flaw that no facts can repair.
    hopeless: Option<Flaw>,
}

impl Attempt<'_, '_> {
    /// Whether this plan also has a step that could not be proved with the likeliest plan's facts of a stratum; the
    /// facts are then usually the same. In that case this plan adopts the `sure` facts of the likeliest plan; the check
    /// finds out if they do not hold here.
    fn shares_failed_step(&mut self, failed: Option<&Step>, sure: Facts) -> bool {
        let Some(step) = failed else { return false };
        let likewise = self.graph().is_ok_and(|(_, steps)| steps.contains(step));
        if likewise && self.known.sure.is_empty() {
            self.known.sure = sure;
        }
        likewise
    }
    /// Tries a proof with the facts of a stratum; `None` if these facts were tried last or if the stratum does not
    /// apply.
    fn run(&mut self, stratum: Stratum) -> Result<Option<Proved>, Flaw> {
        if let Some(flaw) = &self.known.hopeless {
            return Err(flaw.clone());
        }
        let mut draft = Draft { cuts: self.pair.cuts.clone(), measures: self.measures(), ..Draft::default() };
        let (nodes, steps) = self.graph()?;
        draft.steps = steps;
        draft.apart.clone_from(&self.plan.apart);
        if self.known.tried.is_none()
            && let Some(flaw) = first_flaw(self.pair, &draft, self.asker).map_err(Flaw::Reason)?
        {
            self.known.hopeless = Some(flaw.clone());
            return Err(flaw);
        }
        let none_sure = Vec::new();
        for &node in &nodes {
            let (none, no_meetings) = (Vec::new(), Vec::new());
            let meetings = self.plan.meetings.get(&node).unwrap_or(&no_meetings);
            let facts = if node == START {
                Vec::new()
            } else {
                let found = self.known.sure.get(&node).or_else(|| self.known.likely.get(&node));
                let sure = found.unwrap_or(&none_sure);
                let mut facts = candidates(self.pair, self.runs, (node, meetings), stratum, sure);
                if stratum == Stratum::Products {
                    // A fact without products that was dropped before is seldom worth a query with products.
                    let kept = self.known.kept.get(&node).unwrap_or(&none);
                    facts.retain(|fact| fact.has_products() || kept.contains(fact));
                }
                facts
            };
            draft.facts.insert(node, facts);
        }
        let strides = draft.steps.iter().any(strides);
        if stratum == Stratum::Held && strides {
            self.known.likely = draft.facts;
            return Ok(None);
        }
        if stratum == Stratum::HeldCompared && !strides {
            return Ok(None);
        }
        if self.known.tried.as_ref() == Some(&draft.facts) {
            return Ok(None);
        }
        self.known.tried = Some(draft.facts.clone());
        houdini(self.pair, &mut draft, &self.known.sure, self.asker)?;
        self.known.kept.clone_from(&draft.facts);
        if matches!(stratum, Stratum::Held | Stratum::HeldCompared | Stratum::Equations) {
            self.known.sure.clone_from(&draft.facts);
        }
        if matches!(stratum, Stratum::Held | Stratum::HeldCompared | Stratum::HeldSteering) {
            check_follows(self.pair, &draft, self.asker)?;
        }
        verify(self.pair, &draft, self.asker).map(Some)
    }

    /// The reachable nodes, and the steps from them.
    fn graph(&self) -> Result<(BTreeSet<Node>, Vec<Step>), Flaw> {
        let mut nodes = BTreeSet::from([START]);
        let (mut work, mut steps) = (vec![START], Vec::new());
        while let Some(node) = work.pop() {
            for step in self.plan.steps(self.shapes, node) {
                if let Some(to) = step.to()
                    && nodes.insert(to)
                {
                    work.push(to);
                }
                steps.push(step);
            }
            if nodes.len() > MANY_NODES {
                return Err(Flaw::Missing(node));
            }
        }
        Ok((nodes, steps))
    }

    /// Numbers that fall in some of the moves of one side alone in the runs, and rise in few of them.
    fn measures(&self) -> Vec<Linear> {
        const MANY: usize = 8;
        let mut found: Vec<Linear> = Vec::new();
        for (node, moves) in &self.plan.alone {
            let here: Vec<(Sample<'_>, Sample<'_>)> =
                moves.iter().map(|(a, b)| (Sample::new(self.runs, *a), Sample::new(self.runs, *b))).collect();
            for measure in self.numbers(*node) {
                let both =
                    |(a, b): &(Sample<'_>, Sample<'_>)| Some((value(&measure, a)?, value(&measure, b)?));
                let falls = here.iter().filter_map(both).filter(|(x, y)| y < x).count();
                let holds = here.iter().filter_map(both).filter(|(x, y)| y <= x).count();
                if falls > 0 && holds * 10 >= here.len() * 8 {
                    found.push(measure);
                    if found.len() >= MANY * 2 {
                        return found;
                    }
                }
            }
        }
        found
    }
    /// Candidate measures at a node: numbers, their complements, and differences.
    fn numbers(&self, node: Node) -> Vec<Linear> {
        let mut parts: Vec<(Part, u32)> = Vec::new();
        let meetings = self.plan.meetings.get(&node);
        let Some(sample) = meetings.and_then(|m| m.first()).map(|m| Sample::new(self.runs, *m)) else {
            return Vec::new();
        };
        let mut add = |owner: Owner, value: ValueRef| {
            let atom = Atom { owner, value, lane: 0 };
            if let Some((_, width, _)) = sample.number(atom) {
                if width <= 64 {
                    parts.push((Part::whole(atom), width));
                } else {
                    parts.push((Part { atom, reading: Reading::Offset }, crate::encode::world::OFFSET_BITS));
                }
            }
        };
        for (side, owner, place) in
            [(Side::Source, Owner::Source, node.source), (Side::Target, Owner::Target, node.target)]
        {
            let (Place::Cut(cut) | Place::Returned(cut)) = place;
            let cut = &self.pair.program(side).cuts[cut];
            for inst in cut.leaves.iter().chain(cut.computed.iter().filter(|i| cut.live.contains(**i))) {
                add(owner, ValueRef::of(*inst));
            }
        }
        for i in 0..self.pair.source.body.args().len() {
            add(Owner::Argument, ValueRef::Number(i as u32));
        }
        let mut found = Vec::new();
        for &(part, width) in &parts {
            let one = |factor: u128, constant: u128| Linear {
                width,
                summands: vec![(factor, SmallVec::from_slice(&[part]))],
                constant,
            };
            found.push(one(1, 0));
            found.push(one(mask(width), mask(width)));
            for &(other, _) in parts.iter().filter(|(p, w)| *w == width && *p != part) {
                // Also one less, for exits that are tested before the next increment.
                for by in [0, 1] {
                    found.push(Linear::shifted(width, part, other, by));
                }
            }
        }
        found
    }
}

fn value(measure: &Linear, sample: &Sample<'_>) -> Option<u128> {
    let mut sum = measure.constant;
    for (factor, product) in &measure.summands {
        let mut term = *factor;
        for part in product {
            let (bits, width, _) = sample.number(part.atom)?;
            term = term.wrapping_mul(part.number(bits, width));
        }
        sum = sum.wrapping_add(term);
    }
    Some(sum & mask(measure.width))
}
